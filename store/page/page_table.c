/*
 * page_table - the page of item collections of a table or index
 *
 * With a partition key the request is a Query, otherwise a Scan; both may have a filter. The number of requests for a
 * page is limited, because a filter may match few items.
 */
#include "store/base/core/escape.h"
#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/expr/inline.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"
#include "store/op/op.h"
#include "store/page/page.h"
#include "store/page/page_html.h"
#include "store/page/page_key.h"
#include "store/page/picture.h"

enum {
	PAGE_ROWS = 100,                /* items of a page, at most; also the limit of a request */
	PAGE_STEPS = 200,               /* requests for a page, at most */
	STEP_BUDGET = 16 * 1024 * 1024, /* bytes of memory for each request */
};

/* A page in progress. */
struct shown {
	const struct page_request *rq;
	const struct table_info *table;
	const struct index *index; /* NULL: the table itself */
	struct inline_request expressions;
	struct inline_text filter;
	struct op_in in;
	struct picture picture;
	uint64_t rows;    /* number of items of the page, at most */
	size_t examined;  /* number of items that the filter was applied to */
	struct item next; /* start key of the next page; n = 0: there is none */
};

/* ------------------------------------------------------------ the request */

static const struct key_schema *
page_key(const struct shown *p)
{
	return schema_key(p->table->schema, p->index);
}

static int
page_choose_index(struct call *c, struct shown *p)
{
	const struct schema *s = p->table->schema;
	struct slice name = page_argument(p->rq, "index");

	if (name.len > 0) {
		p->index = schema_view(s, name);
	}
	return name.len > 0 && p->index == NULL
		       ? call_fail(c, ERR_NO_INDEX,
				   "The table %.*s has no index %.*s that is complete",
				   SLICE_ARG(s->table), SLICE_ARG(name))
		       : 0;
}

static int
page_add_start(struct call *c, struct shown *p, struct read_in *read)
{
	const struct json *json = NULL;
	int r = json_parse(c, page_argument(p->rq, "from"), JSON_STRICT, &json);

	read->has_start = true;
	return r < 0 ? r : item_from_typed_json(c, json, &read->start);
}

/* Set p->rows from limit=N; a greater number than PAGE_ROWS is reduced to it. */
static int
page_limit(struct call *c, struct shown *p)
{
	struct slice text = page_argument(p->rq, "limit");
	uint64_t n = 0;

	if (text.len > 0 && !ascii_count(text, &n)) {
		n = 0;
	}
	p->rows = text.len == 0 || n > PAGE_ROWS ? PAGE_ROWS : n;
	return p->rows > 0
		       ? 0
		       : call_fail(
				 c, ERR_VALIDATION,
				 "Items per page: expected a whole number, 1 or more, found \"%.*s\"",
				 SLICE_ARG(text));
}

static int
page_request(struct call *c, struct shown *p)
{
	struct slice condition;
	int r = page_key_condition(c, p->rq, page_key(p), &p->expressions, &condition);
	struct slice filter = page_argument(p->rq, "filter");

	p->in.type = condition.len > 0 ? OP_QUERY : OP_SCAN;
	if (condition.len > 0) {
		p->in.query.key_condition = condition;
		p->in.query.backward = slice_is(page_argument(p->rq, "order"), "desc");
	}
	struct read_in *read = op_read(&p->in);

	read->table = p->table->schema->table;
	read->index = p->index == NULL ? SLICE("") : p->index->name;
	read->has_limit = true;
	r = r < 0 ? r : page_limit(c, p);
	if (r == 0 && filter.len > 0) {
		r = inline_expression(c, &p->expressions, filter, &p->filter);
		read->filter = p->filter.text;
	}
	if (r == 0 && page_argument(p->rq, "from").len > 0) {
		r = page_add_start(c, p, read);
	}
	read->ph = p->expressions.ph;
	return r;
}

/* ------------------------------------------------------------ items */

/* Report the failure of a request, with the text that the user typed instead of placeholders. */
static int
page_fail(struct call *c, const struct shown *p, const struct error *e)
{
	struct slice filter = page_argument(p->rq, "filter");
	struct buf message;
	size_t place = e->place;

	buf_init(&message, &c->arena);
	inline_say(&p->expressions, &filter, 1, e->message, &message);
	int r = call_fail(c, e->code, "%.*s", SLICE_ARG(buf_view(&message)));

	if (place > 0 && place <= p->filter.text.len + 1) {
		c->error.place = p->filter.offset[place - 1] + 1;
	}
	return r;
}

