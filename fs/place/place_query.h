/* place_query - names that are parts of a query path: where each clause may stand */
#ifndef FS_PLACE_PLACE_QUERY_H
#define FS_PLACE_PLACE_QUERY_H

#include "fs/place/place.h"

/**
 * place_is_query - Return: whether @name below @dir is part of a query: a clause, the value of one, a generated file
 */
bool place_is_query(const struct place *dir, struct slice name);

/**
 * place_child_query - place_child() for such a name
 * @out: its place and stem are set already
 *
 * Return: 0, PLACE_NO_QUERY, or the engine's error
 */
int place_child_query(struct mount *m, struct call *c, const struct place *dir, struct slice name,
		      struct child *out) must_check;

#endif
