/* phrase - see phrase.h */
#include "tools/phrase.h"

#include <sys/stat.h>

#include "store/base/text/shell_word.h"
#include "store/partiql/partiql_lex.h"

#include "tools/cli/commands.h"
#include "tools/cli/synonyms.h"
#include "tools/sql/create_words.h"
#include "tools/sql/rewrite.h"
#include "tools/text/shell_words.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

bool
phrase_meant(struct call *c, int argc, char **argv, struct words *out)
{
	struct buf b = {.arena = &c->arena};

	buf_str(&b, argv[0]);
	/* Put options first, because the last word of .import is the table. */
	for (int i = 1; i < 2 * argc; i++) {
		const char *word = argv[i % argc];

		if (i % argc > 0 && (word[0] == '-') == (i < argc)) {
			buf_char(&b, ' ');
			shell_word(&b, slice_from(word));
		}
	}
	struct shell_meaning meaning = shell_words_meaning(c, buf_view(&b));
	struct error before = c->error;

	*out = (struct words){0};
	bool known = meaning.kind == SHELL_COMMAND;
	int r = words_split(c, known ? meaning.text : buf_view(&b), out);

	c->error = before;
	if (r == 0 && !known && out->n > 0) {
		bool ours = out->at[0][0] == '.' && commands_find(out->at[0] + 1) != NULL;

		out->at[0] += ours; /* .stats means stats */
		if (meaning.kind == SHELL_READ && out->n > 1) {
			out->at[0] = "sql";
			out->at[1] = arena_print(&c->arena, "@%s", out->at[1]);
		}
	}
	return r == 0 && out->n > 0 && commands_find(out->at[0]) != NULL;
}

bool
phrase_is_dotted(const char *name)
{
	return (name[0] == '.' || name[0] == '\\') && ascii_word(name[1]);
}

/* Change a verb in capital letters, as in SHOW TABLES or GET of Redis, to lower case, unless it begins a statement. */
static void
phrase_quieten(struct call *c, char **word)
{
	static const char loud[] =
		"SHOW DESCRIBE DESC DROP TABLE TABLES LIST SCAN KEYS COUNT LS HELP EXISTS GET SET "
		"DEL INFO";

	if (words_in(loud, slice_from(*word))) {
		*word = (char *)slice_copy(&c->arena, slice_from(*word)).at;
		for (char *at = *word; *at != '\0'; at++) {
			*at = ascii_lower(*at);
		}
	}
}

/* Verbs that can be followed by a noun, as in "show kinds T", "show T keys" */
static const char phrase_asks[] = "show list describe view find count";

/* The command that shows what the noun names; NULL if it is no noun */
static const char *
phrase_noun(const char *word)
{
	static const char *const rows[][2] = {{"kinds attributes columns", "shapes"},
					      {"keys index indexes indices", "describe"},
					      {"largest biggest", "largest"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in(rows[i][0], slice_from(word))) {
			return rows[i][1];
		}
	}
	return NULL;
}

bool
phrase_is_noun(const char *word)
{
	return words_in("table tables", slice_from(word)) || phrase_noun(word) != NULL;
}

/* Change "show kinds T" and "show T kinds" to the command of the noun, and "create FILE" to --from=FILE. */
static void
phrase_turn(struct call *c, int *argc, char ***argv)
{
	char **words = *argv;
	struct slice verb = slice_from(words[0]);

	if (*argc > 2 && words[2][0] != '-' && words_in(phrase_asks, verb)) {
		const char *first = phrase_noun(words[1]);
		const char *last = *argc == 3 && words_in("show describe", verb)
					   ? phrase_noun(words[2])
					   : NULL;

		if (first != NULL || last != NULL) {
			words[first != NULL] = (char *)(first != NULL ? first : last);
			*argv += first != NULL;
			--*argc;
		}
		return;
	}
	if (*argc == 2 && words_in("create create-table create-tables", verb) &&
	    create_words_file(words[1]) && !slice_ends(slice_from(words[1]), SLICE(".tf")) &&
	    access(words[1], F_OK) == 0) {
		words[1] = (char *)arena_print(&c->arena, "--from=%s", words[1]);
	}
}

