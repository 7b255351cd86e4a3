/* rows - between a directory's listing and the engine's pages */
#include "fs/rows.h"

#include <stdlib.h>

#include "store/base/mem.h"

#include "fs/loop.h"

/* Entries of a page: of all collections together about the first, of one never more than the second. */
enum { PAGE_ALL = 8192, PAGE_MOST = 1024, PAGE_LEAST = 2 };

/* One collection: a page of it, and where the next one begins. */
struct source {
	struct call calls[2]; /* of the page, and of the next one while it is read */
	unsigned turn;        /* which is the page's */
	struct page page;
	size_t next;    /* entry of the page that comes next */
	bool last;      /* no page follows */
	struct buf key; /* of that entry, to merge by; on the heap */
};

struct rows {
	struct mount *m;
	const struct place *place;
	struct call keep; /* of the requests */
	struct query query;
	struct source *sources; /* one each request */
	struct shard_order order;
	struct merge merge; /* of several sources */
	uint64_t left;      /* entries */
	bool begun;         /* the first entry of every source is known */
	bool moved;         /* but of the winner, which was handed out */
};

static uint32_t
page_size(size_t n, uint64_t left, bool filtered)
{
	size_t share = PAGE_ALL / n;
	uint64_t size = share < PAGE_LEAST ? PAGE_LEAST : share > PAGE_MOST ? PAGE_MOST : share;

	/* What is read beyond the limit is read in vain. */
	return (uint32_t)(!filtered && left < size ? left : size);
}

static bool
is_over(const struct source *s)
{
	return s->next == s->page.count && s->last;
}

/* ------------------------------------------------------------ opening, closing */

int
rows_open(struct mount *m, struct call *c, const struct place *p, struct view *view,
	  const struct item *after, uint64_t left, struct rows **out)
{
	struct rows *r = mem_new(struct rows);

	r->m = m;
	r->place = p;
	r->left = left == 0 ? UINT64_MAX : left;
	r->order = shard_order(p->schema, place_key(p));
	call_open(&r->keep, c->now_ms, SIZE_MAX);
	int status = query_make(&r->keep, p, QUERY_KEYS, &r->query);

	if (status != 0) {
		if (status < 0) {
			status = call_fail(c, (enum err) - status, "%s", r->keep.error.message);
		}
		call_close(&r->keep);
		free(r);
		return status;
	}
	r->sources = mem_array(struct source, r->query.n);
	for (size_t i = 0; i < r->query.n; i++) {
		struct read_in *read = query_read(&r->query.requests[i]);

		read->view = view;
		read->has_limit = true;
		read->limit = page_size(r->query.n, r->left, read->filter.len > 0);
		if (after != NULL) {
			read->start = item_copy(&r->keep.arena, after);
		}
		buf_init(&r->sources[i].key, NULL);
		call_open(&r->sources[i].calls[0], c->now_ms, SIZE_MAX);
		call_open(&r->sources[i].calls[1], c->now_ms, SIZE_MAX);
	}
	*out = r;
	return 0;
}

void
rows_close(struct rows *r)
{
	if (r == NULL) {
		return;
	}
	for (size_t i = 0; i < r->query.n; i++) {
		call_close(&r->sources[i].calls[0]);
		call_close(&r->sources[i].calls[1]);
		buf_release(&r->sources[i].key);
	}
	free(r->sources);
	call_close(&r->keep);
	free(r);
}

/* ------------------------------------------------------------ pages */

/* There may be ten thousand: none keeps what it does not need. */
static void
empty(const struct rows *r, struct call *c)
{
	call_close(c);
	call_open(c, r->keep.now_ms, SIZE_MAX);
}

