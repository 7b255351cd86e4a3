/* shell_words - see shell_words.h */
#include "tools/text/shell_words.h"

#include "store/partiql/partiql_lex.h"

#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/words.h"

struct shell_words_row {
	const char *
		others; /* alternatives of one or more words, separated by "|"; matched in any case */
	enum shell_kind kind;
	const char *ours;
};

/* The longer of two alternatives with the same beginning comes first. */
static const struct shell_words_row shell_words_rows[] = {
	{"exit|exit()|quit|quit()|q|bye|logout|.exit|.quit|.q|\\q|:q|:q!|:wq|:quit|:exit",
	 SHELL_LEAVE, NULL},
	{"show tables|show full tables|list tables|.tables|\\dt|\\dt+|\\l", SHELL_COMMAND,
	 "tables"},
	{"describe table|desc table|describe|desc|.schema|.indexes|.indices|\\d|\\d+|\\di",
	 SHELL_COMMAND, "describe"},
	{"show create table|show columns from|show columns in|show index from|show indexes from",
	 SHELL_COMMAND, "describe"},
	{"drop table if exists|drop table", SHELL_COMMAND, "drop"},
	{".dump", SHELL_COMMAND, "export"},
	{".backup|.save|.clone", SHELL_COMMAND, "backup"},
	{"help|.help|?|\\?|\\h", SHELL_COMMAND, "help"},
	{".mode|.format|set format|\\pset format", SHELL_FORMAT, NULL},
	{".read|source|\\i|\\.", SHELL_READ, NULL},
	{".output|\\o", SHELL_OUTPUT, NULL},
	{".once", SHELL_ONCE, NULL},
	{".headers on|.header on", SHELL_NOTE,
	 "csv, tsv and table begin with the names of their columns: .mode csv"},
	{".headers|.header", SHELL_SAY,
	 "csv, tsv and table begin with the names of their columns, jsonl has none: .mode jsonl"},
	{".timer|\\timing", SHELL_SAY, "--stats after a command counts its requests and items"},
	{"\\x", SHELL_SAY, "for one attribute per line: .mode yaml"},
	{"\\copy", SHELL_SAY, "export TABLE FILE writes a table, import TABLE FILE reads one"},
	{"\\e", SHELL_SAY, "edit TABLE PK [SK] opens an item in an editor"},
	{"pragma", SHELL_SAY, "describe TABLE shows a table, tables lists them"},
	{"analyze", SHELL_SAY, "stats counts the items and bytes of tables and indexes"},
	{"set", SHELL_SAY, ".mode FORM sets the form of answers; there are no other settings"},
	{"use|\\c|\\connect", SHELL_USE, NULL},
	{".open|.databases|show databases|cd|pwd", SHELL_SAY,
	 "a command names its table, tables lists them; for another store: itemctl -s STORE shell"},
	{"clear|cls|.clear", SHELL_SAY, "Ctrl-L clears the screen"},
	{"history|\\s", SHELL_SAY, "the Up key shows earlier lines, Ctrl-R searches them"},
	{"\\!|.shell|.system", SHELL_SAY,
	 "run other programs in your own shell: Ctrl-D leaves this one"},
};

/* Return true if @line begins with an alternative of @row. No words may follow one that ends the shell. */
static bool
shell_words_is(struct slice line, const struct shell_words_row *row, struct slice *rest)
{
	return words_begin(line, row->others, rest) && (row->kind != SHELL_LEAVE || rest->len == 0);
}

/* ------------------------------------------------------------ statements */

/* Return true if @first is a misspelled verb of SQL and @rest has another keyword. */
static bool
shell_words_slip(struct slice first, struct slice rest)
{
	struct near near = sql_text_near(first, SQL_TEXT_VERBS);
	bool has = false;

	while (rest.len > 0 && !has) {
		has = words_in_any_case("from into set", words_blank_next(&rest));
	}
	return has && first.len > 3 && near.distance > 0 && near.best.len > 0;
}

