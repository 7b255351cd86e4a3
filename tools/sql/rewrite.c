/* rewrite - see rewrite.h; words are looked at, no grammar: what does not look as it is expected is left alone */
#include "tools/sql/rewrite.h"

#include <glob.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"

#include "tools/cli/synonyms.h"
#include "tools/sql/sql_mend.h"
#include "tools/text/fmt.h"
#include "tools/text/rewrite_json.h"
#include "tools/text/sql_text.h"
#include "tools/text/statements.h"
#include "tools/text/words.h"

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

/* 'FILE', read_json('PATTERN') and the like, or a table: all of its items into @table; @there: which exists */
static bool
rewrite_from(struct slice table, struct slice text, bool there, struct buf *out)
{
	cleanup(globfree) glob_t files = {0};
	struct slice word = rewrite_next(&text);
	struct slice rest = text;

	if (slice_starts(word, SLICE("read_")) && rewrite_take(&rest, "(")) {
		word = rewrite_next(&rest);
		text = rewrite_take(&rest, ")") ? rest : text;
	}
	bool file = word.len > 2 && (word.at[0] == '\'' || word.at[0] == '"');

	if (!file) {
		fmt_shell(out, "itemctl copy % --to %", rewrite_bare(word), rewrite_bare(table));
		return word.len > 0 && !there && rewrite_ends(text);
	}
	cleanup(buf_release) struct buf pattern = {0};

	buf_slice(&pattern, rewrite_bare(word));
	buf_char(&pattern, '\0');
	fmt_shell(out, "itemctl import %", rewrite_bare(table));
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): it reads no environment without GLOB_TILDE */
	(void)glob(pattern.at, GLOB_NOCHECK, NULL, &files);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		fmt_shell(out, " %", slice_from(files.gl_pathv[i]));
	}
	buf_str(out, there ? "" : " --key auto");
	return rewrite_ends(text);
}

/* CREATE TABLE t (a int primary key, ...), or (..., primary key (a, b)); else the first column is the key. */
static bool
rewrite_create(struct slice text, struct buf *out)
{
	bool perhaps = rewrite_take(&text, "if not exists");
	struct slice table = rewrite_next(&text);

	if (rewrite_take(&text, "as select * from") || rewrite_take(&text, "as from")) {
		return rewrite_from(table, text, false, out);
	}
	if (table.len == 0 || !rewrite_take(&text, "(")) {
		return false;
	}
	struct slice columns = text;
	struct slice primary = slice_skip(text, rewrite_find(text, "primary key"));

	fmt_shell(out, "itemctl create-table % --key ", rewrite_bare(table));
	if (!rewrite_take(&primary, "primary key (")) {
		rewrite_column(out, columns, rewrite_primary(columns));
	} else {
		rewrite_column(out, columns, rewrite_next(&primary));
		if (rewrite_take(&primary, ",")) {
			buf_char(out, ',');
			rewrite_column(out, columns, rewrite_next(&primary));
		}
	}
	buf_str(out, perhaps ? " --if-not-exists" : "");
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
	if (!rewrite_take(&text, "create index") && !rewrite_take(&text, "create unique index")) {
		return false;
	}
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
		return good && words_plain(name) && rewrite_ends(text);
	}
	if (rewrite_take(&text, "rename column") || rewrite_take(&text, "rename")) {
		struct slice old = rewrite_bare(rewrite_next(&text));

		good = good && rewrite_take(&text, "to");
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && words_plain(old) && words_plain(name);
		buf_fmt(&change, "--filter 'attribute_exists(%.*s)' 'SET %.*s = %.*s REMOVE %.*s'",
			SLICE_ARG(old), SLICE_ARG(name), SLICE_ARG(old), SLICE_ARG(old));
	} else if (rewrite_take(&text, "drop column") || rewrite_take(&text, "drop")) {
		struct slice name = rewrite_bare(rewrite_next(&text));

		good = good && words_plain(name);
		buf_fmt(&change, "--all 'REMOVE %.*s'", SLICE_ARG(name));
	}
	fmt_shell(out, "itemctl update % ", table);
	buf_slice(out, buf_view(&change));
	return good && change.len > 0 && rewrite_ends(text);
}

#define REWRITE_FORMS "csv tsv json jsonl yaml md"

/* "(header, format csv)" after a COPY TO: false if an option would be lost, as a delimiter would */
static bool
rewrite_copy_options(struct slice text, struct slice *format)
{
	(void)rewrite_take(&text, "with");
	if (rewrite_ends(text)) {
		return true;
	}
	if (!rewrite_take(&text, "(")) {
		return false;
	}
	do {
		struct slice name = rewrite_next(&text);

		if (words_in_any_case("format", name)) {
			struct slice form = rewrite_bare(rewrite_next(&text));
			bool lines = slice_is(*format, "jsonl") && ascii_same(form, SLICE("json"));

			for (const char *forms = REWRITE_FORMS; *forms != '\0';) {
				struct slice one = words_in_next(&forms);

				form = ascii_same(one, form) ? one : form;
			}
			*format = lines ? *format : form;
		} else if (words_in_any_case("header", name)) {
			(void)rewrite_take(&text, "true");
		} else {
			return false;
		}
	} while (rewrite_take(&text, ","));
	return rewrite_take(&text, ")") && rewrite_ends(text);
}

