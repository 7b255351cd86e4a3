/* front - see front.h */
#include "tools/front.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/other_store.h"
#include "tools/typed_line.h"
#include "tools/verbs.h"
#include "tools/words.h"

/* "aws --region R dynamodb" before a command: the words go, the options are ours; "query help" is "help query". */
int
front_aws(struct call *c, struct opt_target *globals, int *argc, char ***argv)
{
	static const char *const names[] = {"aws", "awslocal", "dynamodb", "dynamodbstreams"};
	bool taken = false;
	int r = 0;

	for (size_t i = 0; r == 0 && *argc > 1 && i < sizeof(names) / sizeof(names[0]); i++) {
		int used = 0;

		if (strcmp((*argv)[0], names[i]) == 0) {
			r = opts_parse(c, globals, 1, *argc - 1, *argv + 1, true, NULL, &used);
			*argv += 1 + used;
			*argc -= 1 + used;
			taken = true;
		}
	}
	if (r == 0 && taken && *argc > 1 && strcmp((*argv)[1], "help") == 0) {
		(*argv)[1] = (*argv)[0];
		(*argv)[0] = (char *)"help";
	}
	return r;
}

/* Words before a command: "cost", and "explain", which is an option of some. */
void
front_words(struct ctl *ctl, int *argc, char ***argv)
{
	if (*argc > 1 && strcmp((*argv)[0], "cost") == 0 && (*argv)[1][0] != '-') {
		ctl->estimates = true;
		++*argv;
		--*argc;
	}
	if (*argc > 1 && strcmp((*argv)[0], "explain") == 0 &&
	    words_in("get query scan run sql", slice_from((*argv)[1]))) {
		(*argv)[0] = (*argv)[1];
		(*argv)[1] = (char *)"--explain";
	}
}

/*
 * Which word is the store that no option names: "itemctl STORE WORDS", as sqlite3 and duckdb are called, also a file;
 * "itemctl COMMAND STORE WORDS"; or the last one, behind options of aws.  Commands that take stores or paths as words
 * keep them, and no path is looked at that may be in a mount.  -1: none
 */
static int
front_store_at(struct call *c, int argc, char **argv)
{
	static const char takers[] =
		"serve stop status wait diff copy backup restore why run cost help";
	const struct command *command;
	const char *operation;
	struct stat st;
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	bool known = verbs_find(&own, argc, argv, &command, &operation) == 0;

	call_close(&own);
	if (!known && strcmp(argv[0], "version") != 0 &&
	    ((stat(argv[0], &st) == 0 && S_ISREG(st.st_mode)) ||
	     other_store_is(c, slice_from(argv[0])))) {
		return 0;
	}
	/* "shop.db .tables", where it is to be made */
	if (!known && argc > 1 && slice_ends(slice_from(argv[0]), SLICE(".db")) &&
	    stat(argv[0], &st) != 0) {
		call_open(&own, c->now_ms, CTL_BUDGET);
		known = verbs_find(&own, argc - 1, argv + 1, &command, &operation) == 0;
		call_close(&own);
		return known ? 0 : -1;
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	if (argc == 1 || getenv("ITEMFS_STORE") != NULL ||
	    (known && (words_in(takers, slice_from(command->name)) ||
		       (argc == 2 && command->min_words > 0 && strcmp(argv[0], "ls") != 0)))) {
		return -1;
	}
	if (other_store_is(c, slice_from(argv[1]))) {
		return 1;
	}
	return argc > 3 && strncmp(argv[1], "--", 2) == 0 && argv[argc - 2][0] != '-' &&
			       other_store_is(c, slice_from(argv[argc - 1]))
		       ? argc - 1
		       : -1;
}

const char *
front_store(struct call *c, int *argc, char **argv)
{
	int at = front_store_at(c, *argc, argv);
	const char *store = at < 0 ? NULL : argv[at];

	if (at < 0) {
		return NULL;
	}
	typed_line_store(store);
	if (*argc == 1) {
		argv[0] = (char *)"shell";
	} else {
		memmove(argv + at, argv + at + 1, (size_t)(*argc - at - 1) * sizeof(*argv));
		--*argc;
	}
	return store;
}
