/* listing_query - pages of a query's entries.  Below listing.c; rows.c reads the store. */
#include "fs/listing.h"
#include "fs/rows.h"

/* Of merged collections there is no key to begin behind: they are counted from the beginning. */
static int
open_rows(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	const struct item *row;
	uint64_t first = mark == NULL ? 0 : mark->first;
	uint64_t skip = q->sharded ? first : 0;
	uint64_t left = q->limit == 0 ? 0 : q->limit - (first - skip);
	int r = rows_open(l->m, &l->page_call, &l->place, l->view,
			  mark == NULL || q->sharded ? NULL : &mark->after, left, &l->rows);

	while (r == 0 && skip-- > 0) {
		r = rows_next(l->rows, &l->page_call, &row);
	}
	return r;
}

int
listing_query_page(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	struct entry *entries = arena_new(&l->page_call.arena, struct entry, LISTING_PAGE);
	bool follows = l->rows != NULL && mark != NULL && l->rows_at == mark->first;
	int r = 0;

	l->entries = entries;
	/* A chain that waits for a value lists nothing; behind the limit there is nothing. */
	if (q->awaits != CLAUSE_NONE || (q->limit > 0 && mark != NULL && mark->first >= q->limit)) {
		return 0;
	}
	if (!follows) {
		rows_close(l->rows);
		l->rows = NULL;
		r = open_rows(l, mark);
	}
	while (r == 0 && l->n < LISTING_PAGE) {
		const struct item *row;

		r = rows_next(l->rows, &l->page_call, &row);
		if (r == 0) {
			entries[l->n++] = rows_entry(&l->page_call.arena, &l->place, row);
		}
	}
	l->more = r == 0;
	l->rows_at = l->first + l->n;
	if (r == ROWS_END) {
		return 0;
	}
	if (r != 0) {
		rows_close(l->rows);
		l->rows = NULL;
	}
	return r;
}
