/* out - the last stage of every answer: items into text */
#include "tools/out.h"

#include <unistd.h>

#include "tools/out_table.h"
#include "tools/sheet.h"

static const char *const formats[] = {
	[OUT_AUTO] = "auto",   [OUT_JSONL] = "jsonl", [OUT_JSON] = "json",
	[OUT_TYPED] = "typed", [OUT_CSV] = "csv",     [OUT_TABLE] = "table",
};

enum out_format
out_format_named(const char *name)
{
	for (enum out_format f = OUT_JSONL; f <= OUT_TABLE; f++) {
		if (strcmp(name, formats[f]) == 0) {
			return f;
		}
	}
	return OUT_AUTO;
}

void
out_open(struct out *o, int fd, enum out_format format)
{
	*o = (struct out){.format = format};
	if (format == OUT_AUTO) {
		o->format = isatty(fd) ? OUT_TABLE : OUT_JSONL;
	}
	sink_init(&o->sink, fd);
	if (o->format == OUT_CSV) {
		o->sheet = sheet_new();
	}
	if (o->format == OUT_EXPORT) {
		sink_compress(&o->sink);
	}
	if (o->format == OUT_TABLE) {
		o->table = out_table_new();
		o->sink.colors = true;
	}
}

/* ------------------------------------------------------------ items */

/* How the formats that are JSON write their items. */
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
	return out_is_lines(o) || o->format == OUT_JSON;
}

/* What stands before the n-th element of a JSON array. */
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
	if (n == 0) {
		return o->sink.failed == 0;
	}
	put_separator(o);
	o->n += n;
	return sink_put(&o->sink, text);
}

void
out_put_line(struct buf *b, const struct out *o, const struct item *it)
{
	const struct page_text *t = &texts[o->format];

	buf_slice(b, t->before);
	item_put_json(b, it, t->form);
	buf_slice(b, t->after);
}

bool
out_item(struct out *o, const struct item *it)
{
	if (o->format == OUT_CSV) {
		o->n++;
		return sheet_add(o->sheet, it);
	}
	if (o->format == OUT_TABLE) {
		o->n++;
		return out_table_add(o->table, &o->sink, it);
	}
	put_separator(o);
	if (out_is_lines(o)) {
		out_put_line(&o->sink.buf, o, it);
	} else {
		item_put_json(&o->sink.buf, it, ITEM_PLAIN);
	}
	o->n++;
	return sink_drain(&o->sink);
}

bool
out_missing(struct out *o)
{
	if (o->format == OUT_CSV || o->format == OUT_TABLE) {
		return true;
	}
	put_separator(o);
	buf_str(&o->sink.buf, out_is_lines(o) ? "null\n" : "null");
	o->n++;
	o->missing++;
	return sink_drain(&o->sink);
}

bool
out_one(struct out *o, const struct item *it)
{
	if (o->format == OUT_TABLE) {
		o->n++;
		return out_table_upright(o->table, &o->sink, it);
	}
	if (o->format == OUT_JSON) {
		o->n++;
		item_put_pretty(&o->sink.buf, it, ITEM_PLAIN);
		buf_char(&o->sink.buf, '\n');
		o->format = OUT_JSONL; /* no array around it */
		return sink_drain(&o->sink);
	}
	return out_item(o, it);
}

void
out_drop(struct out *o)
{
	sheet_free(o->sheet);
	out_table_free(o->table);
	sink_release(&o->sink);
	o->sheet = NULL;
	o->table = NULL;
}

/* Everything that was kept back until now. */
static int
finish(struct out *o, struct call *c)
{
	if (o->sheet != NULL) {
		int r = sheet_print(o->sheet, c, &o->sink);

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
	return sink_finish(&o->sink) ? 0
				     : call_fail(c, ERR_IO, "writing the answer: %s",
						 strerrordesc_np(o->sink.failed));
}

int
out_close(struct out *o, struct call *c)
{
	int r = finish(o, c);

	out_drop(o);
	return r;
}