static int
read_page(struct rows *r, struct call *c, size_t i)
{
	struct source *s = &r->sources[i];
	struct call *next = &s->calls[1 - s->turn];
	struct page page;
	int status = query_page(r->m, next, r->place, &r->query, &r->query.requests[i], &page);

	if (status < 0) {
		status = call_fail(c, (enum err) - status, "%s", next->error.message);
		empty(r, next);
		return status;
	}
	empty(r, &s->calls[s->turn]);
	s->turn = 1 - s->turn;
	s->page = page;
	s->next = 0;
	s->last = page.last.n == 0;
	query_read(&r->query.requests[i])->start = page.last;
	return 0;
}

/* Pages until one has an entry, or the last one. */
static int
search(struct rows *r, struct call *c, size_t i)
{
	const struct source *s = &r->sources[i];
	int status = 0;

	if (r->m->loop != NULL && !loop_search(r->m->loop)) {
		return call_fail(c, ERR_BUSY, "%d queries look for items already",
				 LOOP_SEARCHES_MAX);
	}
	while (status == 0 && s->next == s->page.count && !s->last) {
		status = call_given_up(c) ? PLACE_INTERRUPTED : read_page(r, c, i);
	}
	if (r->m->loop != NULL) {
		loop_found(r->m->loop);
	}
	return status;
}

/* Make the next entry of a source known, on whichever page it is. */
static int
find_next(struct rows *r, struct call *c, size_t i)
{
	struct source *s = &r->sources[i];
	int status = s->next == s->page.count && !s->last ? search(r, c, i) : 0;

	if (status != 0) {
		return status;
	}
	if (is_over(s)) {
		empty(r, &s->calls[s->turn]);
	} else if (r->query.n > 1) {
		size_t at[SHARD_ORDER_MAX] = {0};

		buf_clear(&s->key);
		shard_order_put(&s->key, &r->order, &s->page.items[s->next], at);
	}
	return 0;
}

/* ------------------------------------------------------------ merging */

static bool
before(const void *arg, size_t a, size_t b)
{
	const struct rows *r = arg;
	const struct source *left = &r->sources[a], *right = &r->sources[b];

	if (is_over(left) || is_over(right)) {
		return !is_over(left);
	}
	int order = slice_cmp(buf_view(&left->key), buf_view(&right->key));

	return r->place->clauses.reverse ? order > 0 : order < 0;
}

static int
begin(struct rows *r, struct call *c)
{
	for (size_t i = 0; i < r->query.n; i++) {
		int status = find_next(r, c, i);

		if (status != 0) {
			return status;
		}
	}
	if (r->query.n > 1) {
		merge_init(&r->merge, &r->keep.arena, r->query.n, before, r);
	}
	r->begun = true;
	return 0;
}

static int
move_on(struct rows *r, struct call *c, size_t winner)
{
	int status = find_next(r, c, winner);

	if (status == 0 && r->query.n > 1) {
		merge_replay(&r->merge);
	}
	r->moved = status != 0;
	return status;
}

static size_t
winner_of(const struct rows *r)
{
	return r->query.n > 1 ? merge_winner(&r->merge) : 0;
}

int
rows_next(struct rows *r, struct call *c, const struct item **out)
{
	int status = 0;

	if (r->left == 0) {
		return ROWS_END;
	}
	if (!r->begun) {
		status = begin(r, c);
	} else if (r->moved) {
		status = move_on(r, c, winner_of(r));
	}
	if (status != 0) {
		return status;
	}
	struct source *s = &r->sources[winner_of(r)];

	if (is_over(s)) {
		return ROWS_END;
	}
	*out = &s->page.items[s->next++];
	r->moved = true;
	r->left--;
	return 0;
}

struct entry
rows_entry(struct arena *a, const struct place *p, const struct item *row)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, p->index, attrs);
	struct entry e = {.key = {arena_new(a, struct value, n), n}};

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(row, attrs[i]->name);

		/* A store elsewhere may answer anything; it is then an empty name. */
		e.key.at[i] = v != NULL && v->type == attrs[i]->type
				      ? value_copy(a, v)
				      : (struct value){.type = VALUE_S};
	}
	return e;
}
