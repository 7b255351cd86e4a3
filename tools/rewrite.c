/* rewrite - see rewrite.h; words are looked at, no grammar: what does not look as it is expected is left alone */
#include "tools/rewrite.h"

#include "store/base/ascii.h"
#include "store/base/json.h"
#include "store/base/shell_word.h"

enum { REWRITE_COLUMNS = 50 };

/* ------------------------------------------------------------ words */

/* The next word: letters, a text in quotes, or one other sign; *@text is moved behind it. */
static struct slice
rewrite_next(struct slice *text)
{
	struct slice s = ascii_trim(*text);
	size_t n = 0;

	if (s.len > 0 && (s.at[0] == '\'' || s.at[0] == '"')) {
		for (n = 1; n < s.len && s.at[n] != s.at[0]; n++) {
		}
		n += n < s.len;
	} else {
		while (n < s.len && (ascii_word(s.at[n]) || strchr(".-", s.at[n]) != NULL ||
				     (unsigned char)s.at[n] >= 0x80)) {
			n++;
		}
		n = n == 0 && s.len > 0 ? 1 : n;
	}
	*text = slice_skip(s, n);
	return slice_of(s.at, n);
}

/* The words of @want, whatever their letters; *@text is moved behind them. */
static bool
rewrite_take(struct slice *text, const char *want)
{
	struct slice rest = *text;
	struct slice words = slice_from(want);

	while (words.len > 0) {
		if (!ascii_same(rewrite_next(&rest), rewrite_next(&words))) {
			return false;
		}
	}
	*text = rest;
	return true;
}

/* Where @word stands as a word in @text; text.len: nowhere. */
static size_t
rewrite_find(struct slice text, const char *word)
{
	struct slice rest = text;

	while (rest.len > 0) {
		struct slice before = rest;

		if (rewrite_take(&rest, word)) {
			return (size_t)(before.at - text.at);
		}
		(void)rewrite_next(&rest);
	}
	return text.len;
}

static struct slice
rewrite_bare(struct slice word)
{
	bool quoted =
		word.len > 1 && (word.at[0] == '"' || word.at[0] == '\'' || word.at[0] == '`');

	return quoted ? slice_of(word.at + 1, word.len - 2) : word;
}

static bool
rewrite_ends(struct slice text)
{
	text = ascii_trim(text);
	return text.len == 0 || slice_is(text, ";");
}

/* ------------------------------------------------------------ tables */

static void
rewrite_type(struct buf *out, struct slice rest)
{
	static const char *const numbers[] = {"int",     "integer", "bigint", "number",
					      "numeric", "real",    "float",  "decimal"};
	struct slice type = rewrite_next(&rest);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (ascii_same(type, slice_from(numbers[i]))) {
			buf_str(out, ":N");
		}
	}
}

/* The column @name, with its type as the list of columns has it. */
static void
rewrite_column(struct buf *out, struct slice columns, struct slice name)
{
	shell_word(out, rewrite_bare(name));
	while (columns.len > 0) {
		if (slice_eq(rewrite_next(&columns), name)) {
			rewrite_type(out, columns);
			return;
		}
	}
}

/* The column that is said to be the key; else the first one. */
static struct slice
rewrite_primary(struct slice columns)
{
	struct slice first = {0};
	struct slice name = {0};

	for (bool begins = true; columns.len > 0;) {
		if (rewrite_take(&columns, "primary key")) {
			return name;
		}
		struct slice word = rewrite_next(&columns);

		name = begins ? word : name;
		first = first.len == 0 ? name : first;
		begins = slice_is(word, ",");
	}
	return first;
}

