/* out - the last stage of every answer: items into text; the only user of libsmartcols */
#include "tools/out.h"

#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/mem.h"

#include "tools/fold.h"
#include "tools/sheet.h"

enum {
	TABLE_ROWS = 500,          /* printed at a time */
	TABLE_BYTES = 1024 * 1024, /* or when so much waits */
};

struct out_table {
	struct arena arena;
	struct item rows[TABLE_ROWS];
	size_t n;
};

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
		o->table = mem_zeroed(1, sizeof(*o->table));
		arena_init(&o->table->arena, SIZE_MAX);
	}
}

/* ------------------------------------------------------------ tables */

CLEANUP_DEFINE(struct libscols_table *, scols_unref_table)

/* A value as a person reads it: strings bare, everything else as JSON. */
static const char *
cell_text(struct arena *a, const struct value *v)
{
	struct buf b;

	if (v->type == VALUE_S || v->type == VALUE_N) {
		return slice_cstr(a, v->text);
	}
	buf_init(&b, a);
	value_put_json(&b, v, ITEM_PLAIN);
	buf_char(&b, '\0');
	return b.at;
}

static struct libscols_table *
table_new(const struct out *o)
{
	struct libscols_table *tb = scols_new_table();

	if (tb == NULL) {
		abort();
	}
	if (isatty(o->sink.fd)) {
		const char *plain =
			getenv("NO_COLOR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */

		(void)scols_table_enable_colors(tb, plain == NULL || *plain == '\0');
	} else {
		(void)scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	}
	return tb;
}

static struct libscols_column *
add_column(struct out *o, struct libscols_table *tb, struct slice name, int flags)
{
	const char *title = slice_cstr(&o->table->arena, name);
	struct libscols_column *col = scols_table_new_column(tb, title, 0, flags);

	if (col == NULL) {
		abort();
	}
	if (scols_table_colors_wanted(tb)) {
		(void)scols_cell_set_color(scols_column_get_header(col), "bold");
	}
	return col;
}

static bool
print_table(struct out *o, struct libscols_table *tb)
{
	char *text = NULL;

	if (scols_print_table_to_string(tb, &text) != 0) {
		abort();
	}
	bool ok = sink_put(&o->sink, slice_from(text)) && sink_put(&o->sink, SLICE("\n")) &&
		  sink_flush(&o->sink);

	free(text);
	return ok;
}

/* Is every value of the column a number?  Then it stands at the right. */
static bool
all_numbers(const struct out_table *t, struct slice name)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct value *v = item_get(&t->rows[i], name);

		if (v != NULL && v->type != VALUE_N) {
			return false;
		}
	}
	return true;
}

/* Names of all attributes of the waiting rows, in order of appearance. */
static size_t
collect_names(struct out_table *t, struct slice **out)
{
	size_t n = 0;
	size_t most = 0;

	for (size_t i = 0; i < t->n; i++) {
		most += t->rows[i].n;
	}
	struct slice *names = arena_new(&t->arena, struct slice, most + 1);

	for (size_t i = 0; i < t->n; i++) {
		for (size_t a = 0; a < t->rows[i].n; a++) {
			struct slice name = t->rows[i].at[a].name;
			size_t at = 0;

			while (at < n && !slice_eq(names[at], name)) {
				at++;
			}
			if (at == n) {
				names[n++] = name;
			}
		}
	}
	*out = names;
	return n;
}

/* How the waiting rows stand: @kept columns of their own, the other attributes folded into one. */
struct layout {
	struct slice *names;
	size_t n;
	size_t kept;
	size_t wrapped; /* the one column that is too wide for its line; n: none */
	size_t folded;  /* width of the column that holds the rest */
};

enum { COLUMN_LEAST = 20 }; /* a column narrower than this is not worth wrapping */

static size_t
max_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The width that a column wants; *in_all: does every row have it? */
static size_t
column_width(struct out_table *t, struct slice name, bool *in_all)
{
	size_t width = fold_width(name);

	*in_all = true;
	for (size_t i = 0; i < t->n; i++) {
		const struct value *v = item_get(&t->rows[i], name);

		if (v == NULL) {
			*in_all = false;
		} else {
			width = max_of(width, fold_width(slice_from(cell_text(&t->arena, v))));
		}
	}
	return width;
}

/*
 * All columns side by side if they fit, or would but for one.  Else those that begin every row,
 * the keys at least, and one column of running text: an item collection of many types has
 * more attributes than a terminal has columns.
 */
static void
plan_layout(struct out_table *t, size_t terminal, struct layout *l)
{
	size_t total = 0;
	size_t lead = 0; /* of the columns that may be kept beside running text */
	size_t kept = 0;
	size_t widest = 0;

	l->kept = l->wrapped = l->n;
	for (size_t i = 0; i < l->n; i++) {
		bool in_all;
		size_t width = column_width(t, l->names[i], &in_all) + 1;

		total += width;
		if (width > widest) {
			widest = width;
			l->wrapped = i;
		}
		if (in_all && kept == i && lead + width <= terminal * 3 / 5) {
			lead += width;
			kept++;
		}
	}
	if (total - 1 <= terminal) {
		l->wrapped = l->n;
	} else if (total - widest + max_of(COLUMN_LEAST, fold_width(l->names[l->wrapped])) >
		   terminal) {
		l->kept = kept;
		l->wrapped = l->n;
		l->folded = max_of(COLUMN_LEAST, terminal - lead);
	}
}

