/*
 * progress - a progress line for long work, on stderr
 *
 * It appears after a second if stderr is a terminal, and overwrites itself.
 * One thread at a time uses a struct progress.
 */
#ifndef TOOLS_SYSTEM_PROGRESS_H
#define TOOLS_SYSTEM_PROGRESS_H

#include "store/base/core/base.h"

struct progress {
	bool on;
	bool shown;           /* the terminal shows a line */
	uint64_t began_ms;    /* steady clock */
	uint64_t patience_ms; /* delay of the first line */
	uint64_t shown_ms;    /* steady clock: time of the last line */
	uint64_t total_bytes; /* of the input; 0: not known */
	const char *what;     /* the things that are counted; NULL: items */
	uint64_t total_items; /* if not 0, used instead of total_bytes for the percentage */
	bool quiet;           /* progress_waits() prints nothing either */
	uint64_t waits_ms;    /* steady clock: begin of the wait that was last reported */
};

/** progress_begin - start; @quiet: print nothing; @total_bytes: of the input, or 0 */
void progress_begin(struct progress *p, bool quiet, uint64_t total_bytes);

/** progress_show - print a line if it is due; cheap enough for every page */
void progress_show(struct progress *p, uint64_t items, uint64_t bytes);

/**
 * progress_waits - report that there has been no progress since @moved_ms because of @e
 *
 * It prints a line after some seconds, once for each wait, even if stderr is not a terminal.
 */
void progress_waits(struct progress *p, uint64_t moved_ms, const struct error *e);

/** progress_line - append the text of the line, with percentage and remaining time if the total is known */
void progress_line(struct buf *out, const struct progress *p, double seconds, uint64_t items,
		   uint64_t bytes);

/** progress_end - erase the line */
void progress_end(struct progress *p);

/* A number with its separators, and a noun */
struct progress_text {
	char at[40];
};

/** progress_count - format a number as 12,345, for messages, not for output that programs read */
struct progress_text progress_count(uint64_t n);

/** progress_items - "12,345 items", "1 item" */
struct progress_text progress_items(uint64_t n);

/** progress_seconds - seconds since progress_begin() */
double progress_seconds(const struct progress *p);

#endif
