/* rewrite - see rewrite.h; words are looked at, no grammar: what does not look as it is expected is left alone */
#include "tools/rewrite.h"

#include "store/base/ascii.h"
#include "store/base/cleanup.h"
#include "store/base/json.h"
#include "store/base/shell_word.h"
#include "store/open.h"

#include "tools/fmt.h"
#include "tools/sql_mend.h"
#include "tools/sql_text.h"
#include "tools/statements.h"
#include "tools/words.h"

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
	bool quoted = word.len > 1 && word.at[word.len - 1] == word.at[0] &&
		      (word.at[0] == '"' || word.at[0] == '\'' || word.at[0] == '`');

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
	static const char numbers[] = "int integer bigint number numeric real float decimal";

	buf_str(out, words_in_any_case(numbers, rewrite_next(&rest)) ? ":N" : "");
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

	fmt_shell(out, "itemctl create-table % --key ", rewrite_bare(table));
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

/* (a, b) as the key of an index; @columns: with their types, where they are known */
static bool
rewrite_key(struct slice *text, struct slice columns, struct buf *out)
{
	if (!rewrite_take(text, "(")) {
		return false;
	}
	rewrite_column(out, columns, rewrite_next(text));
	(void)(rewrite_take(text, "asc") || rewrite_take(text, "desc"));
	if (rewrite_take(text, ",")) {
		buf_char(out, ',');
		rewrite_column(out, columns, rewrite_next(text));
		(void)(rewrite_take(text, "asc") || rewrite_take(text, "desc"));
	}
	return rewrite_take(text, ")") && rewrite_ends(*text);
}

/* CREATE INDEX i ON t (a, b); @of: the table whose line there is already, with its @columns; empty: none */
static bool
rewrite_create_index(struct slice text, struct slice of, struct slice columns, struct buf *out)
{
	(void)rewrite_take(&text, "if not exists");
	struct slice index = rewrite_bare(rewrite_next(&text));

	if (!rewrite_take(&text, "on")) {
		return false;
	}
	struct slice table = rewrite_bare(rewrite_next(&text));

	if (of.len == 0) {
		fmt_shell(out, "itemctl alter % --add-gsi %=", table, index);
	} else {
		fmt_shell(out, " --gsi %=", index);
	}
	return (of.len == 0 || slice_eq(table, of)) && rewrite_key(&text, columns, out);
}

/* DROP INDEX i [ON t]: else it is the only table with such an index. */
static bool
rewrite_drop_index(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	(void)rewrite_take(&text, "if exists");
	struct slice index = rewrite_bare(rewrite_next(&text));
	struct slice table = {0};

	if (rewrite_take(&text, "on")) {
		table = rewrite_bare(rewrite_next(&text));
	} else if (ctl != NULL) {
		table = sql_mend_table_of_index(ctl, c, index);
	}
	fmt_shell(out, "itemctl alter % --drop-gsi %", table, index);
	return table.len > 0 && index.len > 0 && rewrite_ends(text);
}

/* A name that needs quotes neither in an expression nor in a shell. */
static bool
rewrite_plain(struct slice name)
{
	bool plain = name.len > 0;

	for (size_t i = 0; i < name.len; i++) {
		plain = plain && ascii_word(name.at[i]);
	}
	return plain;
}

/* ALTER TABLE t ... */
static bool
rewrite_alter(struct slice text, struct buf *out)
{
	struct slice table = rewrite_bare(rewrite_next(&text));
	cleanup(buf_release) struct buf change = {0};
	bool good = table.len > 0;

	if (rewrite_take(&text, "add index")) {
		struct slice index = rewrite_bare(rewrite_next(&text));

		fmt_shell(out, "itemctl alter % --add-gsi %=", table, index);
		return good && rewrite_key(&text, SLICE(""), out);
	}
	if (rewrite_take(&text, "rename to")) {
		struct slice name = rewrite_bare(rewrite_next(&text));

		fmt_shell(out, "itemctl copy % --to % && itemctl drop % --yes", table, name, table);
		return good && rewrite_plain(name) && rewrite_ends(text);
	}
	if (rewrite_take(&text, "rename column") || rewrite_take(&text, "rename")) {
		struct slice old = rewrite_bare(rewrite_next(&text));

		good = good && rewrite_take(&text, "to");
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && rewrite_plain(old) && rewrite_plain(name);
		buf_fmt(&change, "--filter 'attribute_exists(%.*s)' 'SET %.*s = %.*s REMOVE %.*s'",
			SLICE_ARG(old), SLICE_ARG(name), SLICE_ARG(old), SLICE_ARG(old));
		good = good && rewrite_ends(text);
	} else if (rewrite_take(&text, "drop column") || rewrite_take(&text, "drop")) {
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && rewrite_plain(name);
		buf_fmt(&change, "--all 'REMOVE %.*s'", SLICE_ARG(name));
		good = good && rewrite_ends(text);
	} else {
		good = false;
	}
	if (good) {
		fmt_shell(out, "itemctl update % ", table);
		buf_slice(out, buf_view(&change));
	}
	return good;
}

