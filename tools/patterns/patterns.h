/*
 * patterns - a file of named access patterns, as "itemctl run" reads it
 *
 *   # orders and their customers
 *   pattern orders-of-customer  Open orders of a customer, newest first
 *       param customer=CUSTOMER3  who ordered
 *       param since
 *       param least:N=0           of this total at least
 *       query shop ${customer} --ge OPEN#${since} --reverse
 *           --filter 'Total >= ${least}'
 *       expect with since=2020, 2 items, at most 1 unit, no Scan
 *
 * A pattern begins at the margin; what belongs to it is indented.  Deeper lines
 * continue the one above; those below "transact" are its actions.  Lines that
 * begin with '#' are comments (deeper ones when a blank or nothing follows, since
 * an expression may go on with "#name").
 */
#ifndef TOOLS_PATTERNS_PATTERNS_H
#define TOOLS_PATTERNS_PATTERNS_H

#include "tools/patterns/expect.h"
#include "tools/text/fill.h"
#include "tools/text/text_lines.h"

struct pattern_param {
	struct slice name;
	struct slice about; /* or empty */
	struct slice preset;
	bool has_preset;
	bool number;
};

struct pattern_line {
	int line;          /* in the file, from 1 */
	struct slice text; /* with the lines that continue it */
	size_t first;      /* bytes of the first line in @text */
};

struct pattern {
	int line;
	struct slice name;
	struct slice about;
	struct pattern_param *params;
	size_t n_params;
	size_t params_cap;
	struct pattern_line *lines;
	size_t n_lines;
	size_t lines_cap;
	struct expect expect;
};

struct patterns {
	struct pattern *at;
	size_t n;
	size_t cap;
};

/**
 * patterns_parse - a whole file
 * @text: borrowed until the call closes
 *
 * Errors:  -ERR_USAGE  with its place
 */
int patterns_parse(struct call *c, struct text_origin *origin, struct slice text,
		   struct patterns *out) __attribute__((warn_unused_result));

/**
 * patterns_values - what was typed for a pattern's parameters, and its own values for the others
 * @typed: "name=value" each
 *
 * Errors:  -ERR_USAGE  an unknown or missing one, no number where one is wanted
 */
int patterns_values(struct call *c, const struct pattern *p, const char *const *typed,
		    size_t n_typed, struct fill *out) __attribute__((warn_unused_result));

/** patterns_script - the lines below a "transact", with no indentation but what continues an action */
struct slice patterns_script(struct call *c, const struct pattern_line *line);

#endif
