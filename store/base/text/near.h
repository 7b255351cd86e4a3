/* near - find the name that a user probably meant, for "did you mean" */
#ifndef STORE_BASE_TEXT_NEAR_H
#define STORE_BASE_TEXT_NEAR_H

#include "store/base/core/base.h"

/* The typed name, and the best match so far. */
struct near {
	struct slice typed;
	struct slice best; /* empty: no match */
	size_t distance;   /* edits from typed to best */
};

/** near_start - begin a search for @typed, which is borrowed */
struct near near_start(struct slice typed);

/**
 * near_try - compare @typed with one more name, which is borrowed
 *
 * Counts edits: a letter inserted, deleted or replaced, or two neighbours exchanged.  Case does not matter, and "-"
 * equals "_".  A name matches within one edit if the shorter word has 2 to 5 letters, two edits up to 9 letters, and
 * three above that.  With three letters or more, a prefix of a name matches, too, and so does a name followed by up to
 * two more letters.
 */
void near_try(struct near *n, struct slice name);

/** near_put - append ": did you mean NAME?", with @before before NAME; appends nothing without a match */
void near_put(struct buf *out, const struct near *n, const char *before);

#endif