/* CREATE TABLE t (a int primary key, ...), or (..., primary key (a, b)); else the first column is the key. */
static bool
rewrite_create(struct slice text, struct buf *out)
{
	(void)rewrite_take(&text, "if not exists");
	struct slice table = rewrite_next(&text);

	if (table.len == 0 || !rewrite_take(&text, "(")) {
		return false;
	}
	struct slice columns = text;
	struct slice primary = slice_skip(text, rewrite_find(text, "primary key"));

	buf_str(out, "itemctl create-table ");
	shell_word(out, rewrite_bare(table));
	buf_str(out, " --key ");
	if (!rewrite_take(&primary, "primary key (")) {
		rewrite_column(out, columns, rewrite_primary(columns));
		return true;
	}
	rewrite_column(out, columns, rewrite_next(&primary));
	if (rewrite_take(&primary, ",")) {
		buf_char(out, ',');
		rewrite_column(out, columns, rewrite_next(&primary));
	}
	return true;
}

/* CREATE INDEX i ON t (a, b) */
static bool
rewrite_create_index(struct slice text, struct buf *out)
{
	struct slice index = rewrite_next(&text);

	if (!rewrite_take(&text, "on")) {
		return false;
	}
	buf_str(out, "itemctl alter ");
	shell_word(out, rewrite_bare(rewrite_next(&text)));
	buf_str(out, " --add-gsi ");
	shell_word(out, rewrite_bare(index));
	buf_char(out, '=');
	if (!rewrite_take(&text, "(")) {
		return false;
	}
	shell_word(out, rewrite_bare(rewrite_next(&text)));
	if (rewrite_take(&text, ",")) {
		buf_char(out, ',');
		shell_word(out, rewrite_bare(rewrite_next(&text)));
	}
	return true;
}

/* One name, and nothing behind it. */
static bool
rewrite_named(struct slice text, const char *before, const char *after, struct buf *out)
{
	struct slice name = rewrite_next(&text);

	if (name.len == 0 || !rewrite_ends(text)) {
		return false;
	}
	buf_fmt(out, "itemctl %s ", before);
	shell_word(out, rewrite_bare(name));
	if (after != NULL) {
		buf_fmt(out, " | itemctl %s ", after);
		shell_word(out, rewrite_bare(name));
		buf_str(out, " -");
	}
	return true;
}

/* ------------------------------------------------------------ items */

/* INSERT INTO t (a, b) VALUES (1, 'x') */
static bool
rewrite_insert(struct slice text, struct buf *out)
{
	struct slice columns[REWRITE_COLUMNS];
	struct slice table = rewrite_next(&text);
	struct buf item = {0};
	size_t n = 0;
	size_t i = 0;
	bool good = rewrite_take(&text, "(");

	while (good && n < REWRITE_COLUMNS) {
		columns[n++] = rewrite_bare(rewrite_next(&text));
		if (!rewrite_take(&text, ",")) {
			break;
		}
	}
	good = good && rewrite_take(&text, ") values (");
	buf_fmt(&item, "INSERT INTO %.*s VALUE {", SLICE_ARG(table));
	for (; good && i < n; i++) {
		struct slice value = rewrite_next(&text);

		buf_fmt(&item, "%s'%.*s': %.*s", i == 0 ? "" : ", ", SLICE_ARG(columns[i]),
			SLICE_ARG(value));
		good = rewrite_take(&text, i + 1 < n ? "," : ")");
	}
	buf_char(&item, '}');
	good = good && rewrite_ends(text);
	if (good) {
		buf_str(out, "itemctl sql ");
		shell_text(out, buf_view(&item));
	}
	buf_release(&item);
	return good;
}

/* SELECT DISTINCT a, b FROM t ... */
static bool
rewrite_distinct(struct slice text, struct buf *out)
{
	struct slice list = text;

	if (!rewrite_take(&list, "select distinct")) {
		return false;
	}
	size_t n = rewrite_find(list, "from");
	struct slice rest = slice_skip(list, n);
	struct buf grouped = {0};

	list = ascii_trim(slice_of(list.at, n));
	if (rest.len == 0 || slice_is(list, "*") || rewrite_find(rest, "order by") < rest.len ||
	    rewrite_find(rest, "group by") < rest.len || rewrite_find(rest, "limit") < rest.len) {
		return false;
	}
	rest = ascii_trim(rest);
	rest.len -= rest.at[rest.len - 1] == ';';
	buf_fmt(&grouped, "SELECT %.*s %.*s GROUP BY %.*s", SLICE_ARG(list), SLICE_ARG(rest),
		SLICE_ARG(list));
	buf_str(out, "itemctl sql ");
	shell_text(out, buf_view(&grouped));
	buf_release(&grouped);
	return true;
}