/* "update" and "delete" are also commands: only capitals or the next words make the line a statement. */
static bool
shell_words_change(struct slice first, struct slice rest)
{
	assert(first.len > 0);
	bool capital = first.at[0] >= 'A' && first.at[0] <= 'Z';
	struct slice second = words_blank_next(&rest);
	bool one = second.len > 0 && rest.len == 0;

	if (ascii_same(first, SLICE("delete"))) {
		return capital || ascii_same(second, SLICE("from"));
	}
	return ascii_same(first, SLICE("update")) &&
	       (capital || one || words_in_any_case("set remove", words_blank_next(&rest)));
}

bool
shell_words_statement(struct slice line)
{
	static const char always[] = "select insert begin commit rollback with from replace upsert "
				     "merge end truncate";
	static const char pairs[] =
		"create index|create unique|create view|alter table|drop index|explain plan|"
		"explain select|explain insert|explain update|explain delete|explain analyze|"
		"explain query plan|start transaction";
	struct slice rest = ascii_trim(line);
	struct slice behind;

	while (rest.len > 0 && rest.at[rest.len - 1] == ';') {
		rest = ascii_trim(slice_of(rest.at, rest.len - 1));
	}
	if (words_begin(rest, pairs, &behind)) {
		return true;
	}
	if (words_begin(rest, "create table", &behind)) {
		return slice_chr(behind, '(') != NULL || rest.at[0] == 'C';
	}
	struct slice first = words_blank_next(&rest);

	return first.len > 0 && (words_in_any_case(always, first) ||
				 shell_words_change(first, rest) || shell_words_slip(first, rest));
}

/* ------------------------------------------------------------ pasted parts */

/* Skip a comment, "-- ..." or between slashes and stars; "--" before a letter is an option. */
static struct slice
shell_words_past_comment(struct slice line)
{
	bool option = slice_starts(line, SLICE("--")) && line.len > 2 && !ascii_blank(line.at[2]);
	struct lexeme first = lex(line, 0);

	return option || first.start == 0 ? line : ascii_trim(slice_skip(line, first.start));
}

struct slice
shell_words_typed(struct slice line)
{
	struct slice typed = ascii_trim(line);
	struct slice rest = typed;

	if (typed.len > 0 && typed.at[0] == '#') {
		return (struct slice){0};
	}
	while (typed.len > 0 &&
	       words_in_any_case("$ % > itemctl ./itemctl aws", words_blank_next(&rest))) {
		typed = rest;
	}
	return typed.len == 0 ? typed : shell_words_past_comment(typed);
}

/* ------------------------------------------------------------ commands */

/* ".import [OPTIONS] FILE TABLE" is "import TABLE [OPTIONS] FILE". */
static struct shell_meaning
shell_words_import(struct call *c, struct slice rest)
{
	size_t n = rest.len;

	while (n > 0 && !ascii_blank(rest.at[n - 1])) {
		n--;
	}
	struct slice b = fmt_slice(&c->arena, "import %.*s %.*s", SLICE_ARG(slice_skip(rest, n)),
				   SLICE_ARG(slice_of(rest.at, n)));

	return (struct shell_meaning){SHELL_COMMAND, b};
}

static struct shell_meaning
shell_words_row(struct call *c, const struct shell_words_row *row, struct slice rest)
{
	if (row->kind == SHELL_SAY || row->kind == SHELL_NOTE) {
		return (struct shell_meaning){row->kind, slice_from(row->ours)};
	}
	if (row->kind != SHELL_COMMAND) {
		return (struct shell_meaning){row->kind, rest};
	}
	bool all = rest.len == 0 && strcmp(row->ours, "describe") == 0;
	struct slice b =
		fmt_slice(&c->arena, "%s %.*s", all ? "tables" : row->ours, SLICE_ARG(rest));

	return (struct shell_meaning){SHELL_COMMAND, b};
}

/* Put the command's name into small letters if all of it is in capitals, as in SQL. */
static struct slice
shell_words_lower(struct call *c, struct slice line)
{
	char *at = arena_bytes(&c->arena, line.len);
	size_t n = 0;

	while (n < line.len && line.at[n] >= 'A' && line.at[n] <= 'Z') {
		n++;
	}
	if (n == 0 || (n < line.len && !ascii_blank(line.at[n]))) {
		return line;
	}
	for (size_t i = 0; i < line.len; i++) {
		at[i] = i < n ? ascii_lower(line.at[i]) : line.at[i];
	}
	return slice_of(at, line.len);
}

