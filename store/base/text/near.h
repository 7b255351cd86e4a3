/* near - which of several names was meant: for "did you mean" */
#ifndef STORE_BASE_TEXT_NEAR_H
#define STORE_BASE_TEXT_NEAR_H

#include "store/base/core/buf.h"

/* A name that was typed, and the best of those that were compared with it. */
struct near {
	struct slice typed;
	struct slice best; /* empty: none is near */
	size_t distance;   /* edits from typed to best */
};

/** near_start - begin; @typed is borrowed */
struct near near_start(struct slice typed);

/**
 * near_try - compare one more name, which is borrowed
 *
 * Near is what a slip of the fingers makes: letters too many, too few, other ones, two of them exchanged.  A word of
 * up to 5 letters has one such slip, of up to 9 two, a longer one three; letters of the other case, "-" and "_" are
 * the same.  From three letters on the beginning of a name is near, too, and a name with two letters more.
 */
void near_try(struct near *n, struct slice name);

/** near_put - append ": did you mean NAME?", or nothing */
void near_put(struct buf *out, const struct near *n, const char *before);

#endif
