/* listing_query - pages of a query's entries.  Below listing.c; rows.c reads the store. */
#include "fs/ops/listing.h"
#include "fs/place/rows.h"

/*
 * Rows from the page's first entry on, or from some before it: of merged collections there is no key to begin
 * behind, they are counted from the beginning.
 */
static int
open_rows(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	uint64_t first = mark == NULL ? 0 : mark->first;
	uint64_t begin = q->sharded ? 0 : first;

	/* What an interrupt has left is gone on with. */
	if (l->rows != NULL && l->rows_at <= first && (q->sharded || l->rows_at == first)) {
		return 0;
	}
	rows_close(l->rows);
	l->rows = NULL;
	l->rows_at = begin;
	return rows_open(l->m, &l->page_call, &l->place, l->view, begin == 0 ? NULL : &mark->after,
			 q->limit == 0 ? 0 : q->limit - begin, &l->rows);
}

/* As many as a page takes, or as are found before an interrupt. */
static int
take_rows(struct listing *l, struct entry *entries)
{
	while (l->n < LISTING_PAGE) {
		const struct item *row;
		int r = rows_next(l->rows, &l->page_call, &row);

		if (r != 0) {
			return r;
		}
		if (l->rows_at++ >= l->first) {
			entries[l->n++] = rows_entry(&l->page_call.arena, &l->place, row);
		}
	}
	return 0;
}

int
listing_query_page(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	struct entry *entries = arena_new(&l->page_call.arena, struct entry, LISTING_PAGE);

	l->entries = entries;
	/* A chain that waits for a value lists nothing; behind the limit there is nothing. */
	if (q->awaits != CLAUSE_NONE || (q->limit > 0 && mark != NULL && mark->first >= q->limit)) {
		return 0;
	}
	int r = open_rows(l, mark);

	if (r == 0) {
		r = take_rows(l, entries);
	}
	l->more = r == 0 || (r == PLACE_INTERRUPTED && l->n > 0);
	if (r < 0) {
		rows_close(l->rows);
		l->rows = NULL;
	}
	return r == ROWS_END || l->more ? 0 : r;
}
