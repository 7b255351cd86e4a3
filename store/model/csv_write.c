/* csv_write - finds the columns of items, and writes headers and records */
#include "store/base/text/base64.h"
#include "store/base/text/cells.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

static enum csv_kind
kind_of(enum value_type type)
{
	return type == VALUE_S   ? CSV_TEXT
	       : type == VALUE_N ? CSV_NUMBER
	       : type == VALUE_B ? CSV_BINARY
				 : CSV_JSON;
}

/*
 * Makes sure that @attr has a column. Attributes are usually in the order of the columns, so the search begins at
 * @hint.
 * Return: the index after the column, the next hint
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

/* Whether a spreadsheet would take it for a formula. This is OWASP's list, with the full-width forms of the signs. */
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

/* Appends a cell. If @safe, text that a spreadsheet would take for a formula gets an apostrophe. */
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
		/* A string column needs a type only if its name looks typed. */
		bool bare = columns->untyped ||
			    (column->kind == CSV_TEXT && !csv_looks_typed(column->name));

		buf_set(&cell, column->name);
		if (!bare) {
			buf_str(&cell, csv_suffix(column->kind));
		}
		if (i > 0) {
			buf_char(out, csv_between(columns));
		}
		/* Quote what a reader may take for a delimiter. */
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

/* Appends a value as JSON or base64. */
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
	size_t next = 0; /* attributes are usually in the order of the columns */

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
