/* explain_requests - --explain of a command or a pattern: the requests that it sends, and what they read and cost */
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

/* State between explain_begin() and explain_end(): the members of struct ctl to restore, and the records. */
struct explaining {
	struct explain_opts limits;
	struct recorder to;
	struct out out;
	struct buf *first;
	struct buf line;
	bool quiet;
};

/**
 * explain_begin - record all requests from now on; pair with explain_end()
 *
 * Reads are executed in a store directory, and with --run at an endpoint.  Writes are not executed.
 * Errors:  -ERR_USAGE  those of explain_check(), cost with --explain; then do not call explain_end()
 */
int explain_begin(struct ctl *ctl, struct call *c, const struct explain_opts *o,
		  struct explaining *e) must_check;

/**
 * explain_end - print the recorded requests, and restore the members of @ctl
 * @r: result of the command; after an error nothing is printed
 *
 * Return: the error, or as explain_judge()
 */
int explain_end(struct ctl *ctl, struct call *c, struct explaining *e, int r) must_check;

/** explain_check - check the options; Errors: -ERR_USAGE  with the corrected line */
int explain_check(struct call *c, const struct explain_opts *o) must_check;

/** explain_judge - print the limits that ctl->explained exceeds, and reset it; Return: 1 if there is one, else 0 */
int explain_judge(struct ctl *ctl, struct call *c, const struct explain_opts *o) must_check;

/** explain_wanted - return true if the options require an explanation and none is in progress */
bool explain_wanted(const struct ctl *ctl, const struct explain_opts *o);

/** explain_command - run the command between explain_begin() and explain_end(); Return: as explain_end() */
int explain_command(struct ctl *ctl, struct call *c, const struct command *command,
		    const struct words *words, const void *opts, const struct explain_opts *o)
	must_check;

#endif
