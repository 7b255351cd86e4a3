/*
 * listing_page - the current page of a listing, and the marks of all pages
 *
 * A page has all names of a small directory (tables, indexes, .itemfs), or up to LISTING_PAGE partitions, entries, or
 * rows of a query.
 */
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"

#include "fs/core/memory_account.h"
#include "fs/made/special.h"
#include "fs/ops/listing.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"
#include "fs/place/rows.h"

/* ------------------------------------------------------------ small directories */

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

static void
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
}

/* ------------------------------------------------------------ queries */

/*
 * Open the rows at the page's first entry or before it.  Rows of merged collections have no key from which they could
 * start: they are counted from the beginning.
 */
static int
open_rows(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	uint64_t first = mark == NULL ? 0 : mark->first;
	uint64_t begin = q->sharded ? 0 : first;

	/* Continue with the rows that an interrupted READDIR has left. */
	if (l->rows != NULL && l->rows_at <= first && (q->sharded || l->rows_at == first)) {
		return 0;
	}
	rows_close(l->rows);
	l->rows = NULL;
	l->rows_at = begin;
	return rows_open(l->m, &l->page_call, &l->place, l->view, begin == 0 ? NULL : &mark->after,
			 q->limit == 0 ? 0 : q->limit - begin, &l->rows);
}

/* Take rows until the page is full.  Return: 0, ROWS_END, PLACE_INTERRUPTED, or the engine's error */
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

/* Read a page of a QUERY: sets entries, n and more.  Return: as listing_read_page() */
static int
listing_query_page(struct listing *l, const struct listing_mark *mark)
{
	const struct clauses *q = &l->place.clauses;
	struct entry *entries = arena_new(&l->page_call.arena, struct entry, LISTING_PAGE);

	l->entries = entries;
	/* A chain that waits for a value is empty, and there are no entries after the limit. */
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

/* ------------------------------------------------------------ pages and marks */

void
listing_drop_page(struct listing *l)
{
	rows_close(l->rows);
	l->rows = NULL;
	call_close(&l->page_call);
	l->n = 0;
	l->more = false;
}

static struct values
copy_values(struct arena *a, const struct values *v)
{
	struct values copy = {arena_new(a, struct value, v->n), v->n};

	for (size_t i = 0; i < v->n; i++) {
		copy.at[i] = value_copy(a, &v->at[i]);
	}
	return copy;
}

/* Add the mark of the next page, unless it is known. */
static void
add_mark(struct listing *l)
{
	uint64_t first = l->first + l->n;
	struct listing_mark mark = {.first = first};

	if (l->n_marks > 0 && l->marks[l->n_marks - 1].first >= first) {
		return;
	}
	if (l->entries != NULL && l->next.n == 0) {
		assert(l->n > 0);
		struct item key =
			place_entry_key(&l->page_call.arena, &l->place, &l->entries[l->n - 1]);

		mark.after = item_copy(&l->keep.arena, &key);
	} else {
		if (l->partitions != NULL) {
			mark.pk = copy_values(&l->keep.arena, &l->partitions[l->n - 1].pk);
		}
		mark.after = item_copy(&l->keep.arena, &l->next);
	}
	if (l->n_marks == l->cap_marks) {
		l->cap_marks = l->cap_marks == 0 ? 16 : 2 * l->cap_marks;
		l->marks = mem_resized(l->marks, l->cap_marks, sizeof(*l->marks));
	}
	l->marks[l->n_marks++] = mark;
}

static int
page_of_entries(struct listing *l, const struct listing_mark *mark)
{
	struct list_entries_in in = {
		.after = mark == NULL ? NULL : &mark->after,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_entries_out page = {0};
	int r = place_list_entries(l->m, &l->page_call, &l->place, &in, &page);

	if (r == 0) {
		l->entries = page.entries;
		l->n = page.n_entries;
		l->more = page.more;
		l->next = page.last;
	}
	return r;
}

static int
page_of_partitions(struct listing *l, const struct listing_mark *mark)
{
	struct list_partitions_in in = {
		.after = mark != NULL,
		.limit = LISTING_PAGE,
		.view = l->view,
	};
	struct list_partitions_out page = {0};

	l->next = (struct item){0};
	if (mark != NULL) {
		in.from = mark->pk;
		l->next = mark->after;
	}
	int r = place_list_partitions(l->m, &l->page_call, &l->place, &in, &page, &l->next);

	if (r == 0) {
		l->partitions = page.partitions;
		l->n = page.n_partitions;
		l->more = page.more;
	}
	return r;
}

/* Drop the marks and the tail after the page: they are of another state. */
static void
forget_behind(struct listing *l)
{
	while (l->n_marks > 0 && l->marks[l->n_marks - 1].first > l->first) {
		l->n_marks--;
	}
	l->has_tail = false;
}

/* Count the memory that the listing uses now.  false: the account is full */
static bool
listing_count(struct listing *l)
{
	return usage_resize(&l->usage, LISTING_BYTES + l->page_call.arena.used +
					       l->keep.arena.used +
					       l->cap_marks * sizeof(*l->marks) + l->ahead.cap +
					       rows_bytes(l->rows));
}

int
listing_read_page(struct listing *l, struct call *c, const struct listing_mark *mark)
{
	struct slice *names;
	int r = 0;

	call_close(&l->page_call);
	call_for(&l->page_call, c);
	l->first = mark == NULL ? 0 : mark->first;
	l->entries = NULL;
	l->partitions = NULL;
	l->next = (struct item){0};
	l->names = NULL;
	l->n = 0;
	l->more = false;
	if (l->view == NULL) {
		forget_behind(l);
		listing_hide(l);
	}
	switch (l->place.role) {
	case ROLE_TABLES:
		r = page_of_tables(l);
		break;
	case ROLE_INDEXES:
		page_of_indexes(l);
		break;
	case ROLE_SPECIAL:
		l->n = special_list(l->m, &l->page_call, l->place.shown, &names);
		l->names = names;
		break;
	case ROLE_QUERY:
		r = listing_query_page(l, mark);
		break;
	case ROLE_TABLE:
	case ROLE_INDEX:
	case ROLE_PARTITION:
	case ROLE_ITEM:
	case ROLE_SCRATCH:
	case ROLE_TERMINAL:
	case ROLE_TABLE_FILE:
		r = place_holds_items(&l->place) ? page_of_entries(l, mark)
						 : page_of_partitions(l, mark);
		break;
	}
	if (r == 0 && l->more) {
		add_mark(l);
	}
	if (r != 0) {
		/* Nothing was read: the next call reads the same page. */
		l->n = 0;
		l->more = true;
	} else if (!listing_count(l)) {
		listing_drop_page(l);
		l->more = true;
		return account_full(c);
	}
	return r < 0 ? call_adopt(c, &l->page_call) : r;
}