/* One name, and nothing behind it. */
static bool
rewrite_named(struct slice text, const char *line, struct buf *out)
{
	(void)rewrite_take(&text, "if exists");
	struct slice name = rewrite_next(&text);

	if (name.len == 0 || !rewrite_ends(text)) {
		return false;
	}
	fmt_shell(out, line, rewrite_bare(name));
	return true;
}

static bool
rewrite_one(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	static const char *const named[][2] = {
		{"drop table", "itemctl drop % --yes"},
		{"describe table", "itemctl describe %"},
		{"describe", "itemctl describe %"},
		{"desc", "itemctl describe %"},
		{".schema", "itemctl describe %"},
		{"show create table", "itemctl describe %"},
		{"show columns from", "itemctl describe %"},
		{"truncate table", "itemctl delete % --all"},
		{"truncate", "itemctl delete % --all"},
	};
	struct slice rest = text;
	size_t before = out->len;
	bool done = false;

	if (rewrite_take(&rest, "create table")) {
		done = rewrite_create(rest, out);
	} else if (rewrite_take(&rest, "create index") ||
		   rewrite_take(&rest, "create unique index")) {
		done = rewrite_create_index(rest, SLICE(""), SLICE(""), out);
	} else if (rewrite_take(&rest, "drop index")) {
		done = rewrite_drop_index(ctl, c, rest, out);
	} else if (rewrite_take(&rest, "alter table")) {
		done = rewrite_alter(rest, out);
	}
	for (size_t i = 0; !done && i < sizeof(named) / sizeof(named[0]); i++) {
		done = rewrite_take(&rest, named[i][0]) && rewrite_named(rest, named[i][1], out);
	}
	out->len = done ? out->len : before;
	return done;
}

/* An index of the table that @first makes, as an option of its line; else nothing is appended. */
static bool
rewrite_gsi(struct slice first, struct slice text, struct buf *out)
{
	size_t before = out->len;
	bool creates = rewrite_take(&first, "create table");

	(void)rewrite_take(&first, "if not exists");
	struct slice table = rewrite_bare(rewrite_next(&first));
	bool done = creates &&
		    (rewrite_take(&text, "create index") ||
		     rewrite_take(&text, "create unique index")) &&
		    rewrite_create_index(text, table, first, out);

	out->len = done ? out->len : before;
	return done;
}

/* One more of the statements that the line does not carry out. */
static void
rewrite_without(struct buf *others, struct slice one)
{
	if (others->len < 225) {
		buf_fmt(others, "%s%.*s", others->len > 0 ? "; " : " # without: ", SLICE_ARG(one));
	} else if (!slice_ends(buf_view(others), SLICE("..."))) {
		buf_str(others, " ...");
	}
}

bool
rewrite_sql(struct ctl *ctl, struct call *c, struct slice text, struct buf *out)
{
	static const size_t most = 900; /* bytes */
	struct statements all = {.text = text};
	cleanup(buf_release) struct buf others = {0}; /* what the line does not carry out */
	struct slice first = {0};
	struct slice one;
	size_t begin = out->len, n = 0, questions;

	if (!statements_next(&all, &first, &questions) || !rewrite_one(ctl, c, first, out)) {
		return false;
	}
	while (statements_next(&all, &one, &questions)) {
		struct slice verb = one;
		size_t before = out->len;

		one = ascii_trim(one);
		if (n == 0 && rewrite_gsi(first, one, out)) {
			continue;
		}
		n++;
		buf_str(out, " && ");
		if (before - begin < most && rewrite_one(ctl, c, one, out)) {
			continue;
		}
		if (before - begin < most &&
		    words_in_any_case(SQL_TEXT_VERBS, rewrite_next(&verb))) {
			buf_str(out, "itemctl sql ");
			shell_text(out, one);
			continue;
		}
		out->len = before;
		rewrite_without(&others, one);
	}
	for (size_t i = 0; i < others.len; i++) {
		buf_char(out, others.at[i] == '\n' ? ' ' : others.at[i]);
	}
	return true;
}

/* JSON as somebody types it, on its way to JSON. */
struct rewrite_json {
	struct slice rest;
	struct buf out;
	char open[16]; /* what closes each object and array */
	size_t depth;
	bool name; /* the next word is one */
};

