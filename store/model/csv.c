/* csv - reads headers and records; the caller cuts files into records */
#include "store/model/csv.h"

#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/base/text/cells.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/number.h"

static const struct {
	const char *suffix;
	enum csv_kind kind;
} suffixes[] = {
	/* in the order of enum csv_kind */
	{":S", CSV_TEXT},
	{":N", CSV_NUMBER},
	{":B", CSV_BINARY},
	{":JSON", CSV_JSON},
};

enum { SUFFIXES = sizeof(suffixes) / sizeof(suffixes[0]) };

/* DynamoDB's other types, which users write, but whose cells are JSON. */
static const char *const foreign[] = {":BOOL", ":NULL", ":L", ":M", ":SS", ":NS", ":BS"};

enum { FOREIGN = sizeof(foreign) / sizeof(foreign[0]) };

/* The foreign type at the end of @text, or NULL. */
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

/* The column with the name and type in @text, a cell of the header. */
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

const char *
csv_suffix(enum csv_kind kind)
{
	assert(kind != CSV_GUESS);
	return suffixes[kind].suffix;
}

bool
csv_looks_typed(struct slice name)
{
	return !column_named(name).untyped || foreign_type(name) != NULL;
}

static int
check_column(struct call *c, const struct csv_column *column, bool exact)
{
	const char *type = column->untyped && !exact ? foreign_type(column->name) : NULL;

	if (exact && !utf8_valid(column->name)) {
		return call_fail(c, ERR_VALIDATION, "the header is not UTF-8");
	}
	if (column->name.len == 0) {
		return call_fail(c, ERR_VALIDATION, "the header has a column without a name");
	}
	if (type != NULL) {
		return call_fail(
			c, ERR_VALIDATION,
			"the header's %.*s: there is no type %s; use :JSON (or add :S if the name ends "
			"like that)",
			SLICE_ARG(column->name), type);
	}
	return 0;
}

/* Refuses a name that is there twice: equal names are neighbours after sorting. */
static int
csv_check_once(struct call *c, const struct csv_columns *columns)
{
	struct slice *names = arena_new(&c->arena, struct slice, columns->n);

	for (size_t i = 0; i < columns->n; i++) {
		names[i] = columns->at[i].name;
	}
	qsort(names, columns->n, sizeof(*names), slice_order);
	for (size_t i = 1; i < columns->n; i++) {
		if (slice_eq(names[i - 1], names[i])) {
			return call_fail(c, ERR_VALIDATION, "the header names %.*s twice",
					 SLICE_ARG(names[i]));
		}
	}
	return 0;
}

/* Whether there is a carriage return outside quotes. Other programs end lines with it. */
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

/* Whether @ch may separate cells. A comma is preferred. */
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
	char last = ','; /* the character before ch */

	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];

		if (ch == '"') { /* inside a cell it is text; a doubled one does not end the cell */
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

/* Parse the next cell; with exact columns, refuse a quote in a cell that is not quoted, as the service does. */
static int
csv_next_cell(struct call *c, const struct csv_columns *columns, struct slice *rest,
	      struct cell *out)
{
	int r = cells_next(c, columns->delimiter == '\0' ? ',' : columns->delimiter, rest, out);

	return r >= 0 && columns->exact && !out->quoted && slice_chr(out->text, '"') != NULL
		       ? call_fail(c, ERR_VALIDATION, "a quote in a cell that is not quoted")
		       : r;
}

void
csv_named(struct arena *a, const struct slice *names, size_t n, char delimiter,
	  struct csv_columns *out)
{
	*out = (struct csv_columns){
		.n = n, .delimiter = delimiter == '\0' ? ',' : delimiter, .exact = true};
	out->at = n == 0 ? NULL : arena_new(a, struct csv_column, n);
	for (size_t i = 0; i < n; i++) {
		out->at[i] = (struct csv_column){.name = names[i], .untyped = true};
	}
}

int
csv_header(struct call *c, struct slice record, char delimiter, bool exact, struct csv_columns *out)
{
	struct slice rest = cells_line(record);
	size_t limit = exact ? LIMIT_CSV_HEADERS : CSV_COLUMNS_MAX;
	size_t most = 1;
	int r = 0;

	delimiter = delimiter == '\0' ? csv_delimiter(record) : delimiter;
	if (has_return(rest)) {
		return call_fail(
			c, ERR_VALIDATION,
			"the header has a carriage return (CR) in it: lines must not end in CR alone; "
			"to end them in LF: tr '\\r' '\\n'");
	}
	for (size_t i = 0; i < rest.len; i++) {
		most += rest.at[i] == delimiter;
	}
	if (most > limit) {
		return call_fail(c, ERR_VALIDATION, "the header has more than %zu columns", limit);
	}
	*out = (struct csv_columns){.at = arena_new(&c->arena, struct csv_column, most),
				    .delimiter = delimiter,
				    .exact = exact};
	while (r != CELLS_LAST) {
		struct cell cell;

		r = csv_next_cell(c, out, &rest, &cell);
		if (r < 0) {
			return r;
		}
		struct csv_column column =
			exact ? (struct csv_column){.name = cell.text, .untyped = true}
			      : column_named(cell.text);
		int failed = check_column(c, &column, exact);

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

/* Whether it is a JSON number without exponent. "007" and "+1" are not: they are meant as text. */
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

/* If the type is only @guessed, a number with too many digits, such as an ID, is text. */
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
	size_t i = 0;
	int failed = 0;
	int r = 0;

	*out = (struct item){.at = arena_new(&c->arena, struct attr, columns->n)};
	for (; r != CELLS_LAST; i++) {
		struct cell cell;

		r = csv_next_cell(c, columns, &rest, &cell);
		if (r < 0) {
			return r;
		}
		if (i >= columns->n && !columns->exact) {
			return call_fail(c, ERR_VALIDATION, "more cells than the %zu columns",
					 columns->n);
		}
		if (i < columns->n && (cell.text.len > 0 || cell.quoted) && failed == 0) {
			struct attr *attr = &out->at[out->n++];

			attr->name = columns->at[i].name;
			failed = csv_cell_value(c, &columns->at[i], &cell, &attr->value);
		}
		if (failed < 0 && !columns->exact) {
			return failed;
		}
	}
	if (failed == 0 && columns->exact && i != columns->n) {
		failed = call_fail(c, ERR_VALIDATION, "%zu cells where the header has %zu", i,
				   columns->n);
	}
	return failed < 0 ? CSV_NO_ITEM : 0;
}
