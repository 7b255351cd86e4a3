/* rows - see rows.h */
#include "fs/place/rows.h"

#include "store/engine/merged.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/shard_order.h"
#include "store/model/value.h"
#include "store/op/op.h"

#include "fs/core/loop.h"
#include "fs/place/path_query.h"
#include "fs/place/place.h"

enum { PAGE_ENTRIES = 1024 };

struct rows {
	struct mount *m;
	const struct place *place;
	struct call keep; /* memory of the requests */
	struct query query;
	struct merged *merged;
	uint64_t left; /* entries that may still follow */
};

int
rows_open(struct mount *m, struct call *c, const struct place *p, struct view *view,
	  const struct item *after, uint64_t left, struct rows **out)
{
	struct rows *r = mem_new(struct rows);
	struct shard_order order = shard_order(p->schema, place_key(p));

	r->m = m;
	r->place = p;
	r->left = left == 0 ? UINT64_MAX : left;
	call_open(&r->keep, c->now_ms, SIZE_MAX);
	int status = query_make(m, &r->keep, p, QUERY_KEYS, &r->query);

	if (status != 0) {
		if (status < 0) {
			status = call_adopt(c, &r->keep);
		}
		rows_close(r);
		return status;
	}
	for (size_t i = 0; i < r->query.n; i++) {
		struct read_in *read = op_read(&r->query.requests[i]);

		read->view = view;
		if (after != NULL) {
			read->start = item_copy(&r->keep.arena, after);
		}
	}
	r->merged = merged_open(&(struct merged_in){.engine = m->engine,
						    .requests = r->query.requests,
						    .n = r->query.n,
						    .order = &order,
						    .backward = p->clauses.reverse,
						    .most = left,
						    .page = PAGE_ENTRIES,
						    .now_ms = c->now_ms});
	*out = r;
	return 0;
}

void
rows_close(struct rows *r)
{
	if (r == NULL) {
		return;
	}
	merged_close(r->merged);
	call_close(&r->keep);
	free(r);
}

size_t
rows_bytes(const struct rows *r)
{
	return r == NULL ? 0 : sizeof(*r) + r->keep.arena.used + merged_bytes(r->merged);
}

/* Read pages until the next entry is known. */
static int
search(struct rows *r, struct call *c, const struct item **out)
{
	int status = MERGED_READ;

	if (r->m->loop != NULL && !loop_search(r->m->loop)) {
		return call_fail(c, ERR_BUSY,
				 "%d queries are already searching for items; try again",
				 LOOP_SEARCHES_MAX);
	}
	while (status == MERGED_READ) {
		status = call_given_up(c) ? PLACE_INTERRUPTED : merged_read(r->merged, c);
		if (status < 0) {
			query_say(c, r->place, &r->query);
		} else if (status == 0) {
			status = merged_next(r->merged, out);
		}
	}
	if (r->m->loop != NULL) {
		loop_found(r->m->loop);
	}
	return status;
}

int
rows_next(struct rows *r, struct call *c, const struct item **out)
{
	if (r->left == 0) {
		return ROWS_END;
	}
	int status = merged_next(r->merged, out);

	if (status == MERGED_READ) {
		status = search(r, c, out);
	}
	if (status == 0) {
		r->left--;
	}
	return status == MERGED_END ? ROWS_END : status;
}

struct entry
rows_entry(struct arena *a, const struct place *p, const struct item *row)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, p->index, attrs);
	struct entry e = {.key = {arena_new(a, struct value, n), n}};

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(row, attrs[i]->name);

		/* An endpoint may return anything; an invalid value becomes an empty name. */
		e.key.at[i] = v != NULL && v->type == attrs[i]->type
				      ? value_copy(a, v)
				      : (struct value){.type = VALUE_S};
	}
	return e;
}
