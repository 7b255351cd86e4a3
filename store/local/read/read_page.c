/*
 * read_page - the last stage of a read: visit a run of keys, filter, project, fill the page
 *
 * plan.c makes the run; the front end uses the page as it is. This is the hot path of Query and Scan. If the front end
 * wants text (page_spec.text), a record is converted directly from the cursor to the text. Otherwise it is copied once,
 * into the call's arena, and decoded there. Items are filtered in a scratch arena, so rejected ones take no memory.
 */
#include "store/local/read/read_page.h"

#include <assert.h>

#include "store/expr/expr.h"
#include "store/local/meter/capacity.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

void
page_open_at(struct page_reader *r, struct local *l, const struct page_spec *spec,
	     struct kv_snapshot *at)
{
	*r = (struct page_reader){.spec = *spec, .local = l, .at = at, .borrowed = true};
	r->cursor = spec->once ? kv_cursor_once(l->kv, at) : kv_cursor_new(l->kv, at);
	call_open(&r->scratch, 0, SIZE_MAX);
	r->page.in_text = spec->text.out != NULL;
}

void
page_open(struct page_reader *r, struct local *l, const struct page_spec *spec)
{
	struct kv_snapshot *at =
		spec->view == NULL ? l->kv->ops->snapshot_new(l->kv) : spec->view->snapshot;

	page_open_at(r, l, spec, at);
	r->borrowed = spec->view != NULL;
}

void
page_close(struct page_reader *r)
{
	call_close(&r->scratch);
	kv_cursor_free(r->cursor);
	if (!r->borrowed) {
		r->local->kv->ops->snapshot_free(r->local->kv, r->at);
	}
}

static void
before_item(struct page_reader *r)
{
	const struct page_text *t = &r->spec.text;

	if (r->page.count > 0) {
		buf_slice(t->out, t->between);
	}
	buf_slice(t->out, t->before);
}

static void
read_page_keep(struct page_reader *r, struct call *c, const struct item *it)
{
	const struct page_text *t = &r->spec.text;

	if (t->out != NULL) {
		before_item(r);
		item_put_json(t->out, it, t->form);
		buf_slice(t->out, t->after);
		return;
	}
	r->page.items = arena_room(&c->arena, r->page.items, r->page.count, &r->cap);
	r->page.items[r->page.count] = *it;
}

/* Read the record in the table for the index entry at the cursor. */
static int
read_page_fetch(struct page_reader *r, struct call *c, const struct plan *p, struct slice *record)
{
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};

	assert(p->ix != NULL);
	int status = keyspace_parse_item(c, p->schema, p->ix, kv_cursor_key(r->cursor), &values);

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

/* Replace the entry's record by the item's. The bytes of the entry are counted. */
static int
reach_back(struct page_reader *r, struct call *c, const struct plan *p, struct slice *record)
{
	size_t bytes;
	int status = record_measure(c, *record, &bytes);

	if (status < 0) {
		return status;
	}
	r->sum.bytes += bytes;
	return read_page_fetch(r, c, p, record);
}

/* Decode one item in the memory of @c, and count its bytes; @record is borrowed. */
static int
read_page_load(struct page_reader *r, struct call *c, struct slice record, struct item *out)
{
	size_t bytes;
	int status = record_decode_sized(c, record, NULL, out, &bytes);

	if (status < 0) {
		return status;
	}
	r->sum.bytes += bytes;
	if (r->spec.fetch) {
		r->sum.fetched += bytes;
		r->sum.fetch_blocks += capacity_blocks(bytes);
	}
	return 0;
}

/* The requested attributes of the item. */
static struct item
read_page_project(struct page_reader *r, struct call *c, const struct plan *p,
		  const struct item *it)
{
	if (r->spec.projection != NULL) {
		return expr_project(c, r->spec.projection, it);
	}
	if (r->spec.fetch && !r->spec.whole) {
		return item_project(&c->arena, p->schema, p->ix, it);
	}
	return *it;
}

static void
read_page_answer(struct page_reader *r, struct call *c, const struct plan *p, const struct item *it)
{
	struct item wanted = read_page_project(r, c, p, it);

	read_page_keep(r, c, &wanted);
}

/*
 * Evaluate the filter in scratch memory.
 * @record: replaced by the item's, if its entry does not hold enough
 * @yes:    set if the item passes
 */
static int
passes(struct page_reader *r, struct call *c, const struct plan *p, struct slice *record, bool *yes)
{
	struct call *own = &r->scratch;
	bool of_entry = r->spec.fetch && r->spec.filters_entries;
	struct item it;
	int status = 0;

	call_clear(own);
	if (of_entry) {
		status = record_decode(own, *record, NULL, &it);
		*yes = status == 0 && expr_eval(own, r->spec.filter, &it);
	}
	if (status == 0 && r->spec.fetch) {
		status = reach_back(r, own, p, record);
	}
	if (status == 0) {
		status = read_page_load(r, own, *record, &it);
	}
	if (status < 0) {
		return call_fail(c, own->error.code, "%s", own->error.message);
	}
	if (!of_entry) {
		*yes = expr_eval(own, r->spec.filter, &it);
	}
	return 0;
}

