/* explain_requests - --explain of a command or a pattern: which requests it makes, what they read, find and cost */
#ifndef TOOLS_EXPLAIN_EXPLAIN_REQUESTS_H
#define TOOLS_EXPLAIN_EXPLAIN_REQUESTS_H

#include "tools/explain/recorder.h"
#include "tools/session/ctl.h"

struct command;

struct explain_opts {
	bool explain;
	bool run;
	bool no_scan;
	const char *max_units; /* a number; NULL: any */
};

/* Rows for the table of a command's options; @at: offset of its struct explain_opts. */
/* clang-format off */
#define EXPLAIN_ROWS(at) \
	{"explain", 0, OPT_FLAG, NULL, (at) + offsetof(struct explain_opts, explain), "print the request, its keys, what it reads and costs, instead of items"}, \
	{"run", 0, OPT_FLAG, NULL, (at) + offsetof(struct explain_opts, run), "with --explain: also read at an endpoint, to count and measure"}, \
	{"no-scan", 0, OPT_FLAG, NULL, (at) + offsetof(struct explain_opts, no_scan), "with --explain: exit status 1 if it is a Scan"}, \
	{"max-units", 0, OPT_TEXT, "N", (at) + offsetof(struct explain_opts, max_units), "with --explain: exit status 1 if it costs more read units"}
/* clang-format on */

/* What is put back afterwards. */
struct explaining {
	struct explain_opts limits;
	struct recorder to;
	struct out out;
	struct buf *first;
	struct buf line;
	bool quiet;
};

/**
 * explain_begin - from here on requests are noted; reads are carried out in a store directory, at an endpoint with --run; writes are not
 *
 * Errors:  -ERR_USAGE  those of explain_check(), cost with --explain; there is nothing to end then
 */
int explain_begin(struct ctl *ctl, struct call *c, const struct explain_opts *o,
		  struct explaining *e) __attribute__((warn_unused_result));

/** explain_end - print what was noted, unless @r, how the command ended, is an error; Return: it, or as explain_judge() */
int explain_end(struct ctl *ctl, struct call *c, struct explaining *e, int r)
	__attribute__((warn_unused_result));

/** explain_check - do the options go together? Errors: -ERR_USAGE with the line */
int explain_check(struct call *c, const struct explain_opts *o) __attribute__((warn_unused_result));

/** explain_judge - say which limits do not hold of what was found since the last time; Return: 1 if one does not, else 0 */
int explain_judge(struct ctl *ctl, struct call *c, const struct explain_opts *o)
	__attribute__((warn_unused_result));

/** explain_wanted - do the options say so, and is it not being done already? */
bool explain_wanted(const struct ctl *ctl, const struct explain_opts *o);

/** explain_command - run the command between the two */
int explain_command(struct ctl *ctl, struct call *c, const struct command *command,
		    const struct words *words, const void *opts, const struct explain_opts *o)
	__attribute__((warn_unused_result));

#endif