/* Text without line breaks of its own. */
static const char *
plain_text(struct arena *a, const struct value *v)
{
	struct buf b;

	for (size_t i = 0; v->type == VALUE_S && i < v->text.len; i++) {
		if ((unsigned char)v->text.at[i] < ' ') {
			buf_init(&b, a);
			value_put_json(&b, v, ITEM_PLAIN);
			buf_char(&b, '\0');
			return b.at;
		}
	}
	return cell_text(a, v);
}

/* All attributes of a row that have no column of their own. */
static const char *
folded_text(struct out_table *t, const struct layout *l, const struct item *row)
{
	struct buf b;
	struct fold f = {.out = &b, .width = l->folded};

	buf_init(&b, &t->arena);
	for (size_t i = l->kept; i < l->n; i++) {
		const struct value *v = item_get(row, l->names[i]);

		if (v != NULL) {
			fold_add(&f, l->names[i], slice_from(plain_text(&t->arena, v)));
		}
	}
	buf_char(&b, '\0');
	return b.at;
}

static void
add_columns(struct out *o, struct libscols_table *tb, const struct layout *l)
{
	for (size_t i = 0; i < l->kept; i++) {
		(void)add_column(o, tb, l->names[i],
				 (i == l->wrapped ? SCOLS_FL_WRAP : 0) |
					 (all_numbers(o->table, l->names[i]) ? SCOLS_FL_RIGHT : 0));
	}
	if (l->kept < l->n) {
		struct libscols_column *col = add_column(o, tb, SLICE("Attributes"), SCOLS_FL_WRAP);

		(void)scols_column_set_safechars(col, "\n");
		(void)scols_column_set_wrapfunc(col, scols_wrapnl_chunksize, scols_wrapnl_nextchunk,
						NULL);
	}
}

static void
add_line(struct out_table *t, struct libscols_table *tb, const struct layout *l,
	 const struct item *row)
{
	struct libscols_line *line = scols_table_new_line(tb, NULL);

	for (size_t i = 0; i < l->kept; i++) {
		const struct value *v = item_get(row, l->names[i]);

		if (v != NULL && scols_line_set_data(line, i, cell_text(&t->arena, v)) != 0) {
			abort();
		}
	}
	if (l->kept < l->n && scols_line_set_data(line, l->kept, folded_text(t, l, row)) != 0) {
		abort();
	}
}

/* Print the rows that wait, and forget them. */
static bool
flush_table(struct out *o)
{
	struct out_table *t = o->table;
	cleanup(scols_unref_tablep) struct libscols_table *tb = table_new(o);
	struct layout l = {0};

	l.n = collect_names(t, &l.names);
	if (t->n == 0 || l.n == 0) {
		return o->sink.failed == 0;
	}
	plan_layout(t, isatty(o->sink.fd) ? scols_table_get_termwidth(tb) : SIZE_MAX / 4, &l);
	add_columns(o, tb, &l);
	for (size_t i = 0; i < t->n; i++) {
		add_line(t, tb, &l, &t->rows[i]);
	}
	bool ok = print_table(o, tb);

	arena_drop(&t->arena);
	t->n = 0;
	return ok;
}

static bool
table_add(struct out *o, const struct item *it)
{
	struct out_table *t = o->table;

	t->rows[t->n++] = item_copy(&t->arena, it);
	if (t->n == TABLE_ROWS || t->arena.used > TABLE_BYTES) {
		return flush_table(o);
	}
	return o->sink.failed == 0;
}

/* One item upright: a line for each attribute. */
static bool
table_upright(struct out *o, const struct item *it)
{
	cleanup(scols_unref_tablep) struct libscols_table *tb = table_new(o);

	(void)scols_table_enable_noheadings(tb, 1);
	(void)add_column(o, tb, SLICE("name"), 0);
	(void)add_column(o, tb, SLICE("value"), SCOLS_FL_WRAP);
	for (size_t i = 0; i < it->n; i++) {
		struct libscols_line *line = scols_table_new_line(tb, NULL);
		const char *name = slice_cstr(&o->table->arena, it->at[i].name);

		if (scols_line_set_data(line, 0, name) != 0 ||
		    scols_line_set_data(line, 1, cell_text(&o->table->arena, &it->at[i].value)) !=
			    0) {
			abort();
		}
	}
	return print_table(o, tb);
}

/* ------------------------------------------------------------ items */

/* What stands before the n-th element of a JSON array. */
static void
put_separator(struct out *o)
{
	if (o->format == OUT_JSON) {
		buf_str(&o->sink.buf, o->n == 0 ? "[\n" : ",\n");
	}
}

void
out_put_line(struct buf *b, const struct out *o, const struct item *it)
{
	bool export = o->format == OUT_EXPORT;

	if (export) {
		buf_str(b, "{\"Item\":");
	}
	item_put_json(b, it, o->format == OUT_JSONL ? ITEM_PLAIN : ITEM_TYPED);
	buf_str(b, export ? "}\n" : "\n");
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
		return table_add(o, it);
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
	return sink_drain(&o->sink);
}

bool
out_one(struct out *o, const struct item *it)
{
	if (o->format == OUT_TABLE) {
		o->n++;
		return table_upright(o, it);
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
	if (o->table != NULL) {
		arena_drop(&o->table->arena);
		free(o->table);
	}
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
		(void)flush_table(o);
	}
	if (o->format == OUT_JSON) {
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
