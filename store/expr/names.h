/* names - growing list of distinct attribute names */
#ifndef STORE_EXPR_NAMES_H
#define STORE_EXPR_NAMES_H

#include "store/base/core/base.h"

struct names {
	struct arena *arena;
	struct slice *at;
	size_t n;
	size_t cap;
};

/** names_add - add @name unless the list has it; compares one by one, because expressions mention few names */
static inline void
names_add(struct names *all, struct slice name)
{
	for (size_t i = 0; i < all->n; i++) {
		if (slice_eq(all->at[i], name)) {
			return;
		}
	}
	all->at = arena_room(all->arena, all->at, all->n, &all->cap);
	all->at[all->n++] = name;
}

#endif
