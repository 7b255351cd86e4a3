/*
 * opts - parser of command line options, driven by tables
 *
 * A row of a table says where the value of an option goes in a struct, whose default is zero. Help is made from the
 * same table. getopt_long() does not fit: "--between A B" takes two words, and "-5" is a key, not an option.
 */
#ifndef TOOLS_CLI_OPTS_H
#define TOOLS_CLI_OPTS_H

#include "tools/text/fill.h"
#include "tools/text/words.h"

enum opt_kind {
	OPT_FLAG,  /* bool */
	OPT_TEXT,  /* const char *, NULL if not given */
	OPT_EXPR,  /* as OPT_TEXT, an expression */
	OPT_PATHS, /* as OPT_TEXT, a list of attributes */
	OPT_JSON,  /* as OPT_TEXT, JSON */
	OPT_LIST,  /* struct words: may be given several times */
	OPT_COUNT, /* struct opt_count: a whole number, with an optional suffix k, M or G */
	OPT_PAIR,  /* const char *[2] */
};

struct opt {
	const char *name; /* without its dashes; NULL in OPTS_END() */
	char letter;      /* short form, or 0 */
	enum opt_kind kind;
	const char *arg; /* its value in the help, or NULL */
	size_t at; /* offset of its value in the struct; in OPTS_END() the size of the struct */
	const char *help; /* NULL: help does not show the option */
};

/* The last row of the table that fills a struct of type @of */
#define OPTS_END(of) \
	{ \
		NULL, 0, OPT_FLAG, NULL, sizeof(of), NULL \
	}

enum { OPT_ROWS_MAX = 64 }; /* most rows of a table: opt_target.given has a bit for each */

struct opt_count {
	bool given;
	uint64_t n;
};

/* One table and the struct that it fills. */
struct opt_target {
	const struct opt *opts; /* NULL: no options */
	void *into;
	const struct fill *fill; /* parameters of values that are templates; NULL: they are not */
	uint64_t given;          /* a bit for each row whose option was given */
	const char *command;     /* in the first target: the command; NULL: none is known yet */
};

/** opts_new - the struct of zeros that the table @opts fills; not NULL, even if @opts is */
void *opts_new(struct arena *a, const struct opt *opts);

/**
 * opts_parse - parse options and words; options of other tools are converted to ours (synonyms.h)
 * @targets:  tables, searched in order; they keep what was given, for a second parse
 * @leading:  stop at the first word, which is a command
 * @words:    the words, among them all after "--"; NULL with @leading
 * @used:     number of arguments that were taken; may be NULL
 *
 * Errors:  -ERR_USAGE  unknown option; missing, superfluous or second value; bad number
 * Memory:  lists are in the call's arena; texts belong to @argv, or are in the arena if they were changed
 * Thread:  the main thread: errors use the typed line, and some change it
 */
int opts_parse(struct call *c, struct opt_target *targets, size_t n_targets, int argc, char **argv,
	       bool leading, struct words *words, int *used) must_check;

/** opts_is_port - Return: whether an option without its dash is the letter p and a port, as in -p8000 */
bool opts_is_port(const char *name);

/** opts_resemble - Return: whether @name is probably a misspelt option of @opts, of which NULL has none */
bool opts_resemble(const struct opt *opts, struct slice name);

/** opts_count - parse "12", "3M" or "1.5k" as a whole number up to 2^53; Return: false if it is not one */
bool opts_count(const char *text, uint64_t *out);

#endif
