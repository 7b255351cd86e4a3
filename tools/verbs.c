/* verbs - see verbs.h */
#include "tools/verbs.h"

#include <assert.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/near.h"
#include "store/base/shell_word.h"

#include "tools/aws_options.h"
#include "tools/commands.h"
#include "tools/create_words.h"
#include "tools/find_store.h"
#include "tools/fmt.h"
#include "tools/instead.h"
#include "tools/rewrite.h"
#include "tools/shell_words.h"
#include "tools/sql_text.h"
#include "tools/synonyms.h"
#include "tools/topics.h"
#include "tools/typed_line.h"
#include "tools/words.h"

static void
verbs_near(struct near *near)
{
	size_t n;

	for (const struct help_group *g = commands; g->title != NULL; g++) {
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			near_try(near, slice_from(g->commands[i]->name));
		}
	}
	const struct synonym_command *rows = synonyms_commands(&n);

	for (size_t i = 0; i < n; i++) {
		for (const char *others = rows[i].others; *others != '\0';) {
			struct slice other = words_in_next(&others);

			if (other.len > 4) {
				near_try(near, other);
			}
		}
	}
}

/* The words of a line of another program's prompt, as ".schema app", in one word or several; false: it has no command */
static bool
verbs_meant(struct call *c, int argc, char **argv, struct words *out)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, argv[0]);
	/* Options first: the last word of .import is the table. */
	for (int i = 1; i < 2 * argc; i++) {
		const char *word = argv[i % argc];

		if (i % argc > 0 && (word[0] == '-') == (i < argc)) {
			buf_char(&b, ' ');
			words_put(&b, slice_from(word));
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

		out->at[0] += ours; /* .stats */
		if (meaning.kind == SHELL_READ && out->n > 1) {
			out->at[0] = "sql";
			out->at[1] = fmt_slice(&c->arena, "@%s", out->at[1]).at;
		}
	}
	return r == 0 && out->n > 0 && commands_find(out->at[0]) != NULL;
}

static bool
verbs_is_dotted(const char *name)
{
	return (name[0] == '.' || name[0] == '\\') && ascii_word(name[1]);
}

/* "shop create-table ...", "./shop": there is no such store; the line with it as an option, or that makes it */
static bool
verbs_store(struct buf *out, int argc, char **argv, const struct near *near)
{
	struct slice name = slice_from(argv[0]);
	const char *second = argc > 1 ? argv[1] : "";
	const char *other = synonyms_command(second);
	const struct command *command = commands_find(other == NULL ? second : other);
	enum op_type type = synonyms_operation(second);
	bool makes = type == OP_CREATE_TABLE ||
		     (command != NULL &&
		      words_in("create-table import restore serve", slice_from(command->name)));
	bool works = command != NULL || type != OP_COUNT || second[0] == '.' ||
		     synonyms_is_statement(second);
	size_t begin = out->len;

	if (typed_line_has("-s") || access(argv[0], F_OK) == 0 || strchr(argv[0], ' ') != NULL ||
	    !(works || find_store_looks(argv[0])) ||
	    words_in("help cost explain table", near->best)) {
		return false;
	}
	if (makes) {
		buf_str(out, "; a new store is made by: ");
		return typed_line_insert(out, name, SLICE("-s"));
	}
	buf_str(out, ", and no store: ");
	if (!find_store_meant(out, argv[0], false)) {
		out->len = begin;
		buf_str(out, "; a new store is made by: itemctl -s ");
		shell_word(out, name);
		buf_str(out, " create-table NAME --key PK,SK");
	}
	return true;
}