/* Return true if a program follows "--", as in "run --port 0 -- pytest", and the first word is no file of patterns. */
static bool
phrase_has_program(int argc, char **argv)
{
	struct stat st;
	int at = 1;

	while (at + 1 < argc && strcmp(argv[at], "--") != 0) {
		at++;
	}
	return at + 1 < argc &&
	       (access(argv[at + 1], F_OK) != 0 || access(argv[at + 1], X_OK) == 0) &&
	       (stat(argv[1], &st) != 0 || !S_ISREG(st.st_mode));
}

/* Change .schema T and .import FILE T of sqlite3 to commands; .import creates the table. */
static void
phrase_dotted(struct call *c, int *argc, char ***argv)
{
	bool imports = strncmp((*argv)[0], ".import", 7) == 0;
	struct words words;

	if (phrase_is_dotted((*argv)[0]) &&
	    (phrase_meant(c, *argc, *argv, &words) || words.n > 0)) {
		imports = imports && !words_in("- /dev/stdin", slice_from(words.at[words.n - 1]));
		words_add(c, &words, imports ? "--key" : NULL);
		words_add(c, &words, imports ? "auto" : NULL);
		*argc = (int)words.n - (imports ? 0 : 2);
		words_add(c, &words, NULL);
		*argv = (char **)words.at;
	}
}

/* Return true if the word is an SQL statement, and not a key. */
static bool
phrase_is_statement(const char *word)
{
	static const char *const needs[][2] = {{"SELECT", "FROM"},
					       {"INSERT", "INTO"},
					       {"UPDATE", "SET REMOVE"},
					       {"DELETE", "FROM"}};
	struct slice text = slice_from(word);
	struct lexeme first = lex(text, 0);
	bool is = false;

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		is = is || (sql_text_is(text, first, needs[i][0]) &&
			    sql_text_find(text, first.end, needs[i][1]).type != LEXEME_END);
	}
	return is;
}

/* Return true if the statement @text names @table. */
static bool
phrase_is_table(const char *text, const char *table)
{
	size_t start, end;
	struct slice s = slice_from(text);

	if (!sql_text_table(s, &start, &end)) {
		return false;
	}
	start += s.at[start] == '"';
	s = slice_of(s.at + start, end - start);
	return slice_starts(s, slice_from(table)) &&
	       (s.len == strlen(table) || strchr("\".", s.at[strlen(table)]) != NULL);
}

/* Change "query shop 'SELECT ...'" to sql; the statement names the table itself. */
static void
phrase_statement(int *argc, char ***argv)
{
	static const char takers[] =
		"query scan get put update delete count ls edit size execute sql explain";
	char **words = *argv;
	bool known = words_in(takers, slice_from(words[0]));
	int at = 1;

	bool first = *argc > 1 && words_in("query scan execute", slice_from(words[0])) &&
		     synonyms_is_statement(words[1]);

	while (!first && at < *argc && !phrase_is_statement(words[at])) {
		at++;
	}
	if (at == *argc || (at > 2 && words[2][0] != '-') ||
	    (!known && (at > 1 || !phrase_is_table(words[at], words[0])))) {
		return;
	}
	if (known && at > 1 && phrase_is_table(words[at], words[1])) {
		(void)typed_line_change(words[1], (struct slice){0});
		memmove(&words[1], &words[2], (size_t)(--*argc - 1) * sizeof(*words));
	}
	if (strcmp(words[0], "explain") != 0) {
		(void)typed_line_change(words[0], SLICE("sql"));
		words[0] = (char *)"sql";
	}
}

/*
 * Return true if there is an option for the table, as in "get items -t T", or one that only commands on many items
 * have.
 */
static bool
phrase_has_items(int argc, char **argv)
{
	return words_have(argc, argv, "-t --table --table-name --limit --max-items --sort-by");
}

/*
 * Pairs of words, and their command.  A pair such as "get items" counts only with an option by which it cannot be a
 * table and a key.
 */
