/* source_csv - see source_csv.h */
#include "tools/load/source_csv.h"

#include "store/base/text/cells.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/schema.h"

#include "tools/load/derive.h"
#include "tools/system/call_scope.h"

int
source_csv_delimiter(struct call *c, const char *text, char *out)
{
	bool tab = strcmp(text, "\\t") == 0 || strcmp(text, "tab") == 0;
	unsigned char ch = tab ? '\t' : (unsigned char)text[0];
	bool good =
		tab || (ch != '\0' && text[1] == '\0' && (ch == '\t' || ch >= ' ') && ch < 0x7f);

	*out = (char)ch;
	if (good && !ascii_word((char)ch) && strchr("\"'\\-", ch) == NULL) {
		return 0;
	}
	return call_fail(c, ERR_USAGE,
			 "--delimiter must be one character, such as \",\" \";\" \"|\" or \\t, "
			 "not \"%s\"",
			 text);
}

static bool
source_csv_has(const struct csv_columns *columns, struct slice name)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (slice_eq(columns->at[i].name, name)) {
			return true;
		}
	}
	return false;
}

/* Return true for at least two names such as id and user-id, and nothing else: a header of a table with unknown key. */
static bool
source_csv_plain(const struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		struct slice name = columns->at[i].name;

		for (size_t k = 0; k < name.len; k++) {
			if (!ascii_word(name.at[k]) && name.at[k] != '-') {
				return false;
			}
		}
		if (name.len == 0 || ascii_digit(name.at[0])) {
			return false;
		}
	}
	return columns->n > 1;
}

bool
source_csv_looks(const struct source_csv *o, struct slice line, const struct schema *s)
{
	struct csv_columns columns;

	if (line.len == 0 || line.at[0] == '{' || line.at[0] == '[') {
		return false;
	}
	call_scope(own, 0);
	if (csv_header(&own, line, o->delimiter, false, &columns) < 0) {
		return false;
	}
	struct slice pk = s->key.pk->name;
	bool made = derive_makes(o->derive, pk);

	return pk.len == 0 ? source_csv_plain(&columns)
			   : source_csv_has(&columns, made ? derive_takes(o->derive) : pk);
}

/* Return the end of a message: the columns, or advice about the delimiter if there is only one column. */
static struct slice
source_csv_others(struct call *c, const struct csv_columns *columns)
{
	if (columns->n < 2) {
		return SLICE(" (see --delimiter and --no-header)");
	}
	struct buf b = {.arena = &c->arena};
	for (size_t i = 0; i < columns->n; i++) {
		buf_fmt(&b, "%s%.*s", i == 0 ? "; the header has " : ", ",
			SLICE_ARG(columns->at[i].name));
	}
	return buf_view(&b);
}

/* Check that each key attribute has a column or a template; else the delimiter is wrong, or there is no header. */
static int
source_csv_check_key(struct call *c, const struct source_csv *o, const struct csv_columns *columns,
		     const struct key_schema *key)
{
	key_each (attr, key) {
		if (!source_csv_has(columns, attr->name) && !derive_makes(o->derive, attr->name)) {
			return call_fail(
				c, ERR_VALIDATION, "no column has the key attribute %.*s%.*s",
				SLICE_ARG(attr->name), SLICE_ARG(source_csv_others(c, columns)));
		}
	}
	return 0;
}

int
source_csv_header(struct call *c, const struct source_csv *o, struct slice record, char delimiter,
		  const struct schema *s, const struct csv_columns **out)
{
	struct csv_columns *columns = arena_new(&c->arena, struct csv_columns, 1);
	int r = csv_header(c, record, delimiter, false, columns);

	if (r == 0) {
		csv_adopt(columns, s, o->infer);
		r = source_csv_check_key(c, o, columns, &s->key);
	}
	*out = r == 0 ? columns : NULL;
	return r;
}