/* COPY t TO 'file' and FROM, COPY (SELECT ...) TO 'file', also with options after it */
static bool
rewrite_copy(struct slice text, struct buf *out)
{
	struct lexeme open = lex(text, 0);
	size_t close = open.type == LEXEME_OPEN ? sql_text_close(text, open) : 0;
	struct slice rest = slice_skip(text, close);
	struct slice table = close > 0 ? SLICE("") : rewrite_next(&rest);
	struct slice suffix = {0};

	if (close == 0 && rewrite_take(&rest, "from")) {
		return rewrite_from(table, rest, false, out);
	}
	bool good = rewrite_take(&rest, "to");
	struct slice file = rewrite_bare(rewrite_next(&rest));

	for (size_t i = 0; i < file.len; i++) {
		suffix = file.at[i] == '.' ? slice_skip(file, i + 1) : suffix;
	}
	struct slice format = suffix.len > 0 ? suffix : SLICE("csv");

	good = rewrite_copy_options(rest, &format) && good;
	if (close == 0) {
		fmt_shell(out, "itemctl export % %", rewrite_bare(table), file);
		if (!slice_eq(format, suffix)) {
			buf_fmt(out, " --to %.*s", SLICE_ARG(format));
		}
	} else {
		good = good && !words_in("gz zst bz2 xz zip", suffix); /* ">" packs nothing */
		buf_str(out, "itemctl sql ");
		shell_text(out, close <= open.end ? SLICE("")
						  : ascii_trim(slice_of(text.at + open.end,
									close - 1 - open.end)));
		buf_fmt(out, " --format %.*s >", SLICE_ARG(format));
		shell_word(out, file);
	}
	return good && file.len > 0 && (close == 0 || close > open.end) &&
	       words_in(REWRITE_FORMS, format);
}

