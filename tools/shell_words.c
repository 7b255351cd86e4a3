/* shell_words - see shell_words.h */
#include "tools/shell_words.h"

#include "store/base/ascii.h"
#include "store/base/buf.h"
#include "store/base/near.h"
#include "store/partiql/lex.h"

#include "tools/words.h"

struct shell_words_row {
	const char *others; /* each of some words, parted by "|", in small letters or capitals */
	enum shell_kind kind;
	const char *ours;
};

/* Of two that begin alike the longer one stands first. */
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
	{"help|.help|?|\\?|\\h", SHELL_COMMAND, "help"},
	{".mode|.format|set format|\\pset format", SHELL_FORMAT, NULL},
	{".read|source|\\i|\\.", SHELL_READ, NULL},
	{".output|\\o", SHELL_OUTPUT, NULL},
	{".once", SHELL_ONCE, NULL},
	{".headers on|.header on", SHELL_NOTE,
	 "csv, tsv and table begin with the names of their columns: .mode csv"},
	{".headers|.header", SHELL_SAY,
	 "csv, tsv and table begin with the names of their columns, jsonl has none: .mode jsonl"},
	{".timer|\\timing", SHELL_SAY, "--stats behind a command counts its requests and items"},
	{"\\x", SHELL_SAY, "an attribute a line: .mode yaml"},
	{"\\copy", SHELL_SAY, "export TABLE FILE writes a table, import TABLE FILE reads one"},
	{"\\e", SHELL_SAY, "edit TABLE PK [SK] opens an item in an editor"},
	{"pragma", SHELL_SAY, "describe TABLE shows a table, tables lists them"},
	{"analyze", SHELL_SAY, "stats counts the items and bytes of tables and indexes"},
	{"set", SHELL_SAY, ".mode FORM sets the form of answers; nothing else can be set"},
	{"use|\\c|\\connect", SHELL_USE, NULL},
	{".open|.databases|show databases|cd|pwd", SHELL_SAY,
	 "a command names its table, tables lists them; another store: itemctl -s STORE shell"},
	{"clear|cls|.clear", SHELL_SAY, "Ctrl-L clears the screen"},
	{"history|\\s", SHELL_SAY, "the arrow up shows the lines before, Ctrl-R searches them"},
	{"\\!|.shell|.system", SHELL_SAY,
	 "other programs run in a shell of their own: Ctrl-D leaves this one"},
};

/* The first word of *@rest, which is moved behind it and its blanks. */
static struct slice
shell_words_next(struct slice *rest)
{
	struct slice s = ascii_trim(*rest);
	size_t n = 0;

	while (n < s.len && !ascii_blank(s.at[n])) {
		n++;
	}
	*rest = ascii_trim(slice_skip(s, n));
	return slice_of(s.at, n);
}

/* Does @line begin with @words? *@rest is what stands behind them. */
static bool
shell_words_begin(struct slice line, struct slice words, struct slice *rest)
{
	*rest = line;
	while (words.len > 0) {
		if (!ascii_same(shell_words_next(rest), shell_words_next(&words))) {
			return false;
		}
	}
	return true;
}

/* Does it begin with one of a row's? What ends the shell has no words behind it. */
static bool
shell_words_is(struct slice line, const struct shell_words_row *row, struct slice *rest)
{
	const char *at = row->others;
	bool is = false;

	while (!is && *at != '\0') {
		size_t n = strcspn(at, "|");

		is = shell_words_begin(line, slice_of(at, n), rest) &&
		     (row->kind != SHELL_LEAVE || rest->len == 0);
		at += n + (at[n] == '|');
	}
	return is;
}

/* ------------------------------------------------------------ statements */

static bool
shell_words_has(const char *const *list, struct slice word)
{
	while (*list != NULL && !ascii_same(word, slice_from(*list))) {
		list++;
	}
	return *list != NULL;
}

/* A verb of SQL with a slip, in a line that has another word of a statement. */
static bool
shell_words_slip(struct slice first, struct slice rest)
{
	static const char *const verbs[] = {"select", "insert", "update", "delete"};
	static const char *const others[] = {"from", "into", "set", NULL};
	bool has = false;

	while (rest.len > 0 && !has) {
		has = shell_words_has(others, shell_words_next(&rest));
	}
	for (size_t i = 0; has && first.len > 3 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		struct near near = near_start(first);

		near_try(&near, slice_from(verbs[i]));
		if (near.distance > 0 && near.best.len > 0) {
			return true;
		}
	}
	return false;
}

