/* front - see front.h */
#include "tools/front.h"

#include <sys/stat.h>

#include "store/base/text/near.h"
#include "store/open.h"

#include "tools/cli/instead.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/phrase.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"
#include "tools/verbs.h"

int
front_aws(struct call *c, struct opt_target *globals, int *argc, char ***argv)
{
	bool taken = false;
	int r = 0;

	while (r == 0 && *argc > 1 &&
	       words_in("aws awslocal dynamodb dynamodbstreams ddb dynamo",
			slice_from((*argv)[0]))) {
		int used = 0;

		r = opts_parse(c, globals, 1, *argc - 1, *argv + 1, true, NULL, &used);
		*argv += 1 + used;
		*argc -= 1 + used;
		taken = true;
	}
	if (r == 0 && taken && *argc > 1 && strcmp((*argv)[1], "help") == 0) {
		(*argv)[1] = (*argv)[0];
		(*argv)[0] = (char *)"help";
	}
	return r;
}

void
front_words(struct ctl *ctl, int *argc, char ***argv)
{
	char **words = *argv;

	/* "ls ." means "ls" */
	if (*argc == 2 && strcmp(words[1], ".") == 0 &&
	    words_in("ls list show info view", slice_from(words[0]))) {
		(void)typed_line_change(words[1], (struct slice){0});
		--*argc;
	}
	if (*argc > 3 && words_in("cost explain", slice_from(words[0])) &&
	    synonyms_store_word(words[1]) && words[3][0] != '-') {
		char *command = words[3];

		memmove(words + 2, words + 1, 2 * sizeof(*words));
		words[1] = command;
	}
	if (*argc > 1 && strcmp((*argv)[0], "cost") == 0 && (*argv)[1][0] != '-') {
		ctl->estimates = true;
		++*argv;
		--*argc;
	}
	if (*argc > 1 && strcmp((*argv)[0], "explain") == 0 &&
	    (words_in("get run sql call query scan", slice_from((*argv)[1])) ||
	     words_in("get query", slice_from(synonyms_command((*argv)[1]))) ||
	     synonyms_operation((*argv)[1]) != OP_COUNT)) {
		bool statement = strcmp((*argv)[1], "execute-statement") == 0;

		(*argv)[0] = statement ? (char *)"sql" : (*argv)[1];
		(*argv)[1] = (char *)"--explain";
	}
}

/* Return true if the word is a store directory, the URL of a server, or dynamodb:REGION. */
static bool
front_is_store(struct call *c, const char *word)
{
	return store_is_remote(word) ? word[other_store_endpoint(word)] == '\0'
				     : other_store_is(c, slice_from(word));
}

/* The command that the words name; NULL if there is none */
static const struct command *
front_command(struct call *c, int argc, char **argv)
{
	const struct command *command = NULL;
	const char *operation;

	call_scope(own, c->now_ms);
	return argc > 0 && verbs_find(&own, argc, argv, &command, &operation) == 0 ? command : NULL;
}

/* Index of the first word of the command, which may be a table.  "--all" of copy becomes that word. */
static int
front_first(const struct command *command, int at, int argc, char **argv)
{
	bool copies = command == &cmd_copy;

	at += argc > at && synonyms_store_word(argv[at]) ? 2 : 0;
	at += argc > at && copies && words_in("-r -a", slice_from(argv[at]));
	for (int i = at; copies && i < argc; i++) {
		if (strcmp(argv[i], "--all") == 0) {
			memmove(&argv[at + 1], &argv[at], (size_t)(i - at) * sizeof(*argv));
			argv[at] = (char *)OTHER_STORE_ALL;
		}
	}
	return at;
}

/* In "copy --from STORE" set the store; without a table, copy all its tables. */
static void
front_from(struct call *c, const struct command *command, const char **store, int at, int argc,
	   char **argv)
{
	bool table = typed_line_has("--table") || typed_line_has("--all");

	for (int i = at; command == &cmd_copy && i + 1 < argc; i++) {
		if (strcmp(argv[i], "--from") != 0 || !front_is_store(c, argv[i + 1])) {
			continue;
		}
		if (table || argv[at][0] != '-' || *store != NULL) {
			argv[i] = (char *)"--store";
		} else {
			*store = argv[i + 1];
			argv[i] = (char *)"--all";
			argv[i + 1] = (char *)"-r";
		}
	}
}

