/* merge - see merge.h */
#include "store/base/core/merge.h"

/* Plays all matches below @node and returns the winner. The losers stay in the nodes. */
static size_t
play(struct merge *m, size_t node)
{
	if (node >= m->n) {
		return node - m->n;
	}
	size_t left = play(m, 2 * node);
	size_t right = play(m, 2 * node + 1);
	bool right_wins = m->before(m->arg, right, left);

	m->losers[node] = right_wins ? left : right;
	return right_wins ? right : left;
}

void
merge_init(struct merge *m, struct arena *a, size_t n, merge_before_fn *before, const void *arg)
{
	*m = (struct merge){
		.n = n, .losers = arena_new(a, size_t, n), .before = before, .arg = arg};
	m->losers[0] = play(m, 1);
}

void
merge_replay(struct merge *m)
{
	size_t winner = m->losers[0];

	for (size_t node = (winner + m->n) / 2; node > 0; node /= 2) {
		size_t loser = m->losers[node];

		if (m->before(m->arg, loser, winner)) {
			m->losers[node] = winner;
			winner = loser;
		}
	}
	m->losers[0] = winner;
}
