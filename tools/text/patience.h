/*
 * patience - pauses between the tries of a request, and when to give up
 *
 * Work continues as long as it makes progress. It ends after ITEMFS_PATIENCE seconds (default: 600) without progress.
 * Any thread may use these functions, each with its own struct patience.
 */
#ifndef TOOLS_TEXT_PATIENCE_H
#define TOOLS_TEXT_PATIENCE_H

#include "store/base/core/base.h"

struct patience {
	uint64_t moved_ms; /* steady clock: time of the last progress */
	unsigned tries;    /* since then */
};

/** patience_begin - record that there is progress now */
void patience_begin(struct patience *p);

/** patience_is_over - return true if there has been no progress for ITEMFS_PATIENCE seconds */
bool patience_is_over(const struct patience *p);

/** patience_pause_ms - how long to wait before the next try: at least half of a time that doubles, up to 5 s */
unsigned patience_pause_ms(struct patience *p);

/**
 * patience_may_pass - return true if the same request may succeed later
 * @once: it must not be carried out twice, so return true only if it certainly was not carried out
 */
bool patience_may_pass(enum err code, bool once);

/** patience_give_up - prefix the call's error with the time without progress; Return: the error's -ERR_* */
int patience_give_up(struct call *c, const struct patience *p);

#endif
