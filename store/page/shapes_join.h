/* shapes_join - joins kinds of items that have similar attributes and templates */
#ifndef STORE_PAGE_SHAPES_JOIN_H
#define STORE_PAGE_SHAPES_JOIN_H

#include "store/page/shapes_int.h"

/** shapes_join - join similar kinds, in several passes; sets .into of the kinds that are joined into others */
void shapes_join(struct shapes_kinds *k);

/**
 * shapes_alike - Return: whether two kinds have similar attributes
 * @common: set to the number of attributes that both have
 */
bool shapes_alike(const struct shapes_kinds *k, const struct shapes_kind *a,
		  const struct shapes_kind *b, size_t *common);

#endif
