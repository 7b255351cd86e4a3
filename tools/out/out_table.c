/* out_table - see out_table.h; the only user of libsmartcols */
#include "tools/out/out_table.h"

#include <libsmartcols/libsmartcols.h>

#include "store/base/core/max.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/out/show.h"
#include "tools/out/sink.h"
#include "tools/text/wrap.h"

enum {
	TABLE_ROWS = 500,          /* rows that are printed at a time ... */
	TABLE_BYTES = 1024 * 1024, /* ... or fewer, when they occupy this memory */
};

struct out_table {
	struct arena arena;
	struct item rows[TABLE_ROWS];
	size_t n;
	struct arena names; /* of @lead; @arena is emptied whenever rows are printed */
	struct slice *lead;
	size_t n_lead;
};

struct out_table *
out_table_new(void)
{
	struct out_table *t = mem_zeroed(1, sizeof(*t));

	arena_init(&t->arena, SIZE_MAX);
	arena_init(&t->names, SIZE_MAX);
	return t;
}

void
out_table_free(struct out_table *t)
{
	if (t != NULL) {
		arena_drop(&t->arena);
		arena_drop(&t->names);
		free(t);
	}
}

/* ------------------------------------------------------------ columns */

CLEANUP_DEFINE(struct libscols_table *, scols_unref_table)

/*
 * libsmartcols shows control characters as \x1b, and \ before x as \x5c, but a NUL ends its texts. So NUL becomes a
 * byte that UTF-8 does not use, and show_nul() corrects libsmartcols' text for that byte.
 */
#define NUL_BYTE '\xff'
#define NUL_TEXT "\\xff"

static const char *
c_text(struct arena *a, struct slice text)
{
	struct slice copy = slice_copy(a, text);
	char *at = (char *)copy.at;

	for (char *nul = at; (nul = memchr(nul, '\0', copy.len - (size_t)(nul - at))) != NULL;) {
		*nul = NUL_BYTE;
	}
	return at;
}

static void
show_nul(char *text)
{
	while ((text = strstr(text, NUL_TEXT)) != NULL) {
		text[2] = text[3] = '0';
	}
}

/* A value for people: strings and numbers as they are, everything else as JSON. */
static const char *
cell_text(struct arena *a, const struct value *v)
{
	struct buf b = {.arena = a};

	if (v->type == VALUE_S || v->type == VALUE_N) {
		return c_text(a, v->text);
	}
	value_put_json(&b, v, ITEM_PLAIN);
	buf_char(&b, '\0');
	return b.at;
}

static struct libscols_table *
out_table_table_new(const struct sink *sink)
{
	struct libscols_table *tb = scols_new_table();

	if (tb == NULL) {
		abort();
	}
	if (isatty(sink->fd)) {
		(void)scols_table_enable_colors(tb, show_has_colors(sink->fd));
	} else {
		(void)scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	}
	return tb;
}

/* Columns of a line; practically unlimited if the output is not a terminal */
static size_t
line_width(const struct sink *sink, struct libscols_table *tb)
{
	return isatty(sink->fd) ? scols_table_get_termwidth(tb) : SIZE_MAX / 4;
}

