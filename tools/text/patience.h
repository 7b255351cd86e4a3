/*
 * patience - pauses between two tries of a request, and when to try no more
 *
 * Work goes on while something gets done.  ITEMFS_PATIENCE seconds (default: 600) without that end it.
 */
#ifndef TOOLS_TEXT_PATIENCE_H
#define TOOLS_TEXT_PATIENCE_H

#include "store/base/core/call.h"

struct patience {
	uint64_t moved_ms; /* steady clock: when something was done */
	unsigned tries;    /* since then */
};

/** patience_begin - something has just been done */
void patience_begin(struct patience *p);

/** patience_is_over - has nothing been done for too long? */
bool patience_is_over(const struct patience *p);

/** patience_pause_ms - how long to wait before the next try: a random part of a time that doubles */
unsigned patience_pause_ms(struct patience *p);

/**
 * patience_may_pass - may the same request succeed later?
 * @once: it must not be carried out twice: only if it was not carried out
 */
bool patience_may_pass(enum err code, bool once);

/** patience_give_up - the error of a request that was tried for too long says so; Return: -ERR_* of it */
int patience_give_up(struct call *c, const struct patience *p);

#endif