/* SELECT ... LIMIT 5 */
static bool
rewrite_limit(struct slice text, struct buf *out)
{
	size_t at = rewrite_find(text, "limit");
	struct slice rest = slice_skip(text, at);

	if (!rewrite_take(&rest, "limit")) {
		return false;
	}
	struct slice number = rewrite_next(&rest);

	if (number.len == 0 || !ascii_digit(number.at[0]) || !rewrite_ends(rest)) {
		return false;
	}
	buf_fmt(out, "itemctl sql --limit %.*s ", SLICE_ARG(number));
	shell_text(out, ascii_trim(slice_of(text.at, at)));
	return true;
}

bool
rewrite_sql(struct slice text, struct buf *out)
{
	struct slice rest = text;
	size_t before = out->len;
	bool done;

	if (rewrite_take(&rest, "create table")) {
		done = rewrite_create(rest, out);
	} else if (rewrite_take(&rest, "create index")) {
		done = rewrite_create_index(rest, out);
	} else if (rewrite_take(&rest, "drop table")) {
		done = rewrite_named(rest, "drop", NULL, out);
	} else if (rewrite_take(&rest, "describe") || rewrite_take(&rest, "desc") ||
		   rewrite_take(&rest, ".schema")) {
		done = rewrite_named(rest, "describe", NULL, out);
	} else if (rewrite_take(&rest, "truncate table") || rewrite_take(&rest, "truncate") ||
		   rewrite_take(&rest, "delete from")) {
		done = rewrite_named(rest, "scan", "delete", out);
	} else if (rewrite_take(&rest, "insert into")) {
		done = rewrite_insert(rest, out);
	} else {
		done = rewrite_distinct(text, out) ||
		       (rewrite_take(&rest, "select") && rewrite_limit(text, out));
	}
	out->len = done ? out->len : before;
	return done;
}

/* A comma that nothing follows but the end of an object or array. */
static bool
rewrite_is_last_comma(struct slice text, size_t at)
{
	struct slice rest = ascii_trim(slice_skip(text, at + 1));

	return text.at[at] == ',' && rest.len > 0 && (rest.at[0] == '}' || rest.at[0] == ']');
}

/* Append the brackets that a text which ends too early has not closed; false: it ends in a text. */
static bool
rewrite_close(struct buf *b)
{
	char open[16];
	size_t depth = 0;
	bool inside = false;

	for (size_t i = 0; i < b->len; i++) {
		char ch = b->at[i];

		if (ch == '"' && (i == 0 || b->at[i - 1] != '\\')) {
			inside = !inside;
		} else if (!inside && (ch == '{' || ch == '[')) {
			if (depth == sizeof(open)) {
				return false;
			}
			open[depth++] = ch == '{' ? '}' : ']';
		} else if (!inside && (ch == '}' || ch == ']')) {
			depth -= depth > 0;
		}
	}
	while (!inside && depth > 0) {
		buf_char(b, open[--depth]);
	}
	return !inside;
}

bool
rewrite_item(struct slice text, struct buf *out)
{
	bool quoted = memchr(text.at, '"', text.len) != NULL;
	struct buf b = {0};
	size_t at;

	for (size_t i = 0; i < text.len; i++) {
		if (!rewrite_is_last_comma(text, i)) {
			buf_char(&b, text.at[i] == '\'' && !quoted ? '"' : text.at[i]);
		}
	}
	bool good = b.len > 0 && b.at[0] == '{' && rewrite_close(&b) &&
		    json_fault(buf_view(&b), &at) == NULL;

	if (good) {
		shell_text(out, buf_view(&b));
	}
	buf_release(&b);
	return good;
}
