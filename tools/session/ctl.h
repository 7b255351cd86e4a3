/*
 * ctl - one run of itemctl: global options, the store, the answer, what went wrong
 *
 * Made by main(), handed to the command, finished by main().
 */
#ifndef TOOLS_SESSION_CTL_H
#define TOOLS_SESSION_CTL_H

#include "store/base/core/cleanup.h"
#include "store/engine/meter.h"

#include "tools/cli/opts.h"
#include "tools/out/out.h"
#include "tools/session/exprs.h"
#include "tools/system/call_scope.h"
#include "tools/text/text_lines.h"

enum {
	CTL_TEXT_MAX = 64 * 1024 * 1024, /* bytes of a file that is read as a whole */
	CTL_LINE_MAX = 16 * 1024 * 1024, /* of one of its lines */
};

struct command;
struct spending;

/* What --stats counts. */
struct ctl_stats {
	uint64_t pages;
	uint64_t count;
	uint64_t scanned;
};

/* What --explain has found, for its limits. */
struct ctl_explained {
	uint64_t halves; /* half read units */
	bool scans;
	bool unknown; /* there is more than @halves, and nobody knows how much */
};

struct ctl {
	const char *store; /* -s, else $ITEMFS_STORE; NULL: none */
	bool store_given;  /* by -s */
	const char
		*store_typed; /* by -s, to be named in lines that a message suggests; else NULL */
	const char *program;  /* argv[0] */
	enum out_format format;
	bool quiet;                /* no notes and no progress */
	bool yes;                  /* --yes: nobody is asked */
	struct dry *dry;           /* with --dry-run, else NULL */
	bool stats;                /* --stats */
	bool capacity;             /* --capacity */
	struct meter *meter;       /* with it, and for run; else NULL */
	struct spending *spending; /* of all endpoints of this run; NULL in tests */
	struct engine *engine;
	bool unopened;              /* the store could not be opened */
	struct out out;             /* standard output */
	const struct exprs *exprs;  /* of the request that runs; for the caret */
	const struct fill *fill;    /* of the pattern that runs; else NULL */
	struct slice script;        /* with it: the actions of its transact */
	struct text_origin *origin; /* with it: of the pattern's file */
	struct buf *
		first; /* gets the first line of what is answered, the rest goes nowhere; else NULL */
	struct ctl_stats counted;
	struct ctl_explained explained;
	bool explains;    /* --explain: requests are noted, see explain_requests.h */
	bool estimates;   /* cost: what the command would consume, instead of running it */
	bool reads_input; /* the command does, from standard input */

	struct slice meant;  /* the line of a command that a statement was read as; else empty */
	struct slice advice; /* against the error, if the command itself knows it; else empty */

	const struct command *command; /* what runs; NULL: none could be found */
	struct words words;            /* its own, when they are as many as it takes */
};

/** ctl_endpoint - where no store is named, take the endpoint of the environment, as the SDKs do */
void ctl_endpoint(struct ctl *ctl, struct call *c);

/** ctl_named_store - that of the command line, the environment or the mount, else the only one here, which a note tells; Errors: -ERR_USAGE */
int ctl_named_store(struct ctl *ctl, struct call *c) __attribute__((warn_unused_result));

/** ctl_store_is_new - is it a directory that would become a store? */
bool ctl_store_is_new(const struct ctl *ctl, struct call *c);

/** ctl_open_store - before the command, unless it is open already; Errors: -ERR_USAGE  none named; those of store_open() */
int ctl_open_store(struct ctl *ctl, struct call *c, bool create)
	__attribute__((warn_unused_result));

/** ctl_of_store - the same run of itemctl with another store, which is not open */
struct ctl ctl_of_store(const struct ctl *ctl, const char *store);

/** ctl_may_look - may a note for people ask the store? Not in a pattern, whose requests are told; of a server far away only where somebody reads it */
bool ctl_may_look(const struct ctl *ctl);

/** ctl_owns - is the store open in this process and in no other, from the beginning or since its owner has ended? */
bool ctl_owns(const struct ctl *ctl);

/** ctl_schema - what the store says of a table; in the call's arena */
int ctl_schema(struct ctl *ctl, struct call *c, struct slice table, const struct schema **out)
	__attribute__((warn_unused_result));

/** ctl_other_indexes - ": did you mean X?" or "; there are X, Y" for who asked for an index that @s has not; in the call's arena */
struct slice ctl_other_indexes(struct call *c, const struct schema *s, const char *name);

/** ctl_index - the index called @name of @s; Errors: -ERR_NO_INDEX with those there are */
int ctl_index(struct call *c, const struct schema *s, const char *name, const struct index **out)
	__attribute__((warn_unused_result));

/** ctl_readable - are there a table and, unless @index is NULL, an index of that name? */
int ctl_readable(struct ctl *ctl, struct call *c, struct slice table, const char *index)
	__attribute__((warn_unused_result));

/** ctl_time_to_live - the attribute of a table's; empty also where the endpoint has no such thing, and where it may not be seen, which is told */
int ctl_time_to_live(struct ctl *ctl, struct call *c, struct slice table, struct slice *out)
	__attribute__((warn_unused_result));

/** ctl_check_jobs - --jobs, if given; Errors: -ERR_USAGE */
int ctl_check_jobs(struct call *c, const struct opt_count *jobs)
	__attribute__((warn_unused_result));

/** ctl_jobs - how many threads: @jobs, or one for each processor */
unsigned ctl_jobs(const struct opt_count *jobs);

/** ctl_requests - how many reads at a time: @jobs, else 16 of another's server, or one for each processor */
unsigned ctl_requests(const struct ctl *ctl, const struct opt_count *jobs);

/** ctl_empty - on a terminal, say that there are no items; nothing at all would look like a fault */
void ctl_empty(const struct ctl *ctl);

/**
 * ctl_end_answer - print what has been answered so far; what comes now is an answer of its own
 *
 * Errors:  -ERR_IO  a write has failed
 */
int ctl_end_answer(struct ctl *ctl, struct call *c) __attribute__((warn_unused_result));

/** ctl_note - a line for people on stderr, not with --quiet */
void ctl_note(const struct ctl *ctl, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** ctl_complain - the call's error on stderr, with a caret where its place is known */
void ctl_complain(const struct ctl *ctl, const struct call *c);

/**
 * ctl_adopt - make the error of another call this one's, with its place and its item
 * @from: has failed
 *
 * Return: -ERR_* of it.
 */
int ctl_adopt(struct call *c, const struct call *from);

/**
 * ctl_read_file - all of a file, "-" is standard input; in the call's arena
 *
 * Errors:  -ERR_USAGE  over CTL_TEXT_MAX, or a line over CTL_LINE_MAX; what no_file() says
 */
int ctl_read_file(struct call *c, const char *name, struct slice *out)
	__attribute__((warn_unused_result));

/** ctl_read_text - likewise, without the byte order mark that some editors begin a text with */
int ctl_read_text(struct call *c, const char *name, struct slice *out)
	__attribute__((warn_unused_result));

/** ctl_item - one item from its JSON text */
int ctl_item(struct call *c, struct slice text, struct item *out)
	__attribute__((warn_unused_result));

#endif