struct shell_meaning
shell_words_meaning(struct call *c, struct slice line)
{
	static const struct slice unknown =
		SLICE_INIT("there is no such command: .tables, .schema TABLE, .mode FORM, .read "
			   "FILE, .output FILE, .quit; help lists those of itemctl");
	static const struct slice programs =
		SLICE_INIT("run other programs in your own shell: Ctrl-D leaves this one");
	struct slice rest;

	for (size_t i = 0; i < sizeof(shell_words_rows) / sizeof(shell_words_rows[0]); i++) {
		if (shell_words_is(line, &shell_words_rows[i], &rest)) {
			return shell_words_row(c, &shell_words_rows[i], rest);
		}
	}
	if (words_begin(line, ".import", &rest) && rest.len > 0) {
		return shell_words_import(c, rest);
	}
	bool other = line.len > 1 && strchr(".\\:", line.at[0]) != NULL && line.at[1] != '/';

	if (other || slice_starts(line, SLICE("!"))) {
		return (struct shell_meaning){SHELL_SAY, other ? unknown : programs};
	}
	return (struct shell_meaning){SHELL_COMMAND, shell_words_lower(c, line)};
}

bool
shell_words_leaves(struct slice line)
{
	struct slice rest;

	/* A single letter on a line of its own may be an attribute in a statement. */
	return line.len > 1 && shell_words_is(line, &shell_words_rows[0], &rest);
}

int
shell_words_file(struct call *c, struct slice *name)
{
	struct slice rest = *name;
	struct word w = {0};
	struct word more;

	if (slice_starts(rest, SLICE("|"))) {
		return call_fail(
			c, ERR_USAGE,
			"answers go to a file; to pipe them to a program, in your own shell: "
			"itemctl COMMAND %.*s",
			SLICE_ARG(rest));
	}
	int r = words_next(c, &rest, &w);

	if (r == 0 && (r = words_next(c, &rest, &more)) == 0) {
		return call_fail(
			c, ERR_USAGE,
			"give the name of a file as one word, in quotes if it has blanks: \"%.*s\"",
			SLICE_ARG(*name));
	}
	*name = w.text;
	return r < 0 ? r : 0;
}

/* Return true if the word is an unquoted operator of a Unix shell, such as a pipe or a redirection. */
static bool
shell_words_is_pipe(const struct word *w)
{
	bool file = slice_starts(w->text, SLICE(">")) || slice_starts(w->text, SLICE("2>"));

	return !w->quoted &&
	       (words_in("| || && < &", w->text) || (file && slice_chr(w->text, '=') == NULL));
}

int
shell_words_split(struct call *c, struct slice line, struct words *out, struct slice *rest)
{
	struct word w;
	int r;

	*rest = line;
	while ((r = words_next(c, rest, &w)) == 0) {
		bool last = !w.quoted && w.text.len > 0 && w.text.at[w.text.len - 1] == ';';

		if (shell_words_is_pipe(&w)) {
			return call_fail(c, ERR_USAGE,
					 "this prompt has no %.*s; in your own shell: itemctl %.*s",
					 SLICE_ARG(w.text), SLICE_ARG(line));
		}
		while (last && w.text.len > 0 && w.text.at[w.text.len - 1] == ';') {
			w.text.len--;
		}
		if (w.text.len > 0 || !last) {
			words_add(c, out, slice_cstr(&c->arena, w.text));
		}
		if (last) {
			return 0;
		}
	}
	return r < 0 ? r : 0;
}

bool
shell_words_whole(struct slice text)
{
	struct statements s = {.text = ascii_trim(text)};
	struct slice one;
	size_t questions;
	bool whole = false;

	while (statements_next(&s, &one, &questions)) {
		whole = s.at > 0 && s.text.at[s.at - 1] == ';';
		if (!whole) {
			return false;
		}
	}
	return whole;
}