static int
page_table_page_step(struct call *c, struct call *step, struct engine *e, struct shown *p)
{
	struct op_out out = {.type = p->in.type};

	assert(p->picture.n < p->rows);
	op_read(&p->in)->limit = (uint32_t)(p->rows - p->picture.n);
	int r = engine_execute(e, step, &p->in, &out);

	if (r < 0) {
		return page_fail(c, p, &step->error);
	}
	const struct page *page = op_page(&p->in, &out);

	for (size_t i = 0; i < page->count; i++) {
		(void)picture_add(&p->picture, &page->items[i]);
	}
	p->examined += page->scanned;
	p->next = item_copy(&c->arena, &page->last);
	op_read(&p->in)->start = p->next;
	op_read(&p->in)->has_start = p->next.n > 0;
	return 0;
}

static int
page_fill(struct call *c, struct engine *e, struct shown *p)
{
	int r = 0;
	bool more = true;

	for (int i = 0; r == 0 && more && i < PAGE_STEPS; i++) {
		struct call step;

		call_open(&step, c->now_ms, STEP_BUDGET);
		r = page_table_page_step(c, &step, e, p);
		call_close(&step);
		more = p->next.n > 0 && p->picture.n < p->rows;
	}
	picture_end(&p->picture);
	return r;
}

/* ------------------------------------------------------------ header, form and links */

static void
page_put_facts(struct buf *out, const struct table_info *t)
{
	const struct schema *s = t->schema;

	buf_str(out, "<p>");
	page_count(out, t->totals.items, "item");
	buf_str(out, " in ");
	page_count(out, t->totals.partitions, "collection");
	buf_str(out, ", ");
	page_bytes(out, t->totals.bytes);
	if (s->ttl.len > 0) {
		buf_str(out, ", time to live in ");
		page_text(out, s->ttl);
	}
	if (s->stream.view != STREAM_NONE) {
		buf_fmt(out, ", a stream of %s: ", stream_view_name(s->stream.view));
		page_link_begin(out, s->table);
		page_link_arg(out, SLICE("changes"), SLICE("now"));
		page_link_end(out, SLICE("live changes"));
	}
	buf_str(out, "</p>\n</header>\n");
}

static void
page_put_tab(struct buf *out, const struct schema *s, const struct index *ix, bool on, bool kinds)
{
	page_link_begin(out, s->table);
	page_link_arg(out, SLICE("index"), ix == NULL ? SLICE("") : ix->name);
	page_link_arg(out, SLICE("shapes"), kinds ? SLICE("1") : SLICE(""));
	page_link_mark(out, on);
	buf_slice(out, ix == NULL ? SLICE("Table") : ix->name);
	buf_str(out, "<small>");
	page_keys(out, schema_key(s, ix));
	buf_str(out, "</small></a>\n");
}

void
page_table_head(struct buf *out, const struct table_info *table, const struct index *index,
		bool kinds)
{
	const struct schema *s = table->schema;

	page_put_facts(out, table);
	buf_str(out, "<nav class=\"tabs\">\n");
	page_put_tab(out, s, NULL, index == NULL, kinds);
	for (size_t i = 0; i < s->n_index; i++) {
		if (schema_view(s, s->index[i].name) != NULL) {
			page_put_tab(out, s, &s->index[i], &s->index[i] == index, kinds);
		}
	}
	buf_str(out, "</nav>\n<nav class=\"views\">");
	for (int view = 0; view < 2; view++) {
		page_link_begin(out, s->table);
		page_link_arg(out, SLICE("index"), index == NULL ? SLICE("") : index->name);
		page_link_arg(out, SLICE("shapes"), view == 1 ? SLICE("1") : SLICE(""));
		page_link_mark(out, (view == 1) == kinds);
		buf_str(out, view == 1 ? "kinds of items</a>" : "items</a>\n");
	}
	buf_str(out, "</nav>\n");
}

