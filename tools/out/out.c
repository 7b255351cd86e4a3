/* out - see out.h */
#include "tools/out/out.h"

#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/out/out_table.h"
#include "tools/out/out_yaml.h"
#include "tools/out/sink.h"
#include "tools/out/spool.h"

static const char *const formats[] = {
	[OUT_AUTO] = "auto", [OUT_JSONL] = "jsonl", [OUT_JSON] = "json", [OUT_TYPED] = "typed",
	[OUT_CSV] = "csv",   [OUT_TABLE] = "table", [OUT_YAML] = "yaml", [OUT_TEXT] = "text",
	[OUT_TSV] = "tsv",   [OUT_MD] = "md",
};

enum out_format
out_format_named(const char *name)
{
	for (enum out_format f = OUT_JSONL; f < OUT_EXPORT; f++) {
		if (strcmp(name, formats[f]) == 0) {
			return f;
		}
	}
	return OUT_AUTO;
}

const char *
out_format_name(enum out_format format)
{
	assert(format < OUT_EXPORT);
	return formats[format];
}

void
out_open(struct out *o, int fd, enum out_format format)
{
	*o = (struct out){.format = format};
	if (format == OUT_AUTO) {
		o->format = isatty(fd) ? OUT_TABLE : OUT_JSONL;
	}
	sink_init(&o->sink, fd);
	arena_init(&o->cells.arena, SIZE_MAX);
	if (o->format == OUT_CSV || o->format == OUT_TSV || o->format == OUT_MD) {
		o->spool = spool_new(o->format == OUT_TSV ? '\t' : ',', o->format == OUT_MD);
	}
	if (o->format == OUT_EXPORT) {
		sink_compress(&o->sink);
	}
	if (o->format == OUT_TABLE) {
		o->table = out_table_new();
		o->sink.colors = true;
	}
}

void
out_open_first(struct out *o, struct buf *first)
{
	out_open(o, -1, OUT_JSONL);
	o->sink.first = first;
}

/* ------------------------------------------------------------ items */

/* How the JSON formats write their items */
static const struct page_text texts[] = {
	[OUT_JSONL] = {.form = ITEM_PLAIN, .after = SLICE_INIT("\n")},
	[OUT_JSON] = {.form = ITEM_PLAIN, .between = SLICE_INIT(",\n")},
	[OUT_TYPED] = {.form = ITEM_TYPED, .after = SLICE_INIT("\n")},
	[OUT_EXPORT] = {.form = ITEM_TYPED,
			.before = SLICE_INIT("{\"Item\":"),
			.after = SLICE_INIT("}\n")},
};

bool
out_text(const struct out *o, struct page_text *text)
{
	*text = texts[o->format];
	return !o->ordered && (out_is_lines(o) || o->format == OUT_JSON);
}

/* Append the text before the next element of a JSON array; nothing in other formats. */
static void
put_separator(struct out *o)
{
	if (o->format == OUT_JSON) {
		buf_slice(&o->sink.buf, o->n == 0 ? SLICE("[\n") : texts[OUT_JSON].between);
	}
}

bool
out_page(struct out *o, struct slice text, size_t n)
{
	assert(out_is_lines(o) || o->format == OUT_JSON);
	if (n == 0) {
		return o->sink.failed == 0;
	}
	put_separator(o);
	o->n += n;
	return sink_put(&o->sink, text);
}

/* Return true if the item already begins with the leading columns. */
static bool
out_is_led(const struct out *o, const struct item *it)
{
	for (size_t i = 0; i < o->n_lead; i++) {
		if (i == it->n || !slice_eq(it->at[i].name, o->lead[i])) {
			return false;
		}
	}
	return true;
}

/* The item with its leading columns first; the caller frees *@led */
static struct item
out_lead(const struct out *o, const struct item *it, struct attr **led)
{
	size_t n = 0;

	*led = NULL;
	if (out_is_led(o, it)) {
		return *it;
	}
	*led = mem_array(struct attr, it->n);
	for (size_t i = 0; i < o->n_lead; i++) {
		const struct value *v = item_get(it, o->lead[i]);

		if (v != NULL) {
			(*led)[n++] = (struct attr){o->lead[i], *v};
		}
	}
	for (size_t i = 0, leading = n; i < it->n; i++) {
		size_t k = 0;

		while (k < leading && !slice_eq((*led)[k].name, it->at[i].name)) {
			k++;
		}
		if (k == leading) {
			(*led)[n++] = it->at[i];
		}
	}
	return (struct item){.at = *led, .n = n};
}

/* Append an item as JSON, with leading columns if o->ordered. Any thread. */
static void
out_put_json(struct buf *b, const struct out *o, const struct item *it, enum item_form form)
{
	struct attr *led = NULL;
	struct item ordered = o->ordered ? out_lead(o, it, &led) : *it;

	item_put_json(b, &ordered, form);
	free(led);
}