static struct libscols_column *
add_column(struct out_table *t, struct libscols_table *tb, struct slice name, int flags)
{
	const char *title = c_text(&t->arena, name);
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
out_table_print_table(struct sink *sink, struct libscols_table *tb)
{
	char *text = NULL;

	if (scols_print_table_to_string(tb, &text) != 0) {
		abort();
	}
	show_nul(text);
	bool ok =
		sink_put(sink, slice_from(text)) && sink_put(sink, SLICE("\n")) && sink_flush(sink);

	free(text);
	return ok;
}

/* The columns of the rows: leading ones that some row has, then the others in order of appearance. */
static struct csv_columns
out_table_columns(struct out_table *t)
{
	struct csv_columns all = {0};
	size_t n = 0;

	for (size_t i = 0; i < t->n_lead; i++) {
		csv_declare(&all, &t->arena, t->lead[i]);
	}
	for (size_t i = 0; i < t->n; i++) {
		(void)csv_note(&all, &t->arena, &t->rows[i]);
	}
	for (size_t i = 0; i < all.n; i++) {
		if (!all.at[i].open) {
			all.at[n++] = all.at[i];
		}
	}
	all.n = n;
	return all;
}

/* The layout of the rows: the first @kept attributes have columns, the others are folded into one column. */
struct layout {
	const struct csv_column *at;
	size_t n;
	size_t kept;
	size_t wrapped; /* the one column that is wrapped because it is too wide; @n if there is none */
	size_t folded; /* width of that column, or of the column with the other attributes */
};

enum { COLUMN_LEAST = 20 }; /* least width of a wrapped column */

/* The width of a column that is not wrapped; *in_all: every row has it */
static size_t
column_width(struct out_table *t, struct slice name, bool *in_all)
{
	size_t width = wrap_width(name);

	*in_all = true;
	for (size_t i = 0; i < t->n; i++) {
		const struct value *v = item_get(&t->rows[i], name);

		if (v == NULL) {
			*in_all = false;
		} else {
			width = max_of(width, wrap_width(slice_from(cell_text(&t->arena, v))));
		}
	}
	return width;
}

/*
 * Put all columns side by side if they fit, or if they fit with one of them wrapped. Otherwise only the first columns
 * that every row has, at least the keys, get a column, and the rest is one column of running text: an item collection
 * of many types has more attributes than a terminal has columns.
 */
static void
plan_layout(struct out_table *t, size_t terminal, struct layout *l)
{
	size_t total = 0;
	size_t lead = 0; /* width of the columns that may be kept beside running text */
	size_t kept = 0;
	size_t widest = 0;

	l->kept = l->wrapped = l->n;
	for (size_t i = 0; i < l->n; i++) {
		bool in_all;
		size_t width = column_width(t, l->at[i].name, &in_all) + 1;

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
	} else if (total - widest + max_of(COLUMN_LEAST, wrap_width(l->at[l->wrapped].name)) >
		   terminal) {
		l->kept = kept;
		l->wrapped = l->n;
		l->folded = max_of(COLUMN_LEAST, terminal - lead);
	} else {
		l->folded = terminal - (total - widest);
	}
}

/* A value without line breaks: a string with control characters becomes JSON. */
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

/* A value wrapped to lines of at most @width columns. */
static const char *
folded_value(struct out_table *t, size_t width, const struct value *v)
{
	struct buf b = {.arena = &t->arena};
	struct wrap f = {.out = &b, .width = width};

	wrap_text(&f, slice_from(plain_text(&t->arena, v)));
	buf_char(&b, '\0');
	return b.at;
}

/* All attributes of a row that have no column of their own. */
static const char *
folded_rest(struct out_table *t, const struct layout *l, const struct item *row)
{
	struct buf b = {.arena = &t->arena};
	struct wrap f = {.out = &b, .width = l->folded};

	for (size_t i = l->kept; i < l->n; i++) {
		const struct value *v = item_get(row, l->at[i].name);

		if (v != NULL) {
			wrap_add(&f, slice_from(c_text(&t->arena, l->at[i].name)),
				 slice_from(plain_text(&t->arena, v)));
		}
	}
	buf_char(&b, '\0');
	return b.at;
}

/* Add a column for texts that contain their line breaks. */
static void
add_folded(struct out_table *t, struct libscols_table *tb, struct slice name, int flags)
{
	struct libscols_column *col = add_column(t, tb, name, flags | SCOLS_FL_WRAP);

	(void)scols_column_set_safechars(col, "\n");
	(void)scols_column_set_wrapfunc(col, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
}

static void
add_columns(struct out_table *t, struct libscols_table *tb, const struct layout *l)
{
	for (size_t i = 0; i < l->kept; i++) {
		int flags = l->at[i].kind == CSV_NUMBER ? SCOLS_FL_RIGHT : 0;

		if (i == l->wrapped) {
			add_folded(t, tb, l->at[i].name, flags);
		} else {
			(void)add_column(t, tb, l->at[i].name, flags);
		}
	}
	if (l->kept < l->n) {
		add_folded(t, tb, SLICE("Attributes"), 0);
	}
}

static void
set_cell(struct libscols_line *line, size_t column, const char *text)
{
	if (scols_line_set_data(line, column, text) != 0) {
		abort();
	}
}

/* Color a null, which otherwise looks like the text "null". */
static void
color_cell(struct libscols_line *line, size_t column, const struct value *v)
{
	if (v->type == VALUE_NULL &&
	    scols_cell_set_color(scols_line_get_cell(line, column), "darkgray") != 0) {
		abort();
	}
}

static void
out_table_add_line(struct out_table *t, struct libscols_table *tb, const struct layout *l,
		   const struct item *row)
{
	struct libscols_line *line = scols_table_new_line(tb, NULL);

	for (size_t i = 0; i < l->kept; i++) {
		const struct value *v = item_get(row, l->at[i].name);

		if (v != NULL) {
			set_cell(line, i,
				 i == l->wrapped ? folded_value(t, l->folded, v)
						 : cell_text(&t->arena, v));
			color_cell(line, i, v);
		}
	}
	if (l->kept < l->n) {
		set_cell(line, l->kept, folded_rest(t, l, row));
	}
}

bool
out_table_flush(struct out_table *t, struct sink *sink)
{
	cleanup(scols_unref_tablep) struct libscols_table *tb = out_table_table_new(sink);
	struct csv_columns columns = out_table_columns(t);
	struct layout l = {.at = columns.at, .n = columns.n};
	bool ok = sink->failed == 0;

	/* Rows without any attribute, as a projection may give, have no columns. */
	if (l.n > 0) {
		plan_layout(t, line_width(sink, tb), &l);
		add_columns(t, tb, &l);
		for (size_t i = 0; i < t->n; i++) {
			out_table_add_line(t, tb, &l, &t->rows[i]);
		}
		ok = out_table_print_table(sink, tb);
	}
	arena_drop(&t->arena);
	t->n = 0;
	return ok;
}

void
out_table_lead(struct out_table *t, const struct slice *names, size_t n)
{
	assert(t->n == 0);
	t->lead = arena_new(&t->names, struct slice, n + 1);
	t->n_lead = n;
	for (size_t i = 0; i < n; i++) {
		t->lead[i] = slice_copy(&t->names, names[i]);
	}
}

bool
out_table_add(struct out_table *t, struct sink *sink, const struct item *it)
{
	assert(t->n < TABLE_ROWS);
	t->rows[t->n++] = item_copy(&t->arena, it);
	if (t->n == TABLE_ROWS || t->arena.used > TABLE_BYTES) {
		return out_table_flush(t, sink);
	}
	return sink->failed == 0;
}

bool
out_table_upright(struct out_table *t, struct sink *sink, const struct item *it)
{
	cleanup(scols_unref_tablep) struct libscols_table *tb = out_table_table_new(sink);
	size_t terminal = line_width(sink, tb);
	size_t names = 0;

	(void)scols_table_enable_noheadings(tb, 1);
	(void)add_column(t, tb, SLICE("name"), 0);
	add_folded(t, tb, SLICE("value"), 0);
	for (size_t i = 0; i < it->n; i++) {
		names = max_of(names, wrap_width(it->at[i].name) + 1);
	}
	size_t width = names + COLUMN_LEAST < terminal ? terminal - names : COLUMN_LEAST;

	for (size_t i = 0; i < it->n; i++) {
		struct libscols_line *line = scols_table_new_line(tb, NULL);

		set_cell(line, 0, c_text(&t->arena, it->at[i].name));
		set_cell(line, 1, folded_value(t, width, &it->at[i].value));
		color_cell(line, 1, &it->at[i].value);
	}
	return out_table_print_table(sink, tb);
}
