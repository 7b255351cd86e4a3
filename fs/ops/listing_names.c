/* listing_names - names that are few: one page of all of them, kept until the listing begins anew.  Below listing.c */
#include "store/engine/engine.h"

#include "fs/made/special.h"
#include "fs/ops/listing.h"

static int
page_of_tables(struct listing *l)
{
	struct list_tables_in in = {0};
	struct list_tables_out page = {0};
	struct slice *names = NULL;
	size_t n = 0;

	do {
		int r = engine_list_tables(l->m->engine, &l->page_call, &in, &page);

		if (r < 0) {
			return r;
		}
		struct slice *more = arena_new(&l->page_call.arena, struct slice, n + page.n_names);

		if (n > 0) {
			memcpy(more, names, n * sizeof(*names));
		}
		if (page.n_names > 0) {
			memcpy(more + n, page.names, page.n_names * sizeof(*names));
		}
		names = more;
		n += page.n_names;
		in.start = page.last;
	} while (in.start.len > 0);
	l->names = names;
	l->n = n;
	return 0;
}

static int
page_of_indexes(struct listing *l)
{
	const struct schema *s = l->place.schema;
	struct slice *names = arena_new(&l->page_call.arena, struct slice, s->n_index);

	l->n = 0;
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state == INDEX_ACTIVE) {
			names[l->n++] = s->index[i].name;
		}
	}
	l->names = names;
	return 0;
}

static int
page_of_special(struct listing *l)
{
	struct slice *names;

	l->n = special_list(l->m, &l->page_call, l->place.shown, &names);
	l->names = names;
	return 0;
}

int
listing_names_page(struct listing *l)
{
	return l->place.role == ROLE_TABLES    ? page_of_tables(l)
	       : l->place.role == ROLE_INDEXES ? page_of_indexes(l)
					       : page_of_special(l);
}