/* Whether the record is returned unchanged as text, so that no item must be built. */
static bool
read_page_is_text(const struct page_reader *r)
{
	return r->spec.text.out != NULL && r->spec.projection == NULL && !r->spec.fetch;
}

static int
write_text(struct page_reader *r, struct call *c, struct slice record, size_t *bytes)
{
	const struct page_text *t = &r->spec.text;
	struct call *own = &r->scratch;

	call_clear(own);
	before_item(r);
	int status = record_put_json(own, record, t->form, t->out, bytes);

	buf_slice(t->out, t->after);
	return status < 0 ? call_fail(c, own->error.code, "%s", own->error.message) : 0;
}

/* Add an item that has passed the filter; its bytes are already counted. */
static int
answer_record(struct page_reader *r, struct call *c, const struct plan *p, struct slice record)
{
	struct item it;
	size_t bytes;

	if (read_page_is_text(r)) {
		return write_text(r, c, record, &bytes);
	}
	int status = record_decode(c, slice_copy(&c->arena, record), NULL, &it);

	if (status == 0) {
		read_page_answer(r, c, p, &it);
	}
	return status;
}

static int
examine_filtered(struct page_reader *r, struct call *c, const struct plan *p, struct slice record)
{
	bool yes = false;
	int status = passes(r, c, p, &record, &yes);

	if (status == 0 && yes && !r->spec.count) {
		status = answer_record(r, c, p, record);
	}
	r->page.count += status == 0 && yes;
	return status;
}

/* Count an item or write it as text, without building it. */
static int
read_page_pass_on(struct page_reader *r, struct call *c, struct slice record)
{
	size_t bytes;
	int status = r->spec.count ? record_measure(c, record, &bytes)
				   : write_text(r, c, record, &bytes);

	if (status == 0) {
		r->sum.bytes += bytes;
		r->page.count++;
	}
	return status;
}

static int
take_one(struct page_reader *r, struct call *c, const struct plan *p, struct slice record)
{
	struct item it;
	int status = 0;

	if (r->spec.fetch) {
		status = reach_back(r, c, p, &record);
	} else {
		record = slice_copy(&c->arena, record);
	}
	if (status == 0) {
		status = read_page_load(r, c, record, &it);
	}
	if (status < 0) {
		return status;
	}
	read_page_answer(r, c, p, &it);
	r->page.count++;
	return 0;
}

void
page_clear(struct page_reader *r)
{
	r->page = (struct page){0};
	r->cap = 0;
}

int
page_examine(struct page_reader *r, struct call *c, const struct plan *p)
{
	struct slice record = kv_cursor_value(r->cursor);

	r->page.scanned++;
	if (r->spec.filter != NULL) {
		return examine_filtered(r, c, p, record);
	}
	return r->spec.count || read_page_is_text(r) ? read_page_pass_on(r, c, record)
						     : take_one(r, c, p, record);
}

/* A page of exactly 1 MB is full, as in DynamoDB Local. */
static bool
read_page_is_full(const struct page_reader *r)
{
	return r->page.scanned == r->spec.limit || r->sum.bytes >= LIMIT_PAGE_BYTES;
}

/* Set LastEvaluatedKey: the key of the last item examined.  Return: PAGE_FULL, < 0 */
static int
set_last(struct page_reader *r, struct call *c, const struct plan *p)
{
	struct value at[KEY_VALUES_MAX];
	struct values values = {at, 0};
	struct slice key = slice_copy(&c->arena, kv_cursor_key(r->cursor));
	int status = keyspace_parse_item(c, p->schema, p->ix, key, &values);

	if (status < 0) {
		return status;
	}
	r->page.last = key_to_item(c, p->schema, p->ix, &values);
	return PAGE_FULL;
}

bool
page_at(struct page_reader *r, const struct plan *p)
{
	struct kv_cursor *cur = r->cursor;

	if (!kv_cursor_valid(cur)) {
		return false;
	}
	struct slice key = kv_cursor_key(cur);

	return p->backward ? slice_cmp(key, p->lo) >= 0 : slice_cmp(key, p->hi) < 0;
}

void
page_seek(struct page_reader *r, const struct plan *p)
{
	if (p->backward) {
		kv_cursor_seek_before(r->cursor, p->hi);
	} else {
		kv_cursor_seek(r->cursor, p->lo);
	}
}

void
page_step(struct page_reader *r, const struct plan *p)
{
	if (p->backward) {
		kv_cursor_prev(r->cursor);
	} else {
		kv_cursor_next(r->cursor);
	}
}

int
page_status(struct page_reader *r, struct call *c)
{
	return kv_cursor_status(r->cursor, c);
}

int
page_run(struct page_reader *r, struct call *c, const struct plan *p)
{
	int status = 0;

	for (page_seek(r, p); page_at(r, p); page_step(r, p)) {
		status = page_examine(r, c, p);
		if (status == 0 && read_page_is_full(r)) {
			status = set_last(r, c, p);
		}
		if (status != 0) {
			break;
		}
	}
	status = kv_cursor_end(r->cursor, c, status);
	return status == 0 ? PAGE_END : status;
}
