/*
 * ctl - one run of itemctl: global options, store, output, messages
 *
 * main() makes a struct ctl, passes it to the command and finishes it.
 */
#ifndef TOOLS_SESSION_CTL_H
#define TOOLS_SESSION_CTL_H

#include "store/engine/meter.h"

#include "tools/cli/opts.h"
#include "tools/out/out.h"
#include "tools/session/exprs.h"
#include "tools/system/call_scope.h"
#include "tools/text/text_lines.h"

enum {
	CTL_TEXT_MAX = 64 * 1024 * 1024, /* bytes of a file that ctl_read_file() reads */
	CTL_LINE_MAX = 16 * 1024 * 1024, /* bytes of a line in it */
};

struct command;
struct spending;

/* Counters of --stats. */
struct ctl_stats {
	uint64_t pages;
	uint64_t count;
	uint64_t scanned;
};

/* Results of --explain, for --no-scan and --max-units. */
struct ctl_explained {
	uint64_t halves; /* half read units */
	bool scans;
	bool unknown; /* the command consumes more than @halves; the amount is unknown */
};

struct ctl {
	const char *store;       /* -s, else $ITEMFS_STORE; NULL: none */
	bool store_given;        /* by -s */
	const char *store_typed; /* by -s, for the lines that a message suggests; else NULL */
	enum out_format format;
	bool quiet;                /* no notes and no progress */
	bool yes;                  /* --yes: do not ask */
	struct dry *dry;           /* with --dry-run, else NULL */
	bool stats;                /* --stats */
	bool capacity;             /* --capacity */
	struct meter *meter;       /* with --capacity, and for run; else NULL */
	struct spending *spending; /* of all endpoints of this run; NULL in tests */
	struct engine *engine;
	bool unopened;              /* the store could not be opened */
	struct out out;             /* standard output */
	const struct exprs *exprs;  /* expressions of the current request, for the caret */
	const struct fill *fill;    /* of the current pattern; else NULL */
	struct slice script;        /* with fill: the actions of the pattern's transact */
	struct text_origin *origin; /* with fill: position in the pattern's file */
	struct buf *first; /* gets the first line of the output; the rest is discarded; else NULL */
	struct ctl_stats counted;
	struct ctl_explained explained;
	bool explains;    /* --explain: requests are recorded, see explain_requests.h */
	bool estimates;   /* cost: estimate the consumption instead of running the command */
	bool reads_input; /* the command reads standard input */

	struct slice meant;  /* the command line that a statement was replaced by; else empty */
	struct slice advice; /* the command's own suggestion for its error; else empty */

	const struct command *command; /* the current command; NULL: none was found */
	struct words words;            /* its words, once their number has been checked */
};

/** ctl_endpoint - if no store is named, use the endpoint of the environment, as the SDKs do */
void ctl_endpoint(struct ctl *ctl, struct call *c);

/**
 * ctl_named_store - set @ctl->store: from -s, the environment or the mount, else the only store in the directory
 *
 * Prints a note if it uses the only store in the directory.
 * Errors: -ERR_USAGE  there is none
 */
int ctl_named_store(struct ctl *ctl, struct call *c) must_check;

/** ctl_store_is_new - return true if @ctl->store is a directory that is not a store yet */
bool ctl_store_is_new(const struct ctl *ctl, struct call *c);

/**
 * ctl_open_store - open the store with the wrappers of the global options, unless it is open already
 *
 * Errors: -ERR_USAGE  no store is named; those of store_open()
 */
int ctl_open_store(struct ctl *ctl, struct call *c, bool create) must_check;

/** ctl_of_store - a copy of @ctl for another store, which is not open */
struct ctl ctl_of_store(const struct ctl *ctl, const char *store);

/**
 * ctl_may_look - return true if a request may be sent whose only purpose is a better note
 *
 * Return: false with --quiet, in a pattern, whose requests are counted, and for a far store if stderr is no terminal
 */
bool ctl_may_look(const struct ctl *ctl);

/** ctl_owns - return true if this process owns the store: it opened it, or took it over when the owner ended */
bool ctl_owns(const struct ctl *ctl);

/** ctl_schema - the schema of a table, by DescribeTable; in the call's arena */
int ctl_schema(const struct ctl *ctl, struct call *c, struct slice table, const struct schema **out)
	must_check;

/** ctl_other_indexes - ": did you mean X?" or "; there are X, Y" for an index that @s lacks; in the call's arena */
struct slice ctl_other_indexes(struct call *c, const struct schema *s, const char *name);

/** ctl_index - find the index @name of @s; Errors: -ERR_NO_INDEX  the message lists the indexes */
int ctl_index(struct call *c, const struct schema *s, const char *name, const struct index **out)
	must_check;

/** ctl_readable - check that the table exists and, unless @index is NULL, the index; Return: 0 or the error */
int ctl_readable(struct ctl *ctl, struct call *c, struct slice table, const char *index) must_check;

/**
 * ctl_time_to_live - the name of the table's time-to-live attribute, in the call's arena
 *
 * *out is empty if there is none, if the endpoint has no time to live, and on AccessDenied, which a note reports.
 */
int ctl_time_to_live(struct ctl *ctl, struct call *c, struct slice table, struct slice *out)
	must_check;

/** ctl_check_jobs - check that --jobs, if given, is 1 to 64; Errors: -ERR_USAGE */
int ctl_check_jobs(struct call *c, const struct opt_count *jobs) must_check;

/** ctl_jobs - number of threads: @jobs, which ctl_check_jobs() has accepted, or one for each processor */
unsigned ctl_jobs(const struct opt_count *jobs);

/** ctl_requests - number of concurrent reads: @jobs, else 16 for a remote store, or one for each processor */
unsigned ctl_requests(const struct ctl *ctl, const struct opt_count *jobs);

/** ctl_empty - with tables as output, print a note if there are no items: no output at all would look like a fault */
void ctl_empty(const struct ctl *ctl);

/**
 * ctl_end_answer - print the current output and begin a new one
 *
 * Errors:  -ERR_IO  a write has failed
 */
int ctl_end_answer(struct ctl *ctl, struct call *c) must_check;

/** ctl_note - print a line on stderr, except with --quiet; Thread: any */
void ctl_note(const struct ctl *ctl, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** ctl_put_said - append a message for stderr: with -s in command lines, and control characters escaped */
void ctl_put_said(struct buf *b, const struct ctl *ctl, struct slice said);

/**
 * ctl_adopt - copy the failure of another call, as call_adopt(), and its item
 * @from: a call that has failed
 *
 * Return: -ERR_* of @from.
 */
int ctl_adopt(struct call *c, const struct call *from);

/**
 * ctl_read_file - read a whole file, "-" for standard input; in the call's arena
 *
 * Errors:  -ERR_USAGE  more than CTL_TEXT_MAX, or a line of more than CTL_LINE_MAX; those of no_file()
 */
int ctl_read_file(struct call *c, const char *name, struct slice *out) must_check;

/** ctl_read_text - likewise, without a byte order mark at the beginning */
int ctl_read_text(struct call *c, const char *name, struct slice *out) must_check;

/** ctl_item - parse one item in JSON */
int ctl_item(struct call *c, struct slice text, struct item *out) must_check;

#endif
