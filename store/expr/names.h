/* names - a growing list of attribute names, each once */
#ifndef STORE_EXPR_NAMES_H
#define STORE_EXPR_NAMES_H

#include "store/base/slice.h"

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
	if (all->n == all->cap) {
		size_t cap = all->cap == 0 ? 8 : 2 * all->cap;
		struct slice *at = arena_new(all->arena, struct slice, cap);

		if (all->n > 0) {
			memcpy(at, all->at, all->n * sizeof(*at));
		}
		all->at = at;
		all->cap = cap;
	}
	all->at[all->n++] = name;
}

#endif
