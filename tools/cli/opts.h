/*
 * opts - options of a command line, from tables
 *
 * A table says of each option where its value goes in a struct whose zero is
 * the default; help, parsing and checks are made from it.  Not getopt_long():
 * "--between A B" takes two words, and "-5" is a key, not an option.
 */
#ifndef TOOLS_CLI_OPTS_H
#define TOOLS_CLI_OPTS_H

#include "store/base/core/call.h"

#include "tools/text/fill.h"
#include "tools/text/words.h"

enum opt_kind {
	OPT_FLAG,  /* bool */
	OPT_TEXT,  /* const char *, NULL when not given */
	OPT_EXPR,  /* likewise, an expression */
	OPT_PATHS, /* likewise, a list of attributes */
	OPT_JSON,  /* likewise, JSON */
	OPT_LIST,  /* struct words: may be given often */
	OPT_COUNT, /* struct opt_count: a whole number, k, M, G allowed behind it */
	OPT_PAIR,  /* const char *[2] */
};

struct opt {
	const char *name; /* without its dashes; NULL ends a table */
	char letter;      /* short form, or 0 */
	enum opt_kind kind;
	const char *arg;  /* its value in the help, or NULL */
	size_t at;        /* offset of its value in the struct */
	const char *help; /* NULL: it works, help does not show it */
};

struct opt_count {
	bool given;
	uint64_t n;
};

/* One table and the struct that it fills. */
struct opt_target {
	const struct opt *opts; /* NULL: no options */
	void *into;
	const struct fill *fill; /* values are templates; NULL: they are not */
	uint64_t given;          /* a bit for each row that has had its value */
	const char *command; /* of the first table: whose options they are; NULL: of any command */
};

/**
 * opts_parse - sort @argv into options and words; options of other tools are taken for ours (synonyms.h)
 * @targets:  tables of at most 64 rows, searched in order; in a second parse they know what the first has given
 * @leading:  stop at the first word, which is a command
 * @words:    what is no option; those behind "--" always; NULL with @leading
 * @used:     how many of @argv were taken; NULL: not wanted
 *
 * Errors:  -ERR_USAGE  unknown option, missing, superfluous or second value, a bad number
 * Memory:  lists are in the call's arena; texts are argv's
 */
int opts_parse(struct call *c, struct opt_target *targets, size_t n_targets, int argc, char **argv,
	       bool leading, struct words *words, int *used) __attribute__((warn_unused_result));

/** opts_count - "12", "3M", "1.5k" as a whole number; false when it is none */
bool opts_count(const char *text, uint64_t *out);

#endif
