/*
 * merge - which of n sorted inputs comes next: a tree of losers
 *
 * Inner nodes keep the loser of their match, the root's winner stands above.
 * When the winner's input moves on, only its own path is played again:
 * log2(n) comparisons an item.
 *
 *              winner
 *            [1] loser
 *         [2]        [3]
 *        0   1      2   3      inputs
 */
#ifndef STORE_BASE_CORE_MERGE_H
#define STORE_BASE_CORE_MERGE_H

#include "store/base/core/arena.h"

/** merge_before_fn - does the head of input @a come before that of @b?  An input at its end: never */
typedef bool merge_before_fn(const void *arg, size_t a, size_t b);

struct merge {
	size_t n;       /* inputs, >= 1 */
	size_t *losers; /* [0] is the winner */
	merge_before_fn *before;
	const void *arg;
};

/** merge_init - play all matches; heads must be known */
void merge_init(struct merge *m, struct arena *a, size_t n, merge_before_fn *before,
		const void *arg);

/** merge_winner - the input whose head comes first; equal heads: any order that @before keeps */
static inline size_t
merge_winner(const struct merge *m)
{
	return m->losers[0];
}

/** merge_replay - the winner's head has changed */
void merge_replay(struct merge *m);

#endif
