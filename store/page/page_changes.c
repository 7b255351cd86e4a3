/*
 * page_changes - the page of a table's stream records, newest first
 *
 * A page has the records of one GetRecords and a link with the next iterator.  Its script loads the linked page each
 * second and inserts its rows; without scripts the user follows the link.
 */
#include <time.h>

#include "store/base/core/escape.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"
#include "store/page/page.h"
#include "store/page/page_html.h"
#include "store/page/picture.h"

enum {
	CHANGES_PAGE = 100,      /* records of a page */
	CHANGES_ATTRIBUTES = 20, /* attributes that are shown of a record */
};

static const char script[] =
	"addEventListener('DOMContentLoaded', () => {\n"
	"  const rows = document.querySelector('tbody'), link = document.querySelector('#next');\n"
	"  const state = document.querySelector('#state');\n"
	"  if (!rows || !link) return;\n"
	"  async function look() {\n"
	"    try {\n"
	"      const answer = await fetch(link.href, {headers: {accept: 'text/html'}});\n"
	"      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');\n"
	"      const next = page.querySelector('#next');\n"
	"      if (!answer.ok || !next) throw page.querySelector('.error')?.textContent ?? 'The stream has ended.';\n"
	"      rows.prepend(...page.querySelectorAll('tbody tr'));\n"
	"      while (rows.children.length > 1000) rows.lastChild.remove();\n"
	"      link.setAttribute('href', next.getAttribute('href'));\n"
	"      state.textContent = 'Changes appear here as they are made.';\n"
	"    } catch (why) {\n"
	"      state.textContent = why instanceof TypeError ? 'The server does not answer.' : why;\n"
	"      if (!(why instanceof TypeError)) return;\n"
	"    }\n"
	"    setTimeout(look, 1000);\n"
	"  }\n"
	"  look();\n"
	"});\n";

/* ------------------------------------------------------------ reading */

/* Get an iterator: @oldest: of the first shard, for all records; otherwise of the last shard, for future records. */
static int
page_first_iterator(struct call *c, struct engine *e, struct slice stream, bool oldest,
		    struct slice *out)
{
	struct describe_stream_in in = {.stream = stream};
	struct describe_stream_out found = {0};
	struct get_shard_iterator_out iterator = {0};
	int r = engine_describe_stream(e, c, &in, &found);

	if (r < 0 || found.n_shards == 0) {
		return r;
	}
	r = engine_get_shard_iterator(
		e, c,
		&(struct get_shard_iterator_in){
			.stream = stream,
			.shard = found.shards[oldest ? 0 : found.n_shards - 1].id,
			.type = oldest ? ITERATOR_TRIM_HORIZON : ITERATOR_LATEST},
		&iterator);
	if (r == 0) {
		*out = iterator.iterator;
	}
	return r;
}

static int
page_read_changes(struct call *c, struct engine *e, const struct page_request *rq,
		  const struct table_info *table, struct get_records_out *out)
{
	struct slice begin = page_argument(rq, "changes");
	struct get_records_in in = {.iterator = begin, .limit = CHANGES_PAGE};
	bool oldest = slice_is(begin, "oldest");

	if (oldest || slice_is(begin, "now")) {
		in.iterator = SLICE("");
		int r = page_first_iterator(c, e, table->latest_stream, oldest, &in.iterator);

		if (r < 0 || in.iterator.len == 0) {
			return r;
		}
	}
	return engine_get_records(e, c, &in, out);
}

/* ------------------------------------------------------------ showing */

static void
page_put_time(struct buf *out, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;
	char text[sizeof("2026-11-24 12:00:00")];

	if (gmtime_r(&seconds, &tm) != NULL &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) > 0) {
		buf_str(out, text);
	}
}

static void
page_put_value(struct call *c, struct buf *out, const struct value *v)
{
	escape_markup(out, picture_value(&c->arena, v));
}

/* Append an attribute; @before: its value before the change, or NULL. */
static void
page_put_attribute(struct call *c, struct buf *out, const struct attr *a,
		   const struct value *before)
{
	page_text(out, a->name);
	buf_str(out, ": ");
	if (before != NULL) {
		buf_str(out, "<del>");
		page_put_value(c, out, before);
		buf_str(out, "</del> &rarr; ");
	}
	page_put_value(c, out, &a->value);
	buf_str(out, "<br>");
}