/* "update" and "delete" are commands, too: of a statement capitals tell, or the next words. */
static bool
shell_words_change(struct slice first, struct slice rest)
{
	static const char *const changes[] = {"set", "remove", NULL};
	bool capital = first.at[0] >= 'A' && first.at[0] <= 'Z';
	struct slice second = shell_words_next(&rest);
	bool one = second.len > 0 && rest.len == 0;

	if (ascii_same(first, SLICE("delete"))) {
		return capital || ascii_same(second, SLICE("from"));
	}
	return ascii_same(first, SLICE("update")) &&
	       (capital || one || shell_words_has(changes, shell_words_next(&rest)));
}

bool
shell_words_statement(struct slice line)
{
	static const char *const always[] = {"select", "insert",   "begin",   "commit", "rollback",
					     "with",   "from",     "replace", "upsert", "merge",
					     "end",    "truncate", NULL};
	static const char *const pairs[] = {
		"create index",   "create unique",  "create view",     "alter table",
		"drop index",     "explain plan",   "explain select",  "explain insert",
		"explain update", "explain delete", "explain analyze", "start transaction"};
	struct slice rest = ascii_trim(line);
	struct slice behind;

	while (rest.len > 0 && rest.at[rest.len - 1] == ';') {
		rest = ascii_trim(slice_of(rest.at, rest.len - 1));
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (shell_words_begin(rest, slice_from(pairs[i]), &behind)) {
			return true;
		}
	}
	if (shell_words_begin(rest, SLICE("create table"), &behind)) {
		return memchr(behind.at, '(', behind.len) != NULL || rest.at[0] == 'C';
	}
	if (shell_words_begin(rest, SLICE("explain query plan"), &behind)) {
		return true;
	}
	struct slice first = shell_words_next(&rest);

	return first.len > 0 && (shell_words_has(always, first) ||
				 shell_words_change(first, rest) || shell_words_slip(first, rest));
}

/* ------------------------------------------------------------ what was pasted */

/* "-- ..." and what is between slashes and stars; "--" before a letter is an option. */
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
	static const char *const signs[] = {"$", "%", ">", "itemctl", "./itemctl", "aws", NULL};
	struct slice typed = ascii_trim(line);
	struct slice rest = typed;

	if (typed.len > 0 && typed.at[0] == '#') {
		return (struct slice){0};
	}
	while (typed.len > 0 && shell_words_has(signs, shell_words_next(&rest))) {
		typed = rest;
	}
	return typed.len == 0 ? typed : shell_words_past_comment(typed);
}

/* ------------------------------------------------------------ commands */

/* .import FILE TABLE, with options in front, has its words the other way round. */
static struct shell_meaning
shell_words_import(struct call *c, struct slice rest)
{
	size_t n = rest.len;
	struct buf b;

	while (n > 0 && !ascii_blank(rest.at[n - 1])) {
		n--;
	}
	buf_init(&b, &c->arena);
	buf_fmt(&b, "import %.*s %.*s", SLICE_ARG(slice_skip(rest, n)),
		SLICE_ARG(slice_of(rest.at, n)));
	return (struct shell_meaning){SHELL_COMMAND, buf_view(&b)};
}

static struct shell_meaning
shell_words_row(struct call *c, const struct shell_words_row *row, struct slice rest)
{
	struct buf b;

	if (row->kind == SHELL_SAY || row->kind == SHELL_NOTE) {
		return (struct shell_meaning){row->kind, slice_from(row->ours)};
	}
	if (row->kind != SHELL_COMMAND) {
		return (struct shell_meaning){row->kind, rest};
	}
	bool all = rest.len == 0 && strcmp(row->ours, "describe") == 0;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s %.*s", all ? "tables" : row->ours, SLICE_ARG(rest));
	return (struct shell_meaning){SHELL_COMMAND, buf_view(&b)};
}

/* SCAN, in capitals as SQL is written, is scan. */
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
		SLICE_INIT("other programs run in a shell of their own: Ctrl-D leaves this one");
	struct slice rest;

	for (size_t i = 0; i < sizeof(shell_words_rows) / sizeof(shell_words_rows[0]); i++) {
		if (shell_words_is(line, &shell_words_rows[i], &rest)) {
			return shell_words_row(c, &shell_words_rows[i], rest);
		}
	}
	if (shell_words_begin(line, SLICE(".import"), &rest) && rest.len > 0) {
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

	/* One letter on a line of its own may be an attribute. */
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
			"answers go to a file; to a program in your own shell: itemctl COMMAND %.*s",
			SLICE_ARG(rest));
	}
	int r = words_next(c, &rest, &w);

	if (r == 0 && (r = words_next(c, &rest, &more)) == 0) {
		return call_fail(
			c, ERR_USAGE,
			"the name of a file is one word, in quotes if it has blanks: \"%.*s\"",
			SLICE_ARG(*name));
	}
	*name = w.text;
	return r < 0 ? r : 0;
}
