/* csv - records and cells; files are cut into records elsewhere */
#include "store/model/csv.h"

#include <stdlib.h>

#include "store/base/core/ascii.h"
#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/base/text/cells.h"
#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/number.h"

static const struct {
	const char *suffix;
	enum csv_kind kind;
} suffixes[] = {
	{":S", CSV_TEXT},
	{":N", CSV_NUMBER},
	{":B", CSV_BINARY},
	{":JSON", CSV_JSON},
};

enum { SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]) };

/* DynamoDB's other types, which people write: their cells are JSON. */
static const char *const foreign[] = {":BOOL", ":NULL", ":L", ":M", ":SS", ":NS", ":BS"};

enum { FOREIGN = sizeof(foreign) / sizeof(foreign[0]) };

/* The type that @text ends in and that no column has, or NULL. */
static const char *
foreign_type(struct slice text)
{
	for (size_t i = 0; i < FOREIGN; i++) {
		if (slice_ends(text, slice_from(foreign[i]))) {
			return foreign[i];
		}
	}
	return NULL;
}

static struct csv_column
column_named(struct slice text)
{
	for (size_t i = 0; i < SUFFIXES; i++) {
		struct slice suffix = slice_from(suffixes[i].suffix);

		if (slice_ends(text, suffix)) {
			return (struct csv_column){.name = slice_of(text.at, text.len - suffix.len),
						   .kind = suffixes[i].kind};
		}
	}
	return (struct csv_column){.name = text, .untyped = true};
}

/* A name that can be a column. */
static int
check_column(struct call *c, const struct csv_column *column)
{
	const char *type = column->untyped ? foreign_type(column->name) : NULL;

	if (column->name.len == 0) {
		return call_fail(c, ERR_VALIDATION, "the header has a column without a name");
	}
	if (type != NULL) {
		return call_fail(
			c, ERR_VALIDATION,
			"the header's %.*s: a column has no type %s; use :JSON (or :S behind "
			"it, if the name ends so)",
			SLICE_ARG(column->name), type);
	}
	return 0;
}

static int
csv_compare_names(const void *a, const void *b)
{
	const struct slice *x = a;
	const struct slice *y = b;

	return slice_cmp(*x, *y);
}

/* Each name is that of one column: sorted, those that are alike stand side by side. */
static int
csv_check_once(struct call *c, const struct csv_columns *columns)
{
	struct slice *names = arena_new(&c->arena, struct slice, columns->n);

	for (size_t i = 0; i < columns->n; i++) {
		names[i] = columns->at[i].name;
	}
	qsort(names, columns->n, sizeof(*names), csv_compare_names);
	for (size_t i = 1; i < columns->n; i++) {
		if (slice_eq(names[i - 1], names[i])) {
			return call_fail(c, ERR_VALIDATION, "the header names %.*s twice",
					 SLICE_ARG(names[i]));
		}
	}
	return 0;
}

/* A carriage return that is in no quotes: the end of a line, elsewhere. */
static bool
has_return(struct slice line)
{
	bool quoted = false;

	for (size_t i = 0; i < line.len; i++) {
		quoted ^= line.at[i] == '"';
		if (line.at[i] == '\r' && !quoted) {
			return true;
		}
	}
	return false;
}

/* What may stand between cells, the first one before all others. */
static bool
is_delimiter(char ch)
{
	return ch == ',' || ch == '\t' || ch == ';' || ch == '|';
}

char
csv_delimiter(struct slice text)
{
	bool quoted = false;
	char found = '\0';
	char last = ','; /* the one before */

	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		if (ch == '"') { /* within a cell it is text; a doubled one does not end the cell */
			quoted = !quoted && (is_delimiter(last) || last == '"');
		} else if (!quoted && ch == '\n') {
			break;
		} else if (!quoted && is_delimiter(ch) && (ch == ',' || found == '\0')) {
			found = ch;
		}
		last = ch;
	}
	return found == '\0' ? ',' : found;
}