void
out_put_line(struct buf *b, const struct out *o, const struct item *it)
{
	assert(out_is_lines(o));
	const struct page_text *t = &texts[o->format];

	buf_slice(b, t->before);
	out_put_json(b, o, it, t->form);
	buf_slice(b, t->after);
}

/* Write one item as YAML. */
static bool
out_put_yaml(struct out *o, const struct item *it, bool element)
{
	cleanup(buf_release) struct buf json = {0};

	out_put_json(&json, o, it, ITEM_PLAIN);
	out_yaml(&o->sink.buf, buf_view(&json), element);
	o->n++;
	return sink_drain(&o->sink);
}

/* Declare the leading columns, before the first row. */
static void
out_begin_columns(struct out *o)
{
	if (o->spool != NULL) {
		spool_lead(o->spool, o->lead, o->n_lead);
		return;
	}
	if (o->format == OUT_TABLE) {
		out_table_lead(o->table, o->lead, o->n_lead);
		return;
	}
	for (size_t i = 0; i < o->n_lead; i++) {
		csv_declare(&o->cells.columns, &o->cells.arena, o->lead[i]);
	}
}

/* Write a row of columns. */
static bool
out_row(struct out *o, const struct item *it)
{
	if (o->n++ == 0) {
		out_begin_columns(o);
	}
	if (o->spool != NULL) {
		return spool_add(o->spool, it);
	}
	if (o->format == OUT_TABLE) {
		return out_table_add(o->table, &o->sink, it);
	}
	out_cells_put(&o->cells, &o->sink.buf, it);
	return sink_drain(&o->sink);
}

bool
out_item(struct out *o, const struct item *it)
{
	if (o->format == OUT_YAML) {
		return out_put_yaml(o, it, true);
	}
	if (out_format_is_columns(o->format) || o->format == OUT_TABLE) {
		return out_row(o, it);
	}
	put_separator(o);
	if (out_is_lines(o)) {
		out_put_line(&o->sink.buf, o, it);
	} else {
		out_put_json(&o->sink.buf, o, it, ITEM_PLAIN);
	}
	o->n++;
	return sink_drain(&o->sink);
}

bool
out_missing(struct out *o)
{
	if (o->spool != NULL || o->format == OUT_TABLE) {
		return true;
	}
	put_separator(o);
	buf_str(&o->sink.buf, o->format == OUT_YAML   ? "- null\n"
			      : o->format == OUT_JSON ? "null"
						      : "null\n");
	o->n++;
	o->missing++;
	return sink_drain(&o->sink);
}

bool
out_one(struct out *o, const struct item *it)
{
	if (o->format == OUT_YAML) {
		return out_put_yaml(o, it, false);
	}
	if (o->format != OUT_TABLE && o->format != OUT_JSON) {
		return out_item(o, it);
	}
	struct attr *led = NULL;
	bool table = o->format == OUT_TABLE;
	struct item ordered = table || o->ordered ? out_lead(o, it, &led) : *it;

	o->n++;
	if (table) {
		(void)out_table_upright(o->table, &o->sink, &ordered);
	} else {
		item_put_pretty(&o->sink.buf, &ordered, ITEM_PLAIN);
		buf_char(&o->sink.buf, '\n');
		o->format = OUT_JSONL; /* no array around it */
	}
	free(led);
	return sink_drain(&o->sink);
}

void
out_drop(struct out *o)
{
	arena_drop(&o->cells.arena);
	spool_free(o->spool);
	out_table_free(o->table);
	sink_release(&o->sink);
	o->spool = NULL;
	o->table = NULL;
}

/* Write everything that is still in memory or in the file of the spool. */
static int
out_finish(struct out *o, struct call *c)
{
	if (o->spool != NULL) {
		int r = spool_print(o->spool, c, &o->sink);

		if (r < 0) {
			return r;
		}
	}
	if (o->table != NULL) {
		(void)out_table_flush(o->table, &o->sink);
	}
	if (o->format == OUT_JSON && (o->list || o->n > 0)) {
		buf_str(&o->sink.buf, o->n == 0 ? "[]\n" : "\n]\n");
	}
	if (o->format == OUT_YAML && o->list && o->n == 0) {
		buf_str(&o->sink.buf, "[]\n");
	}
	return sink_finish(&o->sink) ? 0
				     : call_fail(c, ERR_IO, "writing the answer: %s",
						 strerrordesc_np(o->sink.failed));
}

int
out_close(struct out *o, struct call *c)
{
	int r = out_finish(o, c);

	out_drop(o);
	return r;
}
