/* listing_hidden - which items a listing leaves out because they are hidden.  Below listing.c */
#include <stdlib.h>

#include "fs/file/hidden.h"
#include "fs/ops/listing.h"

static int
listing_order(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

void
listing_hide(struct listing *l)
{
	struct slice *now;
	size_t n = hidden_names(l->m, &l->keep.arena, l->dir, &now);

	if (n == 0) {
		return;
	}
	struct slice *all = arena_new(&l->keep.arena, struct slice, l->n_hidden + n);
	size_t n_all = l->n_hidden;

	if (n_all > 0) {
		memcpy(all, l->hidden, n_all * sizeof(*all));
	}
	for (size_t i = 0; i < n; i++) {
		if (!listing_hides(l, now[i])) {
			all[n_all++] = now[i];
		}
	}
	qsort(all, n_all, sizeof(*all), listing_order);
	l->hidden = all;
	l->n_hidden = n_all;
}

bool
listing_hides(const struct listing *l, struct slice stem)
{
	return l->n_hidden > 0 &&
	       bsearch(&stem, l->hidden, l->n_hidden, sizeof(*l->hidden), listing_order) != NULL;
}

int
listing_returned(struct listing *l, struct call *c, struct slice **names, size_t *n)
{
	*n = 0;
	*names = arena_new(&c->arena, struct slice, l->n_hidden);
	for (size_t i = 0; i < l->n_hidden; i++) {
		int r = hidden_is(l->m, l->dir, l->hidden[i])
				? 0
				: listing_finds(l, c, l->hidden[i], NULL);

		if (r < 0) {
			return r;
		}
		if (r == 1) {
			(*names)[(*n)++] = l->hidden[i];
		}
	}
	return 0;
}
