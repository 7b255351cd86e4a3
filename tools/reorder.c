/* reorder - see reorder.h */
#include "tools/reorder.h"

#include <limits.h>

#include "tools/cli/commands.h"
#include "tools/cli/synonyms.h"
#include "tools/text/shell_words.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Return true for DynamoDBLocal.jar, with or without a path. */
static bool
reorder_is_jar(const char *word)
{
	return strcasestr(word, "dynamodb") != NULL && slice_ends(slice_from(word), SLICE(".jar"));
}

/* Return true for words that precede the jar in a command line of java. */
static bool
reorder_is_java(const char *word)
{
	struct slice s = slice_from(word);

	return words_in("serve -- -jar", s) || slice_starts(s, SLICE("-D")) ||
	       slice_starts(s, SLICE("-X")) || slice_ends(s, SLICE("java"));
}

void
reorder_java(int *argc, char **argv)
{
	bool dashes = false;
	int jar = 1;

	for (; jar < *argc && !reorder_is_jar(argv[jar]); jar++) {
		dashes = dashes || strcmp(argv[jar], "--") == 0;
	}
	int first = jar;

	while (first > 1 && reorder_is_java(argv[first - 1])) {
		first--;
	}
	/* After other words of serve, such as those of a container's entry point, the jar needs -jar. */
	bool later = !dashes && first < jar && strcmp(argv[jar - 1], "-jar") == 0 &&
		     strcmp(argv[1], "serve") == 0;

	if (jar >= *argc || (first > 1 && !later)) {
		return;
	}
	if (first == 1) {
		argv[first++] = (char *)"serve";
	}
	memmove(&argv[first], &argv[jar + 1], (size_t)(*argc - jar) * sizeof(*argv));
	*argc -= jar + 1 - first;
}

bool
reorder_command(int argc, char **argv)
{
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *ours = synonyms_command(argv[i]);
		char *command = argv[i];

		if (argv[i][0] != '-' && (commands_find(ours == NULL ? argv[i] : ours) != NULL ||
					  synonyms_is_statement(argv[i]))) {
			memmove(&argv[2], &argv[1], (size_t)(i - 1) * sizeof(*argv));
			argv[1] = command;
			return true;
		}
	}
	return false;
}

void
reorder_host(int *argc, char **argv)
{
	static char url[NAME_MAX + sizeof("http://:65535")];
	int host = 0;
	int port = 0;

	for (int i = 1; i + 1 < *argc && strcmp(argv[i], "--") != 0; i++) {
		bool number = argv[i + 1][strspn(argv[i + 1], "0123456789")] == '\0';

		if (words_in("serve server start up", slice_from(argv[i]))) {
			return; /* serve has its own host option */
		}
		host = words_in("-h --host --hostname", slice_from(argv[i])) ? i : host;
		port = words_in("-p --port", slice_from(argv[i])) && number ? i : port;
	}
	if (host > 0 && port > 0 && strpbrk(argv[host + 1], ":/") == NULL) {
		(void)snprintf(url, sizeof(url), "http://%s:%s", argv[host + 1], argv[port + 1]);
		argv[host] = (char *)"--endpoint-url";
		argv[host + 1] = url;
		memmove(&argv[port], &argv[port + 2], (size_t)(*argc - port - 1) * sizeof(*argv));
		*argc -= 2;
	}
}

/* Rename options of other tools to ours. */
static void
reorder_options(int argc, char **argv)
{
	bool command = false;

	if (argc > 1 && words_in("-ui --ui", slice_from(argv[1]))) {
		argv[1] = (char *)"serve"; /* of duckdb */
	}
	/* -table is of sqlite3; our --table names a table.  After "--" the words belong to a program. */
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		argv[i] = strcmp(argv[i], "-table") == 0 ? (char *)"--pretty" : argv[i];
		command = command || commands_find(argv[i]) != NULL;
		argv[i] += !command && strcmp(argv[i], "--bigkeys") == 0 ? 2 : 0; /* of Redis */
	}
}

void
reorder_statement(int *argc, char **argv)
{
	reorder_options(*argc, argv);
	int plain = 0; /* words that are no options: after the second one, -c has no statement */

	for (int i = 1; i + 1 < *argc && plain < 2 && commands_find(argv[i]) == NULL &&
			synonyms_command(argv[i]) == NULL && strcmp(argv[i], "--") != 0;
	     i++) {
		plain += argv[i][0] != '-' && argv[i - 1][0] != '-';
		if (!words_in("-c -e -cmd --command --execute --eval", slice_from(argv[i]))) {
			continue;
		}
		bool dotted = strchr("\\.", argv[i + 1][0]) != NULL && argv[i + 1][0] != '\0' &&
			      argv[i + 1][1] != '/';
		bool makes = strncasecmp(argv[i + 1], "create ", 7) == 0 ||
			     strncmp(argv[i + 1], "db.", 3) == 0;

		/* "\d TABLE", "CREATE TABLE ...", "db.T.find()": the word alone is the command */
		if (dotted || makes) {
			memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof(*argv));
			--*argc;
			return;
		}
		if (shell_words_statement(slice_from(argv[i + 1])) &&
		    strchr(argv[i + 1], ' ') != NULL) {
			argv[i] = (char *)"sql";
			return;
		}
	}
}

void
reorder_explained(struct call *c, int *argc, char ***argv)
{
	const char *command = NULL;
	struct words words = {0};

	for (int i = 1; i < *argc && strcmp((*argv)[0], "explain") == 0; i++) {
		const char *name = (*argv)[i] + strspn((*argv)[i], "-");
		struct slice option = slice_of(name, (*argv)[i][0] == '-' ? strcspn(name, "=") : 0);

		if (words_in("key pk key-condition-expression", option)) {
			command = "query";
		} else if (command == NULL && words_in("table table-name t", option)) {
			command = "scan";
		}
	}
	if (command != NULL) {
		(void)typed_line_change((*argv)[0], slice_from(command));
		typed_line_set(SLICE("explain"), "", 0);
		words_add(c, &words, command);
		words_add(c, &words, "--explain");
		for (int i = 1; i <= *argc; i++) {
			words_add(c, &words, i < *argc ? (*argv)[i] : NULL);
		}
		*argc = (int)words.n - 1;
		*argv = (char **)words.at;
	}
}