void
front_table(struct call *c, const char **store, int argc, char **argv)
{
	int at = argc > 2 && words_in("cost explain", slice_from(argv[0])) ? 2 : 1;
	const struct command *command = front_command(c, argc - at + 1, argv + at - 1);
	struct slice table;

	front_from(c, command, store, at, argc, argv);
	at = front_first(command, at, argc, argv);
	if (argc <= at || command == NULL || argv[at][0] == '-' ||
	    (command != &cmd_diff &&
	     strncmp(command->usage + (command->usage[0] == '['), "TABLE", 5) != 0)) {
		return;
	}
	const char *given = *store != NULL ? *store : instead_store(argc, argv);
	const char *found = other_store_table(c, argv[at], given, &table);

	/* "copy STORE NEW" copies all tables */
	if (found == NULL && given == NULL && command == &cmd_copy &&
	    other_store_is(c, slice_from(argv[at]))) {
		found = argv[at];
	}
	if (found != NULL && (table.len > 0 || command == &cmd_copy)) {
		*store = given == NULL ? found : *store;
		if (slice_chr(table, '/') != NULL) { /* also a key */
			(void)typed_line_change(argv[at], table);
			if (given == NULL) {
				typed_line_set(SLICE("store"), found, 1);
			}
		}
		argv[at] = table.len > 0 ? (char *)table.at : (char *)OTHER_STORE_ALL;
	}
}

/*
 * Return true if a key follows "create STORE TABLE": options, "PK,SK", or two names that cannot belong to a key of
 * three words.
 */
static bool
front_has_key(int argc, char **argv)
{
	bool two = argc > 4 && argv[4][0] != '-';
	bool typed = two && value_is_ordered(keyspec_type(slice_from(argv[argc > 5 ? 3 : 4])));

	return argv[3][0] == '-' || strchr(argv[3], ',') != NULL || (two && !typed);
}

/* Return true if the first word of create-table or import can only be a new store. */
static bool
front_new_only(bool creates, bool named, int argc, char **argv)
{
	struct stat st;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	if (getenv("ITEMFS_STORE") != NULL || find_store_lone() != NULL) {
		return false;
	}
	if (named || argc < 4) {
		return named;
	}
	if (creates) { /* two names and a key: a line creates one table, so the first is the store */
		return argv[2][0] != '-' && front_has_key(argc, argv) &&
		       !words_in("table tables index", slice_from(argv[1]));
	}
	return strpbrk(argv[2], "./-") == NULL &&
	       (strcmp(argv[3], "-") == 0 || stat(argv[3], &st) == 0);
}

/* Return true if the first word of import is a new store, as in "import new.db FILE..." or "... | import new TABLE". */
static bool
front_new_files(int argc, char **argv)
{
	struct stat st;
	bool file = argc > 2 && stat(argv[2], &st) == 0;
	bool piped = argc == 3 && fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode);

	if (argc < 3 || argv[1][0] == '-' || stat(argv[1], &st) == 0) {
		return false;
	}
	return file ? find_store_looks(argv[1]) && strchr(argv[1], '/') == NULL
		    : piped && strpbrk(argv[2], "./-") == NULL;
}

/* Index of the source store in "copy TABLE STORE NEW" or "copy STORE TABLE NEW", where NEW is a store; -1: none */
static int
front_copy_at(struct call *c, int argc, char **argv)
{
	bool stores = false;

	for (int i = 1; i < argc && argv[i][0] != '-'; i++) { /* STORE:TABLE, as in docker cp */
		size_t n = strcspn(argv[i], ":/");
		const char *store = slice_cstr(&c->arena, slice_of(argv[i], n));

		stores = stores || front_is_store(c, store);
		if (stores && argv[i][n] == ':' && argv[i][n + 1] != '/') {
			argv[i] = (char *)arena_print(&c->arena, "%s/%s", store, argv[i] + n + 1);
		}
	}
	if (argc < 4 || argv[1][0] == '-' || argv[2][0] == '-' || argv[3][0] == '-') {
		return -1;
	}
	int at = front_is_store(c, argv[1]) ? 1 : 2;

	if (!front_is_store(c, argv[at]) || strpbrk(argv[3 - at], "/:") != NULL) {
		return -1;
	}
	if (strpbrk(argv[3], "/:.") == NULL) {
		argv[3] = (char *)arena_print(&c->arena, "./%s", argv[3]);
	}
	return at;
}