int
csv_header(struct call *c, struct slice record, char delimiter, struct csv_columns *out)
{
	struct slice rest = cells_line(record);
	size_t most = 1;
	int r = 0;

	delimiter = delimiter == '\0' ? csv_delimiter(record) : delimiter;
	if (has_return(rest)) {
		return call_fail(
			c, ERR_VALIDATION,
			"the header has a carriage return (CR) in it: lines that end in CR "
			"alone are not read; \"tr '\\r' '\\n'\" ends them in LF");
	}
	for (size_t i = 0; i < rest.len; i++) {
		most += rest.at[i] == delimiter;
	}
	if (most > CSV_COLUMNS_MAX) {
		return call_fail(c, ERR_VALIDATION, "the header has over %d columns",
				 CSV_COLUMNS_MAX);
	}
	*out = (struct csv_columns){.at = arena_new(&c->arena, struct csv_column, most),
				    .delimiter = delimiter};
	while (r != CELLS_LAST) {
		struct cell cell;

		r = cells_next(c, delimiter, &rest, &cell);
		if (r < 0) {
			return r;
		}
		struct csv_column column = column_named(cell.text);

		int failed = check_column(c, &column);

		if (failed < 0) {
			return failed;
		}
		column.name = slice_copy(&c->arena, column.name);
		out->at[out->n++] = column;
	}
	return csv_check_once(c, out);
}

static void
model_csv_adopt(struct csv_column *column, const struct key_schema *key)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX && column->untyped; i++) {
		const struct key_attr *attr = key_slot(key, i);

		if (slice_eq(column->name, attr->name)) {
			column->kind = attr->type == VALUE_N   ? CSV_NUMBER
				       : attr->type == VALUE_B ? CSV_BINARY
							       : CSV_TEXT;
			column->untyped = false;
		}
	}
}

void
csv_adopt(struct csv_columns *columns, const struct schema *s, bool infer)
{
	for (size_t i = 0; i < columns->n; i++) {
		struct csv_column *column = &columns->at[i];

		model_csv_adopt(column, &s->key);
		for (size_t x = 0; x < s->n_index; x++) {
			model_csv_adopt(column, &s->index[x].key);
		}
		if (infer && column->untyped) {
			column->kind = CSV_GUESS;
		}
	}
}

/* Is it a number as JSON has it, without exponent?  "007" and "+1" are none, somebody means text by them. */
static bool
looks_like_number(struct slice s)
{
	size_t begin = s.len > 0 && s.at[0] == '-';
	size_t end = ascii_digits_end(s, begin);

	if (end == begin || (s.at[begin] == '0' && end - begin > 1)) {
		return false;
	}
	if (end < s.len && s.at[end] == '.') {
		begin = end + 1;
		end = ascii_digits_end(s, begin);
	}
	return end == s.len && end > begin;
}

static enum csv_kind
guess(const struct cell *cell)
{
	if (cell->quoted) {
		return CSV_TEXT;
	}
	if (slice_is(cell->text, "true") || slice_is(cell->text, "false")) {
		return CSV_JSON;
	}
	return looks_like_number(cell->text) ? CSV_NUMBER : CSV_TEXT;
}

/* What was only guessed to be a number and has too many digits for one, an id, is text. */
static int
number_value(struct call *c, bool guessed, struct slice text, struct value *out)
{
	int r = number_canonical(c, text, &out->text);

	if (r < 0 && guessed) {
		c->error = (struct error){0};
		*out = value_string(text);
		return 0;
	}
	out->type = VALUE_N;
	return r;
}

static int
csv_cell_value(struct call *c, const struct csv_column *column, const struct cell *cell,
	       struct value *out)
{
	struct slice text = cell->text;
	const struct json *json = NULL;
	struct buf bytes;
	int r = 0;

