/* page - chooses the page for a path; the page of the tables of a store, with their indexes and counts */
#include "store/page/page.h"

#include "store/engine/engine.h"
#include "store/page/page_html.h"

struct slice
page_argument(const struct page_request *rq, const char *name)
{
	for (size_t i = 0; i < rq->n; i++) {
		if (slice_is(rq->at[i].name, name)) {
			return rq->at[i].value;
		}
	}
	return (struct slice){0};
}

/* ------------------------------------------------------------ the tables of a store */

static void
page_put_totals(struct buf *out, const struct totals *t)
{
	buf_fmt(out, "<td class=\"n\">%llu</td><td class=\"n\">%llu</td><td class=\"n\">",
		(unsigned long long)t->partitions, (unsigned long long)t->items);
	page_bytes(out, t->bytes);
	buf_str(out, "</td>");
}

static void
page_put_index(struct buf *out, const struct table_info *t, size_t i)
{
	const struct index *ix = &t->schema->index[i];

	buf_str(out, "<tr><td class=\"in\">");
	page_link_begin(out, t->schema->table);
	page_link_arg(out, SLICE("index"), ix->name);
	page_link_end(out, ix->name);
	buf_str(out, ix->global ? " GSI" : " LSI");
	buf_str(out, ix->state == INDEX_ACTIVE ? "</td><td>" : ", being changed</td><td>");
	page_keys(out, &ix->key);
	buf_str(out, "</td>");
	page_put_totals(out, &t->index_totals[i]);
	buf_str(out, "<td></td></tr>\n");
}

static void
page_put_table(struct buf *out, const struct table_info *t)
{
	const struct schema *s = t->schema;

	buf_str(out, "<tr><td>");
	page_link_begin(out, s->table);
	page_link_end(out, s->table);
	buf_str(out, t->status == TABLE_ACTIVE ? "</td><td>" : ", being changed</td><td>");
	page_keys(out, &s->key);
	buf_str(out, "</td>");
	page_put_totals(out, &t->totals);
	buf_str(out, "<td>");
	if (s->stream.view != STREAM_NONE) {
		page_link_begin(out, s->table);
		page_link_arg(out, SLICE("changes"), SLICE("now"));
		page_link_end(out, SLICE("live changes"));
	}
	buf_str(out, "</td></tr>\n");
	for (size_t i = 0; i < s->n_index; i++) {
		page_put_index(out, t, i);
	}
}

/* Names of tables and indexes need no escaping: they are letters, digits, '_', '-' and '.'. */
static int
page_put_named(struct call *c, struct engine *e, struct slice name, struct buf *out)
{
	struct describe_table_in in = {.table = name};
	struct describe_table_out table;
	int r = engine_describe_table(e, c, &in, &table);

	if (r == 0) {
		page_put_table(out, &table.table);
	} else if (r == -ERR_NO_TABLE) { /* deleted in the meantime */
		c->error = (struct error){0};
		r = 0;
	}
	return r;
}

static int
page_put_all(struct call *c, struct engine *e, const struct list_tables_out *list, struct buf *out)
{
	int r = 0;

	buf_str(out,
		"<div class=\"box\">\n<table class=\"list\">\n<thead><tr><th>Table</th><th>Key</th><th class=\"n\">Collections</th>"
		"<th class=\"n\">Items</th><th class=\"n\">Size</th><th>Stream</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; r == 0 && i < list->n_names; i++) {
		r = page_put_named(c, e, list->names[i], out);
	}
	buf_str(out, "</tbody>\n</table>\n</div>\n");
	return r;
}

static unsigned
page_tables(struct call *c, struct engine *e, const struct page_request *rq, struct buf *out)
{
	struct list_tables_in in = {.start = page_argument(rq, "after")};
	struct list_tables_out list = {0};
	int r = engine_list_tables(e, c, &in, &list);

	page_head(out, SLICE(""), NULL);
	buf_str(out, "</header>\n");
	if (r == 0 && list.n_names > 0) {
		r = page_put_all(c, e, &list, out);
	} else if (r == 0) {
		buf_str(out,
			"<p class=\"empty\">There are no tables yet. Create one with an SDK or "
			"<code>itemctl create-table</code>.</p>\n");
	}
	if (r < 0) {
		page_error(out, c->error.message, SLICE(""), 0);
	}
	if (list.last.len > 0) {
		page_link_begin(out, SLICE(""));
		page_link_arg(out, SLICE("after"), list.last);
		page_link_end(out, SLICE("more tables"));
	}
	page_patterns_list(out, rq->patterns);
	return page_foot(out, &c->error);
}

/* ------------------------------------------------------------ all pages */

unsigned
page_failed(struct buf *out, struct slice title, const struct error *e)
{
	page_head(out, title, NULL);
	buf_str(out, "</header>\n");
	page_error(out, e->message, SLICE(""), 0);
	return page_foot(out, e);
}

unsigned
page_answer(struct call *c, struct engine *e, const struct page_request *rq, struct buf *out)
{
	/* DynamoDB Local has its page at this path. */
	static const struct slice local = SLICE_INIT("/shell");
	bool moved = slice_starts(rq->path, SLICE("/shell/"));
	struct describe_table_in in = {
		.table = slice_skip(rq->path, (moved ? local.len : 0) + 1),
	};
	struct describe_table_out table;
	bool found = in.table.len > 0 && engine_describe_table(e, c, &in, &table) == 0;

	if (in.table.len == 0 || (!found && slice_eq(rq->path, local))) {
		c->error = (struct error){0};
		return page_argument(rq, "pattern").len > 0 ? page_pattern(c, e, rq, out)
							    : page_tables(c, e, rq, out);
	}
	if (!found) {
		return page_failed(out, SLICE(""), &c->error);
	}
	if (page_argument(rq, "shapes").len > 0) {
		return page_shapes(c, e, rq, &table.table, out);
	}
	return page_argument(rq, "changes").at == NULL ? page_table(c, e, rq, &table.table, out)
						       : page_changes(c, e, rq, &table.table, out);
}