/*
 * Index of the store among the words of some commands; -1: none.  It is new in "create-table new.db TABLE",
 * "create-table new --table-name TABLE" and "import new TABLE FILE", also as last word after options of aws.  It exists
 * in "backup STORE DIR", "diff STORE TABLE FILE" and "copy STORE TABLE NEW".
 */
static int
front_new_at(struct call *c, const struct command *command, int argc, char **argv)
{
	bool creates = command == &cmd_create_table;
	bool named = creates && words_have(argc, argv, "--table-name");
	struct stat st;

	if (command == &cmd_copy) {
		return front_copy_at(c, argc, argv);
	}
	int most = command == &cmd_backup ? 1
		   : command == &cmd_diff ? 2
					  : argc; /* words without the store */

	if (argc > most + 1 && argv[2][0] != '-' && argv[most + 1][0] != '-' &&
	    front_is_store(c, argv[1])) {
		return 1;
	}
	if ((!creates && command != &cmd_import) || argc < 3 || instead_store(argc, argv) != NULL) {
		return -1;
	}
	if (!creates && front_new_files(argc, argv)) {
		return 1;
	}
	bool table = argv[2][0] != '-' &&
		     (creates || (argc > 3 && (argv[3][0] != '-' || argv[3][1] == '\0') &&
				  stat(argv[2], &st) != 0));
	int at = named && argv[1][0] == '-' && argv[argc - 2][0] != '-' &&
				 strcmp(argv[argc - 2], "--table-name") != 0
			 ? argc - 1
			 : 1;

	return (named || table) && argv[at][0] != '-' && strchr(argv[at], '=') == NULL &&
			       (find_store_looks(argv[at]) ||
				(at == 1 && front_new_only(creates, named, argc, argv))) &&
			       stat(argv[at], &st) != 0
		       ? at
		       : -1;
}

/*
 * Index of a store after the next word, as in "show tables STORE" or "count TABLE STORE", or after options of aws; -1
 * if there is none
 */
static int
front_store_behind(struct call *c, const struct command *command, int argc, char **argv)
{
	bool word = argc > 2 && argv[1][0] != '-';
	struct stat st;

	/* "deploy --template-file FILE new.db", "apply new.db -f FILE" */
	for (int i = 1; i < argc && words_in("deploy apply", slice_from(argv[0])); i++) {
		if (find_store_looks(argv[i]) && strchr(argv[i], '/') == NULL &&
		    argv[i - 1][0] != '-' && stat(argv[i], &st) != 0) {
			return i;
		}
	}
	if (word && front_is_store(c, argv[2]) &&
	    (phrase_is_noun(argv[1]) ||
	     (argc == 3 && command != NULL &&
	      (command->max_words == 1 || words_in("count list", slice_from(argv[0])))))) {
		return 2;
	}
	return argc > 3 && strncmp(argv[1], "--", 2) == 0 && argv[argc - 2][0] != '-' &&
			       front_is_store(c, argv[argc - 1])
		       ? argc - 1
		       : -1;
}

/*
 * Return true if @word, which follows options, may be a table that the command deletes or changes: a store may have the
 * same name.
 */
static bool
front_deletes(const struct command *command, const char *word)
{
	return command != NULL && !find_store_looks(word) &&
	       words_in("reset drop delete sweep compact update", slice_from(command->name));
}

/*
 * Index of the first word that is no option, if it is a store; else -1.  If a table follows, options with a value each
 * may precede the store.
 */
