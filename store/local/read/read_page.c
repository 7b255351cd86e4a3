/*
 * read_page - the last stage of a read: visit a run of keys, filter, project, fill the page
 *
 * plan.c makes the run; the front end uses the page as it is. This is the hot path of Query and Scan. If the front end
 * wants text (page_spec.text), a record is converted directly from the cursor to the text. Otherwise it is copied once,
 * into the call's arena, and decoded there. Rejected items give their memory back.
 */
#include "store/local/read/read_page.h"

#include "store/expr/expr.h"
#include "store/local/meter/capacity.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

void
page_open(struct page_reader *r, struct local *l, const struct page_spec *spec)
{
	*r = (struct page_reader){.spec = *spec, .local = l};
	r->at = spec->view == NULL ? l->kv->ops->snapshot_new(l->kv) : spec->view->snapshot;
	r->cursor = spec->once ? kv_cursor_once(l->kv, r->at) : kv_cursor_new(l->kv, r->at);
	call_open(&r->scratch, 0, SIZE_MAX);
	r->page.in_text = spec->text.out != NULL;
}

void
page_close(struct page_reader *r)
{
	call_close(&r->scratch);
	kv_cursor_free(r->cursor);
	if (r->spec.view == NULL) {
		r->local->kv->ops->snapshot_free(r->local->kv, r->at);
	}
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
	struct buf value = {.arena = &c->arena};

	status = kv_get(r->local->kv, c, r->at, keyspace_item(&c->arena, p->schema, NULL, &k),
			&value);
	if (status == KV_ABSENT) {
		return call_fail(c, ERR_CORRUPT,
				 "The store is damaged: an entry of index %.*s has no item",
				 SLICE_ARG(p->ix->name));
	}
	*record = buf_view(&value);
	return status;
}

/*
 * Decode the item at the cursor in the memory of @c, and count its bytes; with spec.fetch also those of its entry.
 * @record: at the cursor, or a copy that lives as long as @out
 * @passes: set to the result of the filter
 */
static int
read_page_item(struct page_reader *r, struct call *c, const struct plan *p, struct slice record,
	       struct item *out, bool *passes)
{
	size_t bytes;
	int status = record_decode_sized(c, record, NULL, out, &bytes);

	if (status < 0) {
		return status;
	}
	r->sum.bytes += bytes;
	if (!r->spec.fetch || r->spec.filters_entries) {
		*passes = expr_eval(c, r->spec.filter, out);
	}
	if (!r->spec.fetch) {
		return 0;
	}
	status = read_page_fetch(r, c, p, &record);
	if (status == 0) {
		status = record_decode_sized(c, record, NULL, out, &bytes);
	}
	if (status < 0) {
		return status;
	}
	r->sum.bytes += bytes;
	r->sum.fetched += bytes;
	r->sum.fetch_blocks += capacity_blocks(bytes);
	if (!r->spec.filters_entries) {
		*passes = expr_eval(c, r->spec.filter, out);
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
before_item(struct page_reader *r)
{
	const struct page_text *t = &r->spec.text;

	if (r->page.count > 0) {
		buf_slice(t->out, t->between);
	}
	buf_slice(t->out, t->before);
}

/* Add an item that has passed the filter; its bytes are already counted. */
static void
read_page_keep(struct page_reader *r, struct call *c, const struct plan *p, const struct item *it)
{
	const struct page_text *t = &r->spec.text;
	struct item wanted = read_page_project(r, c, p, it);

	if (t->out != NULL) {
		before_item(r);
		item_put_json(t->out, &wanted, t->form);
		buf_slice(t->out, t->after);
		return;
	}
	r->page.items = arena_room(&c->arena, r->page.items, r->page.count, &r->cap);
	r->page.items[r->page.count] = wanted;
}

/* Count an item or write it as text, without building it. */
static int
read_page_pass_on(struct page_reader *r, struct call *c, struct slice record)
{
	const struct page_text *t = &r->spec.text;
	size_t bytes = 0;
	int status;

	if (r->spec.count) {
		status = record_measure(c, record, &bytes);
	} else {
		before_item(r);
		status = record_put_json(c, record, t->form, t->out, &bytes);
		buf_slice(t->out, t->after);
	}
	r->sum.bytes += bytes;
	return status;
}

void
page_clear(struct page_reader *r)
{
	r->page = (struct page){0};
	r->cap = 0;
}

/* A text may grow in the memory of @c, so an item that becomes text is decoded in other memory. */
int
page_examine(struct page_reader *r, struct call *c, const struct plan *p)
{
	const struct page_spec *spec = &r->spec;
	bool text = spec->text.out != NULL;
	bool unbuilt = spec->filter == NULL &&
		       (spec->count || (text && spec->projection == NULL && !spec->fetch));
	struct call *own = text || spec->count ? &r->scratch : c;
	struct arena_mark before = arena_mark(&c->arena);
	struct slice record = kv_cursor_value(r->cursor);
	bool passes = true;
	struct item it;
	int status;

	r->page.scanned++;
	if (own != c) {
		call_clear(own);
	} else if (!spec->fetch) {
		record = slice_copy(&c->arena, record);
	}
	status = unbuilt ? read_page_pass_on(r, own, record)
			 : read_page_item(r, own, p, record, &it, &passes);
	if (status < 0) {
		return own == c ? status : call_adopt(c, own);
	}
	if (!passes) {
		arena_reset(&c->arena, before);
		return 0;
	}
	if (!unbuilt && !spec->count) {
		read_page_keep(r, own, p, &it);
	}
	r->page.count++;
	return 0;
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

/* A page of exactly 1 MB is full, as in DynamoDB Local. */
int
page_run(struct page_reader *r, struct call *c, const struct plan *p)
{
	int status = 0;

	for (page_seek(r, p); page_at(r, p); page_step(r, p)) {
		status = page_examine(r, c, p);
		if (status == 0 &&
		    (r->page.scanned == r->spec.limit || r->sum.bytes >= LIMIT_PAGE_BYTES)) {
			status = set_last(r, c, p);
		}
		if (status != 0) {
			break;
		}
	}
	status = kv_cursor_end(r->cursor, c, status);
	return status == 0 ? PAGE_END : status;
}
