/* place_find - the key of a shortened name, and the check of a key against one */
#ifndef FS_PLACE_PLACE_FIND_H
#define FS_PLACE_PLACE_FIND_H

#include "fs/place/place.h"

/**
 * place_find_full - find the whole component of a shortened name below @dir
 *
 * Return: 0, PLACE_ABSENT, or the engine's error. Memory: @full is in the call's arena.
 */
int place_find_full(struct mount *m, struct call *c, const struct place *dir, struct slice stem,
		    struct slice suffix, struct slice *full) must_check;

/**
 * place_adopt - check that the key of the item @it gives the shortened names of @p, whose key was not known
 * @partition: set to the whole component of a shortened partition, else emptied
 * @full:      likewise for the item
 *
 * Return: 0, or -ERR_VALIDATION
 */
int place_adopt(struct call *c, const struct place *p, const char *suffix, const struct item *it,
		struct slice *partition, struct slice *full) must_check;

#endif
