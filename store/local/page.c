/*
 * page - stage 5 of a read: range, filter, project, page
 *
 * Before it: plan.c.  After it: the answer goes to the door as it is.
 * The hot path of Query and Scan: a record is copied once, out of the cursor
 * into the call's arena, and decoded in place.  What a filter refuses is decoded in
 * a scratch arena and leaves nothing behind.
 */
#include "store/local/page.h"

#include "store/local/capacity.h"
#include "store/local/key.h"
#include "store/local/record.h"
#include "store/model/limits.h"

void
page_open(struct page_reader *r, struct local *l, const struct page_spec *spec)
{
	*r = (struct page_reader){.spec = *spec, .local = l};
	r->at = l->kv->ops->snapshot_new(l->kv);
	r->cursor = kv_cursor_new(l->kv, r->at);
	call_open(&r->scratch, 0, SIZE_MAX);
}

void
page_close(struct page_reader *r)
{
	call_close(&r->scratch);
	kv_cursor_free(r->cursor);
	r->local->kv->ops->snapshot_free(r->local->kv, r->at);
}

static void
keep(struct page_reader *r, struct call *c, const struct item *it)
{
	r->page.items = arena_room(&c->arena, r->page.items, r->page.count, &r->cap);
	r->page.items[r->page.count] = *it;
}

/* The record in the table that the entry at the cursor stands for. */
static int
fetch(struct page_reader *r, struct call *c, const struct plan *p, struct slice *record)
{
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};
	int status =
		keyspace_parse_item(c, p->schema, p->ix, r->cursor->ops->key(r->cursor), &values);

	if (status < 0) {
		return status;
	}
	size_t own = key_schema_n(&p->ix->key);
	struct key_values k = key_values_of(at + own, values.n - own);
	struct buf key;
	struct buf value;

	buf_init(&key, &c->arena);
	buf_init(&value, &c->arena);
	keyspace_item(&key, p->schema, NULL, &k);
	status = kv_get(r->local->kv, c, r->at, buf_view(&key), &value);
	if (status == KV_ABSENT) {
		return call_fail(c, ERR_CORRUPT,
				 "The store is damaged: an entry of index %.*s has no item",
				 SLICE_ARG(p->ix->name));
	}
	*record = buf_view(&value);
	return status;
}

/* Decode one item in @c's memory; @record is borrowed. */
static int
load(struct page_reader *r, struct call *c, const struct plan *p, struct slice record,
     struct item *out)
{
	size_t entry_bytes = 0;
	size_t item_bytes;
	int status;

	if (r->spec.fetch) {
		status = record_measure(c, record, &entry_bytes);
		if (status == 0) {
			status = fetch(r, c, p, &record);
		}
		if (status < 0) {
			return status;
		}
	}
	status = record_decode_sized(c, record, NULL, out, &item_bytes);
	if (status < 0) {
		return status;
	}
	r->sum.bytes += entry_bytes + item_bytes;
	if (r->spec.fetch) {
		r->sum.fetched += item_bytes;
		r->sum.fetch_blocks += capacity_blocks(item_bytes);
	}
	return 0;
}

/* The parts of the item that are asked for. */
static struct item
project(struct page_reader *r, struct call *c, const struct plan *p, const struct item *it)
{
	if (r->spec.projection != NULL) {
		return expr_project(c, r->spec.projection, it);
	}
	if (r->spec.fetch && !r->spec.whole) {
		return item_project(&c->arena, p->schema, p->ix, it);
	}
	return *it;
}

/* Does the filter keep the item at the cursor? */
static int
passes(struct page_reader *r, struct call *c, const struct plan *p, struct slice record, bool *yes)
{
	struct item it;

	call_clear(&r->scratch);

	int status = load(r, &r->scratch, p, record, &it);

	if (status < 0) {
		return call_fail(c, r->scratch.error.code, "%s", r->scratch.error.message);
	}
	*yes = expr_eval(&r->scratch, r->spec.filter, &it);
	return 0;
}

/* Examine the item at the cursor. */
static int
examine(struct page_reader *r, struct call *c, const struct plan *p)
{
	struct slice record = r->cursor->ops->value(r->cursor);
	size_t bytes;
	int status;

	r->page.scanned++;
	if (r->spec.filter != NULL) {
		bool yes = false;

		status = passes(r, c, p, record, &yes);
		if (status < 0 || !yes) {
			return status;
		}
	}
	if (r->spec.count) {
		if (r->spec.filter == NULL) {
			status = record_measure(c, record, &bytes);
			if (status < 0) {
				return status;
			}
			r->sum.bytes += bytes;
		}
		r->page.count++;
		return 0;
	}
	struct page_sum sum = r->sum;
	struct item it;

	status = load(r, c, p, slice_copy(&c->arena, record), &it);
	if (status < 0) {
		return status;
	}
	if (r->spec.filter != NULL) {
		r->sum = sum; /* it was counted when the filter looked at it */
	}
	it = project(r, c, p, &it);
	keep(r, c, &it);
	r->page.count++;
	return 0;
}

static bool
is_full(const struct page_reader *r)
{
	return r->page.scanned == r->spec.limit || r->sum.bytes > LIMIT_PAGE_BYTES;
}

/* LastEvaluatedKey: the place of the last item examined. */
static int
set_last(struct page_reader *r, struct call *c, const struct plan *p)
{
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};
	struct slice key = slice_copy(&c->arena, r->cursor->ops->key(r->cursor));
	int status = keyspace_parse_item(c, p->schema, p->ix, key, &values);

	if (status < 0) {
		return status;
	}
	r->page.last = key_to_item(c, p->schema, p->ix, &values);
	return PAGE_FULL;
}

static bool
in_run(struct kv_cursor *cur, const struct plan *p)
{
	if (!cur->ops->valid(cur)) {
		return false;
	}
	struct slice key = cur->ops->key(cur);

	return p->backward ? slice_cmp(key, p->lo) >= 0 : slice_cmp(key, p->hi) < 0;
}

int
page_run(struct page_reader *r, struct call *c, const struct plan *p)
{
	struct kv_cursor *cur = r->cursor;
	void (*step)(struct kv_cursor *) = p->backward ? cur->ops->prev : cur->ops->next;

	if (p->backward) {
		cur->ops->seek_before(cur, p->hi);
	} else {
		cur->ops->seek(cur, p->lo);
	}
	for (; in_run(cur, p); step(cur)) {
		int status = examine(r, c, p);

		if (status < 0) {
			return status;
		}
		if (is_full(r)) {
			return set_last(r, c, p);
		}
	}
	int status = cur->ops->status(cur, c);

	return status < 0 ? status : PAGE_END;
}