	*out = value_string(text);
	switch (column->kind == CSV_GUESS ? guess(cell) : column->kind) {
	case CSV_TEXT:
	case CSV_GUESS:
		return utf8_valid(text)
			       ? 0
			       : call_fail(c, ERR_VALIDATION, "%.*s: these bytes are not UTF-8",
					   SLICE_ARG(column->name));
	case CSV_NUMBER:
		r = number_value(c, column->kind == CSV_GUESS, text, out);
		return r < 0 ? call_prefix(c, "%.*s: ", SLICE_ARG(column->name)) : 0;
	case CSV_BINARY:
		out->type = VALUE_B;
		buf_init(&bytes, &c->arena);
		if (!base64_decode(&bytes, text)) {
			return call_fail(c, ERR_VALIDATION, "%.*s: \"%.*s\" is not base64",
					 SLICE_ARG(column->name), SLICE_ARG(text));
		}
		out->text = buf_view(&bytes);
		return 0;
	case CSV_JSON:
		r = json_parse(c, text, JSON_STRICT, &json);
		r = r < 0 ? r : value_from_json(c, json, out);
		return r < 0 ? call_prefix(c, "%.*s: ", SLICE_ARG(column->name)) : 0;
	}
	return r;
}

int
csv_item(struct call *c, const struct csv_columns *columns, struct slice record, struct item *out)
{
	struct slice rest = cells_line(record);
	char delimiter = columns->delimiter == '\0' ? ',' : columns->delimiter;
	size_t i = 0;
	int r = 0;

	*out = (struct item){.at = arena_new(&c->arena, struct attr, columns->n)};
	while (r != CELLS_LAST) {
		struct cell cell;

		r = cells_next(c, delimiter, &rest, &cell);
		if (r < 0) {
			return r;
		}
		if (i == columns->n) {
			return call_fail(c, ERR_VALIDATION, "more cells than the %zu columns",
					 columns->n);
		}
		const struct csv_column *column = &columns->at[i++];

		if (cell.text.len == 0 && !cell.quoted) {
			continue;
		}
		struct attr *attr = &out->at[out->n++];

		attr->name = column->name;
		int failed = csv_cell_value(c, column, &cell, &attr->value);

		if (failed < 0) {
			return failed;
		}
	}
	return 0;
}

static enum csv_kind
kind_of(enum value_type type)
{
	return type == VALUE_S   ? CSV_TEXT
	       : type == VALUE_N ? CSV_NUMBER
	       : type == VALUE_B ? CSV_BINARY
				 : CSV_JSON;
}

/*
 * Attributes mostly come in the order of the columns, so each search begins behind the last hit.
 * Return: where the next one begins
 */
static size_t
note_attr(struct csv_columns *columns, struct arena *a, size_t hint, const struct attr *attr,
	  bool *changed)
{
	enum csv_kind kind = kind_of(attr->value.type);

	for (size_t i = 0; i < columns->n; i++) {
		size_t at = (hint + i) % columns->n;
		struct csv_column *column = &columns->at[at];

		if (slice_eq(column->name, attr->name)) {
			if (column->kind != kind && column->kind != CSV_JSON) {
				column->kind = column->open ? kind : CSV_JSON;
				*changed = true;
			}
			column->open = false;
			return at + 1;
		}
	}
	*changed = true;
	columns->at = arena_room(a, columns->at, columns->n, &columns->cap);
	columns->at[columns->n++] =
		(struct csv_column){.name = slice_copy(a, attr->name), .kind = kind};
	return columns->n;
}

bool
csv_note(struct csv_columns *columns, struct arena *a, const struct item *it)
{
	bool changed = false;
	size_t hint = 0;

	for (size_t i = 0; i < it->n; i++) {
		hint = note_attr(columns, a, hint, &it->at[i], &changed);
	}
	return changed;
}

void
csv_declare(struct csv_columns *columns, struct arena *a, struct slice name)
{
	struct attr text = {name, value_string(SLICE(""))};
	bool made = false;
	size_t behind = note_attr(columns, a, 0, &text, &made);

	columns->at[behind - 1].open |= made;
}

static const struct csv_column *
column_of(const struct csv_columns *columns, struct slice name)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (slice_eq(columns->at[i].name, name)) {
			return &columns->at[i];
		}
	}
	return NULL;
}

bool
csv_has(const struct csv_columns *columns, const struct item *it)
{
	for (size_t i = 0; i < it->n; i++) {
		const struct csv_column *column = column_of(columns, it->at[i].name);

		if (column == NULL ||
		    (column->kind != CSV_JSON && column->kind != kind_of(it->at[i].value.type))) {
			return false;
		}
	}
	return true;
}

