/* progress - how far long work is, on stderr when that is a terminal and a second has passed */
#ifndef TOOLS_SYSTEM_PROGRESS_H
#define TOOLS_SYSTEM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/buf.h"
#include "store/base/core/error.h"

struct progress {
	bool on;
	bool shown;           /* a line stands on the terminal */
	uint64_t began_ms;    /* steady clock */
	uint64_t patience_ms; /* until the first line */
	uint64_t shown_ms;    /* when last */
	uint64_t total_bytes; /* of the input; 0: not known */
	const char *what;     /* is counted; NULL: items */
	uint64_t total_items; /* likewise, of items, where they tell how far it is */
	bool quiet;           /* nothing is said of waiting either */
	uint64_t waits_ms;    /* steady clock: since when the wait lasts that was last told */
};

void progress_begin(struct progress *p, bool quiet, uint64_t total_bytes);

/** progress_show - perhaps print; cheap, call it for every page */
void progress_show(struct progress *p, uint64_t items, uint64_t bytes);

/**
 * progress_waits - nothing has been done since @moved_ms because of @e
 *
 * After some seconds a line says so, also where stderr is no terminal, once for each wait.
 * Thread:  one at a time
 */
void progress_waits(struct progress *p, uint64_t moved_ms, const struct error *e);

/** progress_line - what is shown then: with a share of the whole and the time left while that is known */
void progress_line(struct buf *out, const struct progress *p, double seconds, uint64_t items,
		   uint64_t bytes);

/** progress_end - wipe the line */
void progress_end(struct progress *p);

/* Room for a number with its separators. */
struct progress_text {
	char at[40];
};

/** progress_count - 12,345 for people: in notes and progress, not in answers */
struct progress_text progress_count(uint64_t n);

/** progress_items - "12,345 items", "1 item" */
struct progress_text progress_items(uint64_t n);

/** progress_seconds - since the beginning */
double progress_seconds(const struct progress *p);

#endif