/* A text in either quotes, as JSON has it; false: it has no end. */
static bool
rewrite_string(struct rewrite_json *j)
{
	char quote = j->rest.at[0];
	size_t i = 1;

	buf_char(&j->out, '"');
	for (; i < j->rest.len && j->rest.at[i] != quote; i++) {
		char ch = j->rest.at[i];

		if (ch == '\\' && i + 1 < j->rest.len) {
			ch = j->rest.at[++i];
			buf_str(&j->out, ch == '\'' ? "" : "\\");
		} else if (ch == '"') {
			buf_char(&j->out, '\\');
		}
		buf_char(&j->out, ch);
	}
	buf_char(&j->out, '"');
	bool ends = i < j->rest.len;

	j->rest = slice_skip(j->rest, i + ends);
	return ends;
}

/* A name or value without quotes: a number, a word of JSON or of Python, or a text. */
static void
rewrite_bare_word(struct rewrite_json *j)
{
	static const char *const words[][2] = {{"True", "true"},   {"False", "false"},
					       {"None", "null"},   {"true", "true"},
					       {"false", "false"}, {"null", "null"}};
	const char *ends = j->name ? ":,}" : ",}]";
	size_t n = 0;
	size_t at;

	while (n < j->rest.len && strchr(ends, j->rest.at[n]) == NULL) {
		n++;
	}
	struct slice word = ascii_trim(slice_of(j->rest.at, n));
	bool plain = !j->name && json_fault(word, &at) == NULL;

	j->rest = slice_skip(j->rest, n);
	for (size_t i = 0; !j->name && i < sizeof(words) / sizeof(words[0]); i++) {
		if (slice_is(word, words[i][0])) {
			buf_str(&j->out, words[i][1]);
			return;
		}
	}
	buf_fmt(&j->out, plain ? "%.*s" : "\"%.*s\"", SLICE_ARG(word));
}

/* A bracket, a comma or a colon; false: brackets do not match, or are too deep. */
static bool
rewrite_sign(struct rewrite_json *j, char ch)
{
	bool opens = ch == '{' || ch == '[';

	if (opens && j->depth == sizeof(j->open)) {
		return false;
	}
	if (opens) {
		j->open[j->depth++] = ch == '{' ? '}' : ']';
	} else if (ch == '}' || ch == ']') {
		while (j->out.len > 0 && strchr(", \t\n", j->out.at[j->out.len - 1]) != NULL) {
			j->out.len--; /* a comma that nothing follows */
		}
		if (j->depth == 0 || j->open[--j->depth] != ch) {
			return false;
		}
	}
	j->name = ch == '{' || (ch == ',' && j->depth > 0 && j->open[j->depth - 1] == '}');
	buf_char(&j->out, ch);
	j->rest = slice_skip(j->rest, 1);
	return true;
}

/* Blanks, and the comments of other notations. */
static bool
rewrite_gap(struct rewrite_json *j)
{
	struct slice s = j->rest;
	size_t n = 0;

	while (n < s.len && ascii_blank(s.at[n])) {
		n++;
	}
	if (n == 0 && slice_starts(s, SLICE("/*"))) {
		const char *end = memmem(s.at, s.len, "*/", 2);

		n = end == NULL ? s.len : (size_t)(end + 2 - s.at);
	} else if (n == 0 && slice_starts(s, SLICE("//"))) {
		const char *end = memchr(s.at, '\n', s.len);

		n = end == NULL ? s.len : (size_t)(end - s.at);
	} else {
		buf_put(&j->out, s.at, n);
	}
	j->rest = slice_skip(s, n);
	return n > 0;
}

/* The quotes of another shell, as {\"a\":1} and {""a"":1}, without what is in front of them. */
static struct slice
rewrite_quotes(struct slice text, struct buf *out)
{
	char before = text.len > 2 && text.at[0] == '{' && text.at[2] == '"' ? text.at[1] : '\0';

	if (before != '\\' && before != '"') {
		return text;
	}
	for (size_t i = 0; i < text.len; i++) {
		i += text.at[i] == before && i + 1 < text.len && text.at[i + 1] == '"';
		buf_char(out, text.at[i]);
	}
	return buf_view(out);
}

bool
rewrite_json(struct slice text, struct buf *out)
{
	struct buf bare = {0};
	struct rewrite_json j = {.rest = rewrite_quotes(ascii_trim(text), &bare)};
	bool good = j.rest.len > 0 && (j.rest.at[0] == '{' || j.rest.at[0] == '[');
	size_t at;

	while (good && j.rest.len > 0) {
		char ch = j.rest.at[0];

		if (rewrite_gap(&j)) {
			continue;
		}
		if (ch == '"' || ch == '\'') {
			good = rewrite_string(&j);
		} else if (strchr("{}[],:", ch) != NULL) {
			good = rewrite_sign(&j, ch);
		} else {
			rewrite_bare_word(&j);
		}
	}
	while (good && j.depth > 0) {
		buf_char(&j.out, j.open[--j.depth]);
	}
	good = good && json_fault(buf_view(&j.out), &at) == NULL;
	if (good) {
		buf_slice(out, buf_view(&j.out));
	}
	buf_release(&j.out);
	buf_release(&bare);
	return good;
}