static char
csv_between(const struct csv_columns *columns)
{
	return columns->delimiter == '\0' ? ',' : columns->delimiter;
}

static void
put_cell(struct buf *out, char delimiter, struct slice text)
{
	bool plain = text.len > 0 && ascii_trim(text).len == text.len;

	for (size_t i = 0; i < text.len && plain; i++) {
		plain = text.at[i] != delimiter && text.at[i] != '"' && text.at[i] != '\n' &&
			text.at[i] != '\r';
	}
	if (plain) {
		buf_slice(out, text);
	} else {
		cells_quote(out, text);
	}
}

/* Would a spreadsheet take it for a formula?  OWASP's list, with the full-width forms of the signs. */
static bool
csv_runs(struct slice text)
{
	static const char *const first[] = {"=",  "+",      "-",      "@",      "\t",    "\r",
					    "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		if (slice_starts(text, slice_from(first[i]))) {
			return true;
		}
	}
	return false;
}

/* With @safe, text that a spreadsheet would take for a formula begins with an apostrophe. */
static void
csv_put_text(struct buf *out, const struct csv_columns *columns, struct slice text, bool safe)
{
	char delimiter = csv_between(columns);

	if (!safe || !csv_runs(text)) {
		put_cell(out, delimiter, text);
		return;
	}
	struct buf cell;

	buf_init(&cell, NULL);
	buf_char(&cell, '\'');
	buf_slice(&cell, text);
	put_cell(out, delimiter, buf_view(&cell));
	buf_release(&cell);
}

void
csv_put_header(struct buf *out, const struct csv_columns *columns)
{
	struct buf cell;

	buf_init(&cell, NULL);
	for (size_t i = 0; i < columns->n; i++) {
		const struct csv_column *column = &columns->at[i];
		/* A string column needs its type only where the name itself looks typed. */
		bool bare = columns->untyped ||
			    (column->kind == CSV_TEXT && column_named(column->name).untyped &&
			     foreign_type(column->name) == NULL);

		buf_clear(&cell);
		buf_slice(&cell, column->name);
		if (!bare) {
			buf_str(&cell, suffixes[column->kind].suffix);
		}
		if (i > 0) {
			buf_char(out, csv_between(columns));
		}
		/* What a reader may take for a delimiter. */
		if (!columns->safe && cell.len > 0 &&
		    (csv_delimiter(buf_view(&cell)) != ',' ||
		     slice_chr(buf_view(&cell), ',') != NULL)) {
			cells_quote(out, buf_view(&cell));
		} else {
			csv_put_text(out, columns, buf_view(&cell), columns->safe);
		}
	}
	buf_char(out, '\n');
	buf_release(&cell);
}

/* What is not written as it is. */
static void
put_coded(struct buf *out, const struct csv_columns *columns, enum csv_kind kind,
	  const struct value *v)
{
	struct buf cell;

	buf_init(&cell, NULL);
	if (kind == CSV_JSON) {
		value_put_json(&cell, v, ITEM_PLAIN);
	} else {
		base64_encode(&cell, v->text);
	}
	csv_put_text(out, columns, buf_view(&cell), columns->safe && kind == CSV_BINARY);
	buf_release(&cell);
}

void
csv_put_item(struct buf *out, const struct csv_columns *columns, const struct item *it)
{
	size_t next = 0; /* attributes mostly come in the order of the columns */

	for (size_t i = 0; i < columns->n; i++) {
		const struct csv_column *column = &columns->at[i];
		const struct value *v = NULL;

		if (next < it->n && slice_eq(it->at[next].name, column->name)) {
			v = &it->at[next++].value;
		} else {
			v = item_get(it, column->name);
		}
		if (i > 0) {
			buf_char(out, csv_between(columns));
		}
		if (v == NULL) {
			continue;
		}
		if (column->kind == CSV_JSON || column->kind == CSV_BINARY) {
			put_coded(out, columns, column->kind, v);
		} else {
			csv_put_text(out, columns, v->text,
				     columns->safe && column->kind == CSV_TEXT);
		}
	}
	buf_char(out, '\n');
}