static int
front_behind_options(struct call *c, const struct command *command, int argc, char **argv)
{
	bool value = false; /* the word may be the value of the option before it */

	for (int at = 1; at < argc; at++) {
		bool option = argv[at][0] == '-';
		bool table = command == NULL || command->min_words == 0 ||
			     (at + 1 < argc && argv[at + 1][0] != '-');

		if (!option && (at == 1 || (table && !front_deletes(command, argv[at]))) &&
		    front_is_store(c, argv[at])) {
			return at;
		}
		if ((!option && !value) || strcmp(argv[at], "--") == 0 ||
		    synonyms_store_word(argv[at])) {
			break;
		}
		value = option && strchr(argv[at], '=') == NULL;
	}
	return -1;
}

/*
 * Return true if the word is a new store: a plain word before a statement that creates a table, and not a misspelt
 * "sql" or store name.
 */
static bool
front_makes(const char *word, const char *text)
{
	struct near near = near_start(slice_from(word));

	const char *lone = find_store_lone();
	const char *slash = lone == NULL ? NULL : strrchr(lone, '/');

	near_try(&near, SLICE("sql"));
	near_try(&near, slice_from(slash == NULL ? "" : slash + 1));
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	return getenv("ITEMFS_STORE") == NULL && near.best.len == 0 && word[0] != '-' &&
	       strpbrk(word, " =:'\"") == NULL &&
	       (strncasecmp(text, "create table ", strlen("create table ")) == 0 ||
		strncmp(text, ".import ", strlen(".import ")) == 0);
}

/* Return true if the first word is a store with the name of a command that takes no statement, as in "copy .tables". */
static bool
front_is_named(struct call *c, const struct command *command, int argc, char **argv)
{
	return command != NULL && command != &cmd_sql && argc == 2 &&
	       (phrase_is_dotted(argv[1]) || synonyms_is_statement(argv[1])) &&
	       getenv("ITEMFS_STORE") == NULL && /* NOLINT(concurrency-mt-unsafe): no threads yet */
	       front_is_store(c, argv[0]);
}

/*
 * Index of the word that is the store; -1: none.  The forms are "itemctl STORE WORDS", as for sqlite3 and duckdb, also
 * with a file; "itemctl COMMAND STORE WORDS"; and the last word after options of aws.  Commands whose words are stores
 * or paths keep them.  Paths that may be in a mount are not accessed.
 */
static int
front_store_at(struct call *c, int argc, char **argv)
{
	static const char takers[] =
		"serve stop status wait diff copy backup restore why run cost help";
	const struct command *command = front_command(c, argc, argv);
	bool known = command != NULL;
	const char *mount = NULL;
	struct stat st;

	if (front_is_named(c, command, argc, argv)) {
		return 0;
	}
	if (!known && strcmp(argv[0], "version") != 0 &&
	    ((stat(argv[0], &st) == 0 && S_ISREG(st.st_mode)) || front_is_store(c, argv[0]) ||
	     find_store_has(argv[0], "BACKUP"))) {
		return 0;
	}
	/* a new store: "shop.db .tables", "shop 'CREATE TABLE ...'" */
	if (!known && argc > 1 && stat(argv[0], &st) != 0 &&
	    (find_store_looks(argv[0]) || front_makes(argv[0], argv[1]))) {
		return front_command(c, argc - 1, argv + 1) != NULL || instead_has(argv[1]) ? 0
											    : -1;
	}
	int at = known ? front_new_at(c, command, argc, argv) : -1;

	if (at > 0) {
		return at;
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	if (argc == 1 || getenv("ITEMFS_STORE") != NULL ||
	    (known && (words_in(takers, slice_from(command->name)) ||
		       (argc == 2 && command->min_words > 0 && strcmp(argv[0], "ls") != 0 &&
			(find_store_here(c, &mount) < 0 || mount != NULL))))) {
		return -1;
	}
	at = front_behind_options(c, command, argc, argv);
	return at > 0 ? at : front_store_behind(c, command, argc, argv);
}

const char *
front_store(struct call *c, int *argc, char **argv)
{
	int at = front_store_at(c, *argc, argv);
	const char *store = at < 0 ? NULL : argv[at];

	if (at < 0) {
		return NULL;
	}
	assert(at < *argc);
	typed_line_store(store);
	if (*argc == 1) {
		argv[0] = (char *)"shell";
	} else {
		memmove(argv + at, argv + at + 1, (size_t)(*argc - at - 1) * sizeof(*argv));
		--*argc;
	}
	return store;
}