static void
page_put_form(struct buf *out, const struct shown *p)
{
	const struct schema *s = p->table->schema;

	buf_str(out, "<form>\n");
	if (p->index != NULL) {
		buf_fmt(out, "<input type=\"hidden\" name=\"index\" value=\"%.*s\">\n",
			SLICE_ARG(p->index->name));
	}
	page_key_fields(out, p->rq, page_key(p));
	buf_str(out, "<label class=\"wide\">Filter<input name=\"filter\" value=\"");
	escape_markup(out, page_argument(p->rq, "filter"));
	buf_str(out,
		"\" placeholder=\"Status = &#39;SHIPPED&#39; AND size(Lines) &gt; 2\" "
		"autocomplete=\"off\" spellcheck=\"false\"></label>\n<label>Items per page<input class=\"few\" "
		"name=\"limit\" inputmode=\"numeric\" placeholder=\"100\" value=\"");
	escape_markup(out, page_argument(p->rq, "limit"));
	buf_str(out, "\"></label>\n<div class=\"send\">"
		     "<button>Show</button> ");
	page_link_begin(out, s->table);
	page_link_arg(out, SLICE("index"), p->index == NULL ? SLICE("") : p->index->name);
	page_link_end(out, SLICE("all items"));
	buf_str(out, "</div>\n</form>\n");
}

/* Append a link to another page of the same request. */
static void
page_put_turn(struct buf *out, const struct shown *p, struct slice from, const char *text)
{
	page_link_begin(out, p->table->schema->table);
	for (size_t i = 0; i < p->rq->n; i++) {
		if (!slice_is(p->rq->at[i].name, "from")) {
			page_link_arg(out, p->rq->at[i].name, p->rq->at[i].value);
		}
	}
	page_link_arg(out, SLICE("from"), from);
	page_link_end(out, slice_from(text));
	buf_char(out, '\n');
}

static void
page_put_turns(struct call *c, struct buf *out, const struct shown *p)
{
	struct buf from;

	buf_init(&from, &c->arena);
	buf_str(out, "<footer>\n");
	if (page_argument(p->rq, "from").len > 0) {
		page_put_turn(out, p, SLICE(""), "first page");
	}
	if (p->next.n > 0) {
		item_put_json(&from, &p->next, ITEM_TYPED);
		page_put_turn(out, p, buf_view(&from), "next page");
	}
	if (p->filter.text.len > 0) {
		page_count(out, p->examined, "item");
		buf_str(out, " examined");
	}
	buf_str(out, "</footer>\n");
}

static void
page_put_items(struct call *c, struct buf *out, const struct shown *p)
{
	if (p->picture.n > 0) {
		(void)picture_section(out, &p->picture, 0, NULL, NULL);
	} else {
		buf_fmt(out, "<p class=\"empty\">%s</p>\n",
			p->next.n > 0            ? "Nothing so far: see the next page."
			: p->filter.text.len > 0 ? "No item matches the filter."
			: p->in.type == OP_QUERY ? "No item has this key."
						 : "There are no items here.");
	}
	page_put_turns(c, out, p);
}

/* Append the items of @p, or the error of the call if @r < 0. */
static void
page_put_answer(struct call *c, struct buf *out, const struct shown *p, int r)
{
	if (r < 0) {
		page_error(out, c->error.message, page_argument(p->rq, "filter"), c->error.place);
	} else {
		page_put_items(c, out, p);
	}
}

static int
page_read_items(struct call *c, struct engine *e, struct shown *p)
{
	int r = page_choose_index(c, p);

	picture_begin(&p->picture, &c->arena, p->table->schema, p->index);
	r = r < 0 ? r : page_request(c, p);
	return r < 0 ? r : page_fill(c, e, p);
}

void
page_table_items(struct call *c, struct engine *e, const struct page_request *rq,
		 const struct table_info *table, struct buf *out)
{
	struct shown p = {.rq = rq, .table = table};

	page_put_answer(c, out, &p, page_read_items(c, e, &p));
	c->error = (struct error){0};
}

unsigned
page_table(struct call *c, struct engine *e, const struct page_request *rq,
	   const struct table_info *table, struct buf *out)
{
	struct shown p = {.rq = rq, .table = table};
	int r = page_read_items(c, e, &p);

	page_head(out, table->schema->table, NULL);
	page_table_head(out, table, p.index, false);
	page_put_form(out, &p);
	page_put_answer(c, out, &p, r);
	return page_foot(out, &c->error);
}