/* Return true if the first line of the file has the same names as --columns: then it is a header. */
static bool
source_csv_repeats(const struct csv_columns *columns, struct slice first, char delimiter)
{
	struct csv_columns named;

	call_scope(own, 0);
	bool same = first.len > 0 && csv_header(&own, first, delimiter, false, &named) == 0 &&
		    named.n == columns->n;

	for (size_t i = 0; same && i < columns->n; i++) {
		same = slice_eq(named.at[i].name, columns->at[i].name);
	}
	return same;
}

static size_t
source_csv_cells(struct call *c, struct slice line, char delimiter)
{
	struct slice rest = cells_line(line);
	struct cell cell;
	size_t n = 0;
	int r;

	do {
		r = cells_next(c, delimiter, &rest, &cell);
		n++;
	} while (r == 0);
	c->error = (struct error){0};
	return r == CELLS_LAST ? n : 0;
}

/* Detect the delimiter of a first record without header: the only one that gives @n cells, or that occurs at all. */
static int
source_csv_guess(struct call *c, size_t n, struct slice first, char *out)
{
	static const char all[] = {',', '\t', ';', '|'};
	size_t fit = 0, cut = 0;
	char cuts = ',';

	for (size_t i = 0; i < sizeof(all); i++) {
		size_t cells = source_csv_cells(c, first, all[i]);

		if (cells > 1) {
			cuts = all[i];
			cut++;
		}
		if (cells > 1 && cells == n) {
			*out = all[i];
			fit++;
		}
	}
	if (fit == 0 && cut <= 1) {
		*out = cuts;
		return 0;
	}
	return fit == 1 ? 0
			: call_fail(c, ERR_USAGE,
				    "more than one of comma, tab, semicolon and pipe (|) may "
				    "separate the cells of the first line: select one with "
				    "--delimiter");
}

int
source_csv_given(struct call *c, const struct source_csv *o, struct slice first, char delimiter,
		 const struct schema *s, const struct csv_columns **out)
{
	if (source_csv_header(c, o, slice_from(o->columns), ',', s, out) != 0) {
		return call_prefix(c, "--columns: ");
	}
	struct csv_columns *columns = arena_new(&c->arena, struct csv_columns, 1);

	*columns = **out;
	if (delimiter == '\0' && source_csv_guess(c, columns->n, first, &delimiter) < 0) {
		return -ERR_USAGE;
	}
	if (source_csv_repeats(columns, first, delimiter)) {
		return call_fail(c, ERR_USAGE,
				 "the first line is a header, which names the columns: leave out "
				 "--no-header");
	}
	columns->delimiter = delimiter;
	*out = columns;
	return 0;
}

int
source_csv_item(struct call *c, const struct csv_columns *columns, struct slice record,
		bool unended, struct item *out)
{
	int r = csv_item(c, columns, record, out);
	size_t cells =
		r == 0 && unended ? source_csv_cells(c, record, columns->delimiter) : columns->n;

	return cells >= columns->n
		       ? r
		       : call_fail(
				 c, ERR_VALIDATION,
				 "the file ends here, with %zu of %zu cells and without a newline: "
				 "it is cut short, or the newline is missing",
				 cells, columns->n);
}

void
source_csv_see(struct source_csv *o, const struct csv_columns *columns, struct slice record,
	       const struct schema *s)
{
	struct csv_columns guessed = *columns;
	struct item it;

	if (o->infer || o->numbers[0] != '\0') {
		return;
	}
	call_scope(own, 0);
	guessed.at = arena_new(&own.arena, struct csv_column, columns->n + 1);
	memcpy(guessed.at, columns->at, columns->n * sizeof(*guessed.at));
	csv_adopt(&guessed, s, true);

	bool read = csv_item(&own, &guessed, record, &it) == 0;

	for (size_t i = 0; read && i < columns->n && o->numbers[0] == '\0'; i++) {
		const struct value *v = item_get(&it, columns->at[i].name);

		if (columns->at[i].untyped && v != NULL && v->type == VALUE_N) {
			(void)snprintf(o->numbers, sizeof(o->numbers), "%.*s",
				       SLICE_ARG(columns->at[i].name));
		}
	}
}