/* Append the attributes that were added, changed or removed; if there is only one image, all except the keys. */
static void
page_put_differences(struct call *c, struct buf *out, const struct stream_record *record)
{
	const struct item *after =
		record->new_image.n > 0 ? &record->new_image : &record->old_image;
	const struct item *before = &record->old_image;
	bool both = record->new_image.n > 0 && before->n > 0;
	size_t n = 0;

	for (size_t i = 0; i < after->n && n < CHANGES_ATTRIBUTES; i++) {
		const struct attr *a = &after->at[i];
		const struct value *was = both ? item_get(before, a->name) : NULL;

		if (item_get(&record->keys, a->name) != NULL ||
		    (was != NULL && value_eq(was, &a->value))) {
			continue;
		}
		page_put_attribute(c, out, a, was);
		n++;
	}
	for (size_t i = 0; both && i < before->n && n < CHANGES_ATTRIBUTES; i++) {
		if (item_get(after, before->at[i].name) == NULL) {
			buf_str(out, "<del>");
			page_put_attribute(c, out, &before->at[i], NULL);
			buf_str(out, "</del>");
			n++;
		}
	}
}

static void
page_put_record(struct call *c, struct buf *out, const struct stream_record *record)
{
	static const char *const names[] = {"INSERT", "MODIFY", "REMOVE"};

	buf_str(out, "<tr><td>");
	page_put_time(out, record->time_ms);
	buf_fmt(out, "</td><td class=\"%s\">%s%s</td><td>", names[record->event],
		names[record->event], record->service ? " (time to live)" : "");
	for (size_t i = 0; i < record->keys.n; i++) {
		page_put_attribute(c, out, &record->keys.at[i], NULL);
	}
	buf_str(out, "</td><td>");
	page_put_differences(c, out, record);
	buf_str(out, "</td></tr>\n");
}

static void
page_put_changes(struct call *c, struct buf *out, struct slice table,
		 const struct get_records_out *got)
{
	buf_str(out,
		"<p id=\"state\"><noscript>The link below leads to newer changes.</noscript></p>\n"
		"<div class=\"box\">\n<table class=\"list changes\">\n<thead><tr><th>Time (UTC)</th><th>Change</th><th>Key</th>"
		"<th>Attributes</th></tr></thead>\n<tbody>\n");
	for (size_t i = got->n_records; i-- > 0;) {
		page_put_record(c, out, &got->records[i]);
	}
	buf_str(out, "</tbody>\n</table>\n</div>\n<footer>\n");
	if (got->next.len > 0) {
		page_link_begin(out, table);
		page_link_arg(out, SLICE("changes"), got->next);
		buf_str(out, "\" id=\"next");
		page_link_end(out, SLICE("newer changes"));
		buf_char(out, '\n');
	}
	page_link_begin(out, table);
	page_link_arg(out, SLICE("changes"), SLICE("oldest"));
	page_link_end(out, SLICE("from the oldest one kept"));
	buf_char(out, '\n');
	page_link_begin(out, table);
	page_link_end(out, SLICE("items"));
	buf_str(out, "\n</footer>\n");
}

unsigned
page_changes(struct call *c, struct engine *e, const struct page_request *rq,
	     const struct table_info *table, struct buf *out)
{
	struct slice name = table->schema->table;
	struct get_records_out got = {0};
	int r = 0;

	page_head(out, name, script);
	buf_str(out, "</header>\n");
	if (table->latest_stream.len == 0) {
		buf_fmt(out,
			"<p class=\"empty\">This table has no stream. To enable one: <code>itemctl "
			"alter %.*s --stream NEW_AND_OLD_IMAGES</code></p>\n",
			SLICE_ARG(name));
		return page_foot(out, &c->error);
	}
	r = page_read_changes(c, e, rq, table, &got);
	if (r < 0) {
		page_error(out, c->error.message, SLICE(""), 0);
	}
	page_put_changes(c, out, name, &got);
	return page_foot(out, &c->error);
}
