/*
 * merge - merge of n sorted inputs with a tree of losers
 *
 * Each inner node keeps the loser of its match; the winner of the root is kept above it.
 * When the winner's input advances, only the matches on its own path are replayed:
 * log2(n) comparisons per item.
 *
 *              winner
 *            [1] loser
 *         [2]        [3]
 *        0   1      2   3      inputs
 */
#ifndef STORE_BASE_CORE_MERGE_H
#define STORE_BASE_CORE_MERGE_H

#include "store/base/core/arena.h"

/** merge_before_fn - return true if the head of input @a sorts before that of @b; false if @a is at its end */
typedef bool merge_before_fn(const void *arg, size_t a, size_t b);

struct merge {
	size_t n;       /* inputs, >= 1 */
	size_t *losers; /* [0] is the winner */
	merge_before_fn *before;
	const void *arg;
};

/** merge_init - play all matches; @n >= 1, and the heads of all inputs are known */
void merge_init(struct merge *m, struct arena *a, size_t n, merge_before_fn *before,
		const void *arg);

/** merge_winner - index of the input whose head sorts first; @before decides between equal heads */
static inline size_t
merge_winner(const struct merge *m)
{
	return m->losers[0];
}

/** merge_replay - determine the new winner after the winner's head has changed */
void merge_replay(struct merge *m);

#endif