static int
verbs_none(struct call *c, int argc, char **argv)
{
	const char *name = argv[0];
	struct near near = near_start(slice_from(name));
	struct buf b;

	buf_init(&b, &c->arena);
	if (instead_put(&b, argc, argv)) {
		return call_fail(c, ERR_USAGE, "there is no command \"%s\": %.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	verbs_near(&near);
	if (argc > 1) {
		near_try(&near, SLICE("help"));
		near_try(&near, SLICE("table")); /* "table create", see verbs_join() */
	}
	for (int i = 0; i < OP_COUNT; i++) {
		if (op_group((enum op_type)i) != OP_ITEMFS) {
			near_try(&near, aws_options_of(c, slice_from(op_name((enum op_type)i))));
		}
	}
	if (verbs_store(&b, argc, argv, &near)) {
		return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	typed_line_near(&b, &near, "itemctl ");
	return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s%s", name,
			 SLICE_ARG(buf_view(&b)), near.best.len == 0 ? "; see itemctl help" : "");
}

/* @operation: what the command is to be given first: an operation that has no command, a statement; else NULL */
static int
verbs_lookup(struct call *c, int argc, char **argv, const struct command **out,
	     const char **operation)
{
	const char *name = argv[0];
	const char *other = synonyms_command(name);
	size_t first = strcspn(name, " \n"); /* "selct * from t" */
	struct words meant;

	if (verbs_is_dotted(name) && verbs_meant(c, argc, argv, &meant)) {
		*out = commands_find(meant.at[0]);
		*operation = NULL;
		return 0;
	}
	if (synonyms_is_statement(name) || (argc > 1 && strcasecmp(name, "SELECT") == 0) ||
	    (name[first] != '\0' && sql_text_near_verb(slice_of(name, first)).best.len > 0)) {
		*out = &cmd_sql;
		*operation = name;
		return 0;
	}
	*operation = NULL;
	*out = commands_find(other == NULL ? name : other);
	if (*out != NULL) {
		return 0;
	}
	enum op_type type = synonyms_operation(name);

	if (type == OP_COUNT) {
		return verbs_none(c, argc, argv);
	}
	other = synonyms_of_operation(type);
	*operation = other == NULL ? op_name(type) : NULL;
	*out = other == NULL ? &cmd_call : commands_find(other);
	assert(*out != NULL);
	return 0;
}

/* SHOW TABLES, as SQL is typed: in small letters, unless it may be a statement. */
static void
verbs_quieten(struct call *c, char **word)
{
	static const char loud[] =
		"SHOW DESCRIBE DESC DROP TABLE TABLES LIST SCAN KEYS COUNT LS HELP";

	if (words_in(loud, slice_from(*word))) {
		*word = (char *)slice_copy(&c->arena, slice_from(*word)).at;
		for (char *at = *word; *at != '\0'; at++) {
			*at = ascii_lower(*at);
		}
	}
}

/* What one of several things is asked about: "show kinds T", "show T keys". */
static const char verbs_asks[] = "show list describe view find count";

static const char *
verbs_noun(const char *word)
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
verbs_is_noun(const char *word)
{
	return words_in("table tables", slice_from(word)) || verbs_noun(word) != NULL;
}

/* "show kinds T", "show T kinds": the command is left; "create FILE": an option. */
static void
verbs_turn(struct call *c, int *argc, char ***argv)
{
	char **words = *argv;
	struct slice verb = slice_from(words[0]);

	if (*argc > 2 && words[2][0] != '-' && words_in(verbs_asks, verb)) {
		const char *first = verbs_noun(words[1]);
		const char *last = *argc == 3 ? verbs_noun(words[2]) : NULL;

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
		words[1] = (char *)fmt_slice(&c->arena, "--from=%s", words[1]).at;
	}
}

/* A program behind "--", and no file of patterns: "run --port 0 -- pytest" */
static bool
verbs_has_program(int argc, char **argv)
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

/* sqlite3's .schema T, and .import FILE T, which makes the table. */
static void
verbs_dotted(struct call *c, int *argc, char ***argv)
{
	bool imports = strncmp((*argv)[0], ".import", 7) == 0;
	struct words words;

	if (verbs_is_dotted((*argv)[0])) {
		(void)verbs_meant(c, *argc, *argv, &words);
		imports = imports && !words_in("- /dev/stdin", slice_from(words.at[words.n - 1]));
		words_add(c, &words, imports ? "--key" : NULL);
		words_add(c, &words, imports ? "auto" : NULL);
		*argc = (int)words.n - (imports ? 0 : 2);
		words_add(c, &words, NULL);
		*argv = (char **)words.at;
	}
}

/* A statement of SQL, which is no key. */
static bool
verbs_is_statement(const char *word)
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

/* Is @table the one that the statement @text names? */
static bool
verbs_is_table(const char *text, const char *table)
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

/* "query shop 'SELECT ...'" is sql, without the table, which the statement names itself. */
static void
verbs_statement(int *argc, char ***argv)
{
	static const char takers[] =
		"query scan get put update delete count ls edit size execute sql explain";
	char **words = *argv;
	bool known = words_in(takers, slice_from(words[0]));
	int at = 1;

	bool first = *argc > 1 && words_in("query scan execute", slice_from(words[0])) &&
		     synonyms_is_statement(words[1]);

	while (!first && at < *argc && !verbs_is_statement(words[at])) {
		at++;
	}
	if (at == *argc || (at > 2 && words[2][0] != '-') ||
	    (!known && (at > 1 || !verbs_is_table(words[at], words[0])))) {
		return;
	}
	if (known && at > 1 && verbs_is_table(words[at], words[1])) {
		(void)typed_line_change(words[1], (struct slice){0});
		memmove(&words[1], &words[2], (size_t)(--*argc - 1) * sizeof(*words));
	}
	if (strcmp(words[0], "explain") != 0) {
		(void)typed_line_change(words[0], SLICE("sql"));
		words[0] = (char *)"sql";
	}
}

/* "get items -t T": is the table an option, or else one that only many items have? */
static bool
verbs_has_items(int argc, char **argv)
{
	return words_have(argc, argv, "-t --table --table-name --limit --max-items --sort-by");
}

void
verbs_join(struct call *c, int *argc, char ***argv, struct slice *meant)
{
	static const char *const with[] = {"run", "exec", "test", "with"};
	static const char *const others[] = {"stop", "status", "wait", "logs"};
	static const char *const rows[][3] = {
		{"show", "tables", "tables"},
		{"list", "tables", "tables"},
		{"ls", "tables", "tables"},
		{"get", "tables", "tables"},
		{"show", "dbs", "tables"},
		{"show", "databases", "tables"},
		{"show", "collections", "tables"},
		{"keys", "*", "tables"},
		{"describe", "table", "describe"},
		{"desc", "table", "describe"},
		{"show", "table", "describe"},
		{"create", "table", "create-table"},
		{"create", "index", "create index"},
		{"drop", "table", "drop"},
		{"drop", "index", "drop index"},
		{"alter", "table", "alter"},
		{"cloudformation", "deploy", "deploy"},
		{"backup", "create", "backup"},
		{"backup", "restore", "restore"},
		{"tables", "list", "tables"},
		{"tables", "ls", "tables"},
		{"items", "list", "scan"},
		{"item", "list", "scan"},
		{"items", "ls", "scan"},
		{"indexes", "list", "describe"},
		{"backup", "list", "backup list"},
		{"backup", "verify", "check"},
		{"backup", "check", "check"},
		{"get", "items", "scan"},
		{"list", "items", "scan"},
		{"get", "item", "get"},
		{"put", "item", "put"},
		{"update", "item", "update"},
		{"delete", "item", "delete"},
		{"delete", "items", "delete"},
		{"table", "create", "create-table"},
		{"table", "list", "tables"},
		{"table", "ls", "tables"},
		{"table", "describe", "describe"},
		{"table", "show", "describe"},
		{"table", "drop", "drop"},
		{"table", "delete", "drop"},
	};

	struct stat st;

	verbs_dotted(c, argc, argv);
	*meant = rewrite_command(c, argc, argv);
	verbs_statement(argc, argv);
	verbs_quieten(c, *argv);
	verbs_turn(c, argc, argv);
	if (strcmp((*argv)[0], "apply") == 0 && *argc > 2 &&
	    (verbs_has_items(*argc, *argv) ||
	     (stat((*argv)[2], &st) == 0 && S_ISDIR(st.st_mode)))) {
		(*argv)[0] = (char *)"import"; /* "apply -f FILE -t T", "apply -f DIR" */
	}
	if (*argc > 1 && strncmp((*argv)[1], "table/", 6) == 0) { /* kubectl's */
		(*argv)[1] += 6;
	}
	if (*argc > 2 && strcmp((*argv)[0], "set") == 0) {
		(*argv)[0] = (char *)"update"; /* "help set" is of types */
	}
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		if (strcmp((*argv)[0], with[i]) == 0 && verbs_has_program(*argc, *argv)) {
			(*argv)[0] = (char *)"serve";
		}
		if (*argc > 1 && strncmp((*argv)[0], "serve", 5) == 0 &&
		    strcmp((*argv)[1], others[i]) == 0 && access(others[i], F_OK) != 0) {
			++*argv; /* "serve stop" */
			--*argc;
		}
	}
	if (*argc > 1 && words_in("item items", slice_from((*argv)[0])) &&
	    !words_in("list ls show", slice_from((*argv)[1])) &&
	    (commands_find((*argv)[1]) != NULL || synonyms_command((*argv)[1]) != NULL)) {
		++*argv;
		--*argc;
	}
	for (size_t i = 0; *argc > 1 && i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool lone = strcmp(rows[i][2], "tables") == 0;
		bool named = *argc > 2 && (*argv)[2][0] != '-';
		char *second = (*argv)[1];

		verbs_quieten(c, &second);
		if (strcmp((*argv)[0], rows[i][0]) == 0 && strcmp(second, rows[i][1]) == 0 &&
		    (strncmp(second, "item", 4) == 0 ? verbs_has_items(*argc, *argv)
		     : lone                          ? !named
						     : *argc > 2)) {
			++*argv;
			--*argc;
			(*argv)[0] = (char *)rows[i][2];
			return;
		}
	}
}

/* What may be meant with a verb of several commands; NULL: the tables of names tell. */
static const struct command *
verbs_of_several(int argc, char **argv)
{
	struct slice verb = slice_from(argv[0]);
	bool changes = false;

	if (argc == 1 && words_in("show info", verb)) {
		return &cmd_tables;
	}
	struct stat st;

	if (slice_is(verb, "add") && argc > 1 &&
	    (argc == 2 || (stat(argv[1], &st) == 0 && S_ISREG(st.st_mode)) ||
	     (strcmp(argv[2], "--item") != 0 &&
	      (argv[2][0] == '-' || access(argv[2], F_OK) == 0)))) {
		return &cmd_import;
	}
	if (argc > 2 && strcmp(argv[2], "--all") == 0 &&
	    (slice_is(verb, "query") || slice_is(slice_from(synonyms_command(argv[0])), "query"))) {
		return &cmd_scan;
	}
	for (int i = 2; i < argc; i++) {
		changes = changes || (i > 3 && argv[i][0] != '-' && strchr(argv[i], '=') != NULL) ||
			  words_in("--set --where --filter --add --remove", slice_from(argv[i]));
	}
	return changes && slice_is(verb, "edit") ? &cmd_update : NULL;
}

/* Does the verb name a table alone, beside options?  *@limited: one of them says how many items */
static bool
verbs_has_table(int argc, char **argv, bool *limited)
{
	int n = 0;

	*limited = false;
	for (int i = 1; i < argc; i++) {
		bool limits = words_in("-n --limit", slice_from(argv[i]));

		*limited = *limited || limits || strncmp(argv[i], "--limit=", 8) == 0;
		n += argv[i][0] != '-' || ascii_digit(argv[i][1]);
		i += limits || words_in("-s --store -d --db --index --format", slice_from(argv[i]));
	}
	return n == 1;
}

/* A verb that is a command with an option: insert, which changes no item, as in SQL and MongoDB; head and cat of a table */
static bool
verbs_with_option(int argc, char **argv, const struct command **out, const char **operation)
{
	struct slice verb = slice_from(argv[0]);
	bool limited;

	if (slice_is(verb, "insert") && argc > 1 && argv[1][0] != '-') {
		*out = &cmd_put;
		*operation = "--if-not-exists";
		return true;
	}
	if (!words_in("head sample peek first cat", verb) ||
	    !verbs_has_table(argc, argv, &limited) || strchr(argv[argc - 1], '/') != NULL) {
		return false;
	}
	*out = &cmd_scan;
	*operation = limited || slice_is(verb, "cat") ? NULL : "--limit=5";
	return true;
}

int
verbs_find(struct call *c, int argc, char **argv, const struct command **out,
	   const char **operation)
{
	struct slice verb = slice_from(argv[0]);
	bool counts = slice_is(verb, "count");
	bool table = argc > 1 && argv[1][0] != '-';
	bool key = table && argc > 2 && argv[2][0] != '-';
	bool shows = words_in("show view list", slice_from(argv[0])) && key &&
		     strcmp(argv[1], "table") != 0;

	if ((strcmp(argv[0], "init") == 0 && argc < 3) || strcmp(argv[0], "create index") == 0 ||
	    strcmp(argv[0], "drop index") == 0 || strcmp(argv[0], "backup list") == 0) {
		return verbs_none(c, argc, argv); /* of verbs_join(), and no statement */
	}
	if (strcmp(argv[0], "explain") == 0) {
		bool names = table && strpbrk(argv[1], " '\"@") == NULL && /* and no statement */
			     access(argv[1], F_OK) != 0 &&
			     !words_in_any_case(SQL_TEXT_VERBS, slice_from(argv[1]));

		bool index = argc > 4 && words_in("-i --index", slice_from(argv[2]));

		*out = !names ? &cmd_sql : key || index ? &cmd_query : &cmd_scan;
		*operation = "--explain";
		return 0;
	}
	if (words_in("env printenv", slice_from(argv[0]))) {
		*out = &cmd_status;
		*operation = "--env";
		return 0;
	}
	if (verbs_with_option(argc, argv, out, operation)) {
		return 0;
	}
	*operation = NULL;
	*out = verbs_of_several(argc, argv);
	if (*out != NULL) {
		return 0;
	}
	if (!counts && !shows && (!words_in("ls list view", slice_from(argv[0])) || !table)) {
		return verbs_lookup(c, argc, argv, out, operation);
	}
	*out = key ? &cmd_query : &cmd_scan;
	*operation = counts ? "--count" : NULL;
	return 0;
}

/* ------------------------------------------------------------ help */

bool
verbs_is_help(const char *word)
{
	return words_in("help man ? HELP .help \\?", slice_from(word));
}

static bool
verbs_is_page(const char *name)
{
	return topics_find(topics_page(name)) != NULL || topics_page(name) != name ||
	       synonyms_command(name) != NULL || commands_find(name) != NULL ||
	       synonyms_operation(name) != OP_COUNT;
}

int
verbs_page_name(struct call *c, const struct words *words, const char **out)
{
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < words->n; i++) {
		buf_fmt(&b, "%s%s", i == 0 ? "" : "-", words->at[i]);
	}
	*out = words->n == 0 ? NULL : slice_cstr(&c->arena, buf_view(&b));
	if (words->n < 2 || verbs_is_page(*out)) {
		return 0;
	}
	if (commands_find(words->at[1]) != NULL) {
		return call_fail(c, ERR_USAGE,
				 "help tells of one command at a time: itemctl help %s",
				 words->at[0]);
	}
	*out = words->at[0]; /* its page tells of the others */
	return 0;
}

int
verbs_page(struct call *c, const char *name, const struct topic **topic,
	   const struct command **command)
{
	const char *page = topics_page(name);
	struct near near = near_start(slice_from(name));
	const char *operation;
	struct buf b;

	*topic = topics_find(page);
	if (*topic != NULL || verbs_lookup(c, 1, (char **)&page, command, &operation) == 0) {
		return 0;
	}
	verbs_near(&near);
	for (const struct topic *t = topics; t->name != NULL; t++) {
		near_try(&near, slice_from(t->name));
	}
	if (near.best.len == 0) {
		return -(int)c->error.code;
	}
	buf_init(&b, &c->arena);
	typed_line_near(&b, &near, "itemctl help ");
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s", name,
			 SLICE_ARG(buf_view(&b)));
}