/* One name, if the line has one, and nothing behind it. */
static bool
rewrite_named(struct slice text, const char *line, struct buf *out)
{
	bool names = strchr(line, '%') != NULL;

	(void)rewrite_take(&text, "if exists");
	struct slice name = names ? rewrite_next(&text) : SLICE("-");

	(void)rewrite_take(&text, ")"); /* of a PRAGMA */
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
		{"show index from", "itemctl describe %"},
		{"pragma table_info (", "itemctl describe %"},
		{"pragma index_list (", "itemctl describe %"},
		{"show tables", "itemctl tables"},
		{"pragma table_list", "itemctl tables"},
		{"pragma integrity_check", "itemctl check"},
		{"pragma quick_check", "itemctl check"},
		{"summarize", "itemctl shapes %"},
		{"analyze", "itemctl stats %"},
		{"truncate table", "itemctl delete % --all"},
		{"truncate", "itemctl delete % --all"},
	};
	struct slice rest = text;
	size_t before = out->len;
	bool done = false;

	if (rewrite_take(&rest, "create table")) {
		done = rewrite_create(rest, out);
	} else if (rewrite_create_index(rest, SLICE(""), SLICE(""), out)) {
		done = true;
	} else if (rewrite_take(&rest, "drop index")) {
		done = rewrite_drop_index(ctl, c, rest, out);
	} else if (rewrite_take(&rest, "alter table")) {
		done = rewrite_alter(rest, out);
	} else if (rewrite_take(&rest, "insert into")) {
		struct slice table = rewrite_next(&rest);

		done = rewrite_take(&rest, "select * from") && rewrite_from(table, rest, true, out);
	} else if (rewrite_take(&rest, "copy")) {
		done = rewrite_copy(rest, out);
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
	bool done = creates && rewrite_create_index(text, table, first, out);

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

/* ------------------------------------------------------------ MongoDB's shell */

/* {a: 1, b: {$gt: 2}} as " WHERE a = 1 AND b > 2"; false: it has what is no such comparison */
static bool
rewrite_where(const struct json *filter, struct buf *out)
{
	static const char *const rows[][2] = {
		{"$ne", "<>"}, {"$gt", ">"}, {"$gte", ">="}, {"$lt", "<"}, {"$lte", "<="}};

	json_each (member, filter) {
		bool compares = member->type == JSON_OBJECT && member->n == 1;
		const struct json *value = compares ? member->child : member;
		const char *quote = value->type == JSON_STRING ? "'" : "";
		const char *sign = compares ? NULL : "=";

		for (size_t i = 0; compares && i < sizeof(rows) / sizeof(rows[0]); i++) {
			sign = slice_is(value->name, rows[i][0]) ? rows[i][1] : sign;
		}
		if (sign == NULL || !words_plain(member->name) || value->text.len == 0 ||
		    slice_chr(value->text, '\'') != NULL) {
			return false;
		}
		buf_fmt(out, " %s %.*s %s %s%.*s%s", member == filter->child ? "WHERE" : "AND",
			SLICE_ARG(member->name), sign, quote, SLICE_ARG(value->text), quote);
	}
	return filter == NULL || filter->type == JSON_OBJECT;
}

/* Is what stands in the brackets known as it is: no new Date(), no regular expression? */
static bool
rewrite_is_data(struct slice text, size_t begin, size_t close)
{
	struct slice typed = slice_of(text.at + begin, close <= begin ? 0 : close - 1 - begin);

	return close > begin && slice_chr(typed, '(') == NULL &&
	       memmem(typed.at, typed.len, ": /", 3) == NULL;
}

bool
rewrite_mongo(struct call *c, struct slice text, struct buf *out)
{
	static const char *const rows[][2] = {{"find findOne", "SELECT * FROM %"},
					      {"count countDocuments", "SELECT count(*) FROM %"},
					      {"getCollectionNames", "itemctl tables"},
					      {"getIndexes", "itemctl describe %"},
					      {"stats", "itemctl stats %"},
					      {"insertOne", "itemctl put % --if-not-exists %"},
					      {"deleteOne", "itemctl delete % %"},
					      {"drop", "itemctl drop % --yes"}};
	struct slice table = rewrite_next(&text);
	struct lexeme open = lex(text, 0);
	size_t close = open.type == LEXEME_OPEN ? sql_text_close(text, open) : 0;
	const struct json *given = NULL;
	const char *line = "";
	struct buf json, all;

	if (!rewrite_is_data(text, open.end, close) || !slice_starts(table, SLICE("db."))) {
		return false;
	}
	size_t dot = (size_t)((const char *)slice_rchr(table, '.') - table.at);
	struct slice verb = slice_skip(table, dot + 1);
	struct slice typed = ascii_trim(slice_of(text.at + open.end, close - 1 - open.end));
	struct slice rest = slice_skip(text, close);

	struct slice limit = slice_is(verb, "findOne") ? SLICE("1") : SLICE("");

	table = slice_of(table.at + 3, dot < 3 ? 0 : dot - 3);
	buf_init(&json, &c->arena);
	buf_init(&all, &c->arena);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		line = words_in(rows[i][0], verb) ? rows[i][1] : line;
	}
	if (rewrite_take(&rest, ".limit (")) {
		limit = rewrite_next(&rest);
		(void)rewrite_take(&rest, ")");
	}
	(void)(rewrite_take(&rest, ".pretty ( )") || rewrite_take(&rest, ".toArray ( )"));
	bool selects = line[0] == 'S';
	bool takes = strchr(line, '%') != strrchr(line, '%');
	bool good = line[0] != '\0' && (strchr(line, '%') != NULL) == words_plain(table) &&
		    rewrite_ends(rest) && strspn(limit.at, "0123456789") >= limit.len &&
		    (typed.len == 0 || (rewrite_json(typed, &json) &&
					json_parse(c, buf_view(&json), JSON_STRICT, &given) == 0));

	fmt_shell(&all, line, table, buf_view(&json));
	good = good && (selects ? rewrite_where(given, &all) : takes == (given != NULL));
	if (good) {
		fmt_shell(out,
			  !selects        ? ""
			  : limit.len > 0 ? "itemctl sql % --limit %"
					  : "itemctl sql %",
			  buf_view(&all), limit);
		buf_slice(out, selects ? SLICE("") : buf_view(&all));
	}
	return good;
}

struct slice
rewrite_command(struct call *c, int *argc, char ***argv)
{
	static const char runs[] = "create-table alter describe tables shapes stats check import "
				   "export";
	struct slice text = slice_from((*argv)[0]);
	struct words words = {0};
	struct buf b;

	buf_init(&b, &c->arena);
	bool mongo = rewrite_mongo(c, text, &b);

	if ((!mongo &&
	     (!synonyms_is_statement(text.at) || !rewrite_sql(NULL, c, text, &b) ||
	      memmem(b.at, b.len, "&&", 2) != NULL || memmem(b.at, b.len, " # ", 3) != NULL)) ||
	    words_split(c, buf_view(&b), &words) < 0 ||
	    !words_in(mongo ? "sql put tables describe stats" : runs, slice_from(words.at[1]))) {
		return (struct slice){0};
	}
	for (int i = 1; i < *argc; i++) {
		words_add(c, &words, (*argv)[i]);
	}
	*argc = (int)words.n - 1;
	words_add(c, &words, NULL);
	*argv = (char **)words.at + 1;
	return buf_view(&b);
}
