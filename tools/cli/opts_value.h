/* opts_value - values of options: takes them from the command line and stores them in the structs of options */
#ifndef TOOLS_CLI_OPTS_VALUE_H
#define TOOLS_CLI_OPTS_VALUE_H

#include "tools/cli/opts.h"

/* The state of opts_parse() */
struct opts_walk {
	struct opt_target *targets;
	size_t n_targets;
	char **argv;
	int argc;
	int next;                  /* index of the next word */
	const struct words *words; /* before it, without options; NULL: only options are taken */

	/* words that options of other tools have given; NULL: not given */
	const char *table;
	const char *pk;
	const char *sk;
	const char *last;
};

/**
 * opts_take_text - take the value of an option
 * @name: of the option, for the error
 * @arg: the kind of its value, for the error
 * @inlined: the text after '=', which becomes NULL; NULL: the next word is the value
 *
 * Errors:  -ERR_USAGE  there is no value
 */
int opts_take_text(struct call *c, struct opts_walk *w, struct slice name, const char *arg,
		   const char **inlined, const char **out) must_check;

/**
 * opts_store - store the value of an option in its struct
 * @o: a row of @target
 * @inlined: the text after '=', or NULL
 *
 * Errors:  -ERR_USAGE  no value, a second value, a value that is not allowed or not a number
 */
int opts_store(struct call *c, struct opts_walk *w, const struct opt *o, struct opt_target *target,
	       const char *inlined) must_check;

/** opts_is_keys - return true for "--key PK,SK", which defines the key of a new table */
bool opts_is_keys(const struct opt *o);

#endif
