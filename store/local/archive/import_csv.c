/* import_csv - reads the header and the lines of CSV */
#include "store/local/archive/import_csv.h"

#include "store/base/core/utf8.h"
#include "store/base/text/base64.h"
#include "store/base/text/cells.h"
#include "store/local/tables/tables.h"
#include "store/model/limits.h"
#include "store/model/number.h"

/* As with the service, a quote may occur only in a quoted cell. */
static int
next_cell(struct call *c, char delimiter, struct slice *rest, struct cell *out)
{
	int r = cells_next(c, delimiter, rest, out);

	return r >= 0 && !out->quoted && slice_chr(out->text, '"') != NULL
		       ? call_fail(c, ERR_VALIDATION, "a quote in a cell that is not quoted")
		       : r;
}

static bool
is_named(const struct slice *names, size_t n, struct slice name)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(names[i], name)) {
			return true;
		}
	}
	return false;
}

int
import_csv_head(struct call *c, struct slice line, struct csv_head *out)
{
	struct slice *names;
	size_t n = 0;
	size_t most = 1;
	int r = 0;

	for (size_t i = 0; i < line.len; i++) {
		most += line.at[i] == out->delimiter;
	}
	if (most > LIMIT_CSV_HEADERS) {
		return call_fail(c, ERR_VALIDATION, "the header has over %d columns",
				 LIMIT_CSV_HEADERS);
	}
	names = arena_new(&c->arena, struct slice, most);
	while (r != CELLS_LAST) {
		struct cell cell;

		r = next_cell(c, out->delimiter, &line, &cell);
		if (r < 0) {
			return r;
		}
		if (cell.text.len == 0 || !utf8_valid(cell.text) || is_named(names, n, cell.text)) {
			return call_fail(c, ERR_VALIDATION,
					 "the header has a column without a name of its own");
		}
		names[n++] = cell.text;
	}
	out->names = names;
	out->n = n;
	return 0;
}

static int
import_csv_cell_value(struct call *c, const struct schema *s, struct slice name, struct slice text,
		      struct value *out)
{
	enum value_type type = VALUE_S;
	struct buf bytes;

	(void)table_uses(s, name, &type);
	*out = value_string(text);
	out->type = type;
	if (type == VALUE_N) {
		return number_canonical(c, text, &out->text);
	}
	if (type == VALUE_S) {
		return utf8_valid(text)
			       ? 0
			       : call_fail(c, ERR_VALIDATION, "%.*s is not UTF-8", SLICE_ARG(name));
	}
	buf_init(&bytes, &c->arena);
	if (!base64_decode(&bytes, text)) {
		return call_fail(c, ERR_VALIDATION, "%.*s is not base64", SLICE_ARG(name));
	}
	out->text = buf_view(&bytes);
	return 0;
}

int
import_csv_item(struct call *c, const struct schema *s, const struct csv_head *head,
		struct slice line, struct item *out)
{
	size_t column = 0;
	int failed = 0;
	int r = 0;

	*out = (struct item){.at = arena_new(&c->arena, struct attr, head->n)};
	while (r != CELLS_LAST) {
		struct cell cell;

		r = next_cell(c, head->delimiter, &line, &cell);
		if (r < 0) {
			return r;
		}
		if (column < head->n && (cell.text.len > 0 || cell.quoted) && failed == 0) {
			struct attr *a = &out->at[out->n++];

			a->name = head->names[column];
			failed = import_csv_cell_value(c, s, a->name, cell.text, &a->value);
		}
		column++;
	}
	if (failed == 0 && column != head->n) {
		failed = call_fail(c, ERR_VALIDATION, "%zu cells where the header has %zu", column,
				   head->n);
	}
	return failed < 0;
}
