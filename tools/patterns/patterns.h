/*
 * patterns - a file of named access patterns, for "itemctl run"
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
 * A pattern begins with a line that is not indented; the lines that belong to it are indented.  More deeply indented
 * lines continue the line above; those below "transact" are its actions.  Lines that begin with '#' are comments.  A
 * deeper line is a comment only if a blank or nothing follows the '#', because an expression may continue with "#name".
 */
#ifndef TOOLS_PATTERNS_PATTERNS_H
#define TOOLS_PATTERNS_PATTERNS_H

#include "tools/patterns/expect.h"
#include "tools/text/fill.h"
#include "tools/text/text_lines.h"

struct pattern_param {
	struct slice name;
	struct slice about; /* description, or empty */
	struct slice preset;
	bool has_preset;
	bool number;
};

struct pattern_line {
	int line;          /* in the file, from 1 */
	struct slice text; /* including the lines that continue it */
	size_t first;      /* bytes of its first line */
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
 * patterns_parse - parse a file
 * @text: borrowed until the call closes
 *
 * Return: 0; -ERR_USAGE, with the place
 */
int patterns_parse(struct call *c, struct text_origin *origin, struct slice text,
		   struct patterns *out) must_check;

/**
 * patterns_values - the values of the parameters: those that were typed, and the presets of the others
 * @typed: "name=value" each
 * @out:   in the call's arena
 *
 * Return: 0; -ERR_USAGE  a parameter is unknown, missing, given twice, or not a number
 */
int patterns_values(struct call *c, const struct pattern *p, const char *const *typed,
		    size_t n_typed, struct fill *out) must_check;

/** patterns_typed - the value of a parameter among @typed, "name=value" each; NULL: none */
const char *patterns_typed(const struct pattern_param *p, const char *const *typed, size_t n);

/**
 * patterns_script - the lines below "transact" as a script, in which only lines that continue an action are indented
 *
 * Empty lines before them keep the line numbers of the file.  In the call's arena.
 */
struct slice patterns_script(struct call *c, const struct pattern_line *line);

#endif
