/* names - a growing list of attribute names, each once */
#ifndef STORE_EXPR_NAMES_H
#define STORE_EXPR_NAMES_H

#include "store/base/core/slice.h"

struct names {
	struct arena *arena;
	struct slice *at;
	size_t n;
	size_t cap;
};

/** names_add - unless it is there; an expression mentions few, so they are compared one by one */
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