static const char *const phrase_pairs[][3] = {
	{"show list ls get", "tables", "tables"},
	{"show", "dbs databases collections", "tables"},
	{"keys", "*", "tables"},
	{"describe desc show", "table", "describe"},
	{"create", "table", "create-table"},
	{"create", "index", "create index"},
	{"drop", "table", "drop"},
	{"drop", "index", "drop index"},
	{"alter", "table", "alter"},
	{"cloudformation", "deploy", "deploy"},
	{"backup", "create", "backup"},
	{"backup", "restore", "restore"},
	{"backup", "list", "backup list"},
	{"backup", "verify check", "check"},
	{"tables table", "list ls", "tables"},
	{"items item", "list ls", "scan"},
	{"indexes", "list", "describe"},
	{"get list", "items", "scan"},
	{"get", "item", "get"},
	{"put", "item", "put"},
	{"update", "item", "update"},
	{"delete", "item items", "delete"},
	{"table", "create", "create-table"},
	{"table", "describe show", "describe"},
	{"table", "drop delete", "drop"},
};

/* Replace two words by the command of phrase_pairs. */
static void
phrase_pair(struct call *c, int *argc, char ***argv)
{
	char *second = *argc > 1 ? (*argv)[1] : (char *)"";
	bool named = *argc > 2 && (*argv)[2][0] != '-';

	phrase_quieten(c, &second);
	for (size_t i = 0; *argc > 1 && i < sizeof(phrase_pairs) / sizeof(phrase_pairs[0]); i++) {
		const char *const *row = phrase_pairs[i];

		if (!words_in(row[0], slice_from((*argv)[0])) ||
		    !words_in(row[1], slice_from(second))) {
			continue;
		}
		if (strncmp(second, "item", 4) == 0 ? phrase_has_items(*argc, *argv)
		    : strcmp(row[2], "tables") == 0 ? !named
						    : *argc > 2) {
			++*argv;
			--*argc;
			(*argv)[0] = (char *)row[2];
			return;
		}
	}
}

/* Change "run -- PROGRAM" to serve, and "serve stop" to stop. */
static void
phrase_server(int *argc, char ***argv)
{
	static const char others[] = "stop status wait logs";
	char **words = *argv;

	if (words_in("run exec test with", slice_from(words[0])) &&
	    phrase_has_program(*argc, words)) {
		words[0] = (char *)"serve";
	}
	if (*argc > 1 && strncmp(words[0], "serve", 5) == 0 &&
	    words_in(others, slice_from(words[1])) && access(words[1], F_OK) != 0) {
		++*argv;
		--*argc;
	}
}

/*
 * Change words whose meaning depends on others: "apply -f FILE -t T", "apply -f DIR", "set T ...", "get table/T",
 * "items put"
 */
static void
phrase_verb(int *argc, char ***argv)
{
	char **words = *argv;
	struct stat st;

	if (strcmp(words[0], "apply") == 0 && *argc > 2 &&
	    (phrase_has_items(*argc, words) || (stat(words[2], &st) == 0 && S_ISDIR(st.st_mode)))) {
		words[0] = (char *)"import";
	}
	if (*argc > 1 && strncmp(words[1], "table/", 6) == 0) { /* of kubectl */
		words[1] += 6;
	}
	/* "create item T --from-literal=NAME=VALUE" */
	if (*argc > 3 && strcmp(words[0], "create") == 0 && strcmp(words[1], "item") == 0 &&
	    strncmp(words[3], "--from-literal=", 15) == 0) {
		words[1] = (char *)"put";
		for (int i = 3; i < *argc; i++) {
			words[i] += strncmp(words[i], "--from-literal=", 15) == 0 ? 15 : 0;
		}
		++*argv;
		--*argc;
		return;
	}
	if (*argc > 2 && strcmp(words[0], "set") == 0) {
		words[0] = (char *)"update"; /* here, because "help set" is about types */
	}
	if (*argc > 1 && words_in("item items", slice_from(words[0])) &&
	    !words_in("list ls show", slice_from(words[1])) &&
	    (commands_find(words[1]) != NULL || synonyms_command(words[1]) != NULL)) {
		++*argv;
		--*argc;
	}
}

void
phrase_join(struct call *c, int *argc, char ***argv, struct slice *meant)
{
	assert(*argc > 0);
	phrase_dotted(c, argc, argv);
	*meant = rewrite_command(c, argc, argv);
	phrase_statement(argc, argv);
	phrase_quieten(c, *argv);
	phrase_turn(c, argc, argv);
	phrase_server(argc, argv);
	phrase_verb(argc, argv);
	phrase_pair(c, argc, argv);
}
