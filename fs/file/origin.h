/*
 * origin - with -o conflict=fail: what an item was when a writer opened it
 *
 * Each writer has one from its OPEN on; those that found the same share it.  The text of a file has
 * that of who began to change it: a commit demands that the store still has just that, and what it has
 * committed is the origin then, of all who share it.
 *
 * Without the option, and for who opened a scratch file, it is NULL: a commit demands nothing.
 */
#ifndef FS_FILE_ORIGIN_H
#define FS_FILE_ORIGIN_H

#include "fs/file/commit.h"

/* These are for files whose lock is held. */

/** origin_take - a writer opens the file: what the store has; 0 or the engine's error */
int origin_take(struct mount *m, struct call *c, struct file *f, struct handle *h)
	__attribute__((warn_unused_result));

/** origin_leave - the writer is gone; harmless when it has none */
void origin_leave(struct file *f, struct handle *h);

/** origin_begin - the writer begins the text anew */
void origin_begin(struct file *f, const struct handle *h);

/**
 * origin_join - the writer changes the text
 *
 * What others have written into it and not yet committed keeps its origin.  Who opened something else that
 * the store has no more does not spoil it: PLACE_STALE.
 */
int origin_join(struct mount *m, struct call *c, struct file *f, const struct handle *h)
	__attribute__((warn_unused_result));

/** origin_renew - @it was committed; harmless when there is no origin */
void origin_renew(struct file *f, const struct item *it);

/** origin_renew_all - the same for all writers: they had one scratch file */
void origin_renew_all(struct file *f, const struct item *it);

/** origin_seen - the item of the text's origin with the key of its place now; NULL: there was none */
const struct item *origin_seen(const struct file *f, struct call *c, const struct place *p);

/** origin_stale - fail with "others have changed it"; PLACE_STALE */
int origin_stale(struct call *c);

/** origin_check - does the store still have the text's? 0, PLACE_STALE, or the engine's error */
int origin_check(struct mount *m, struct call *c, const struct file *f, const struct place *p)
	__attribute__((warn_unused_result));

/** origin_drop - there is no text any more; harmless when it has none */
void origin_drop(struct file *f);

#endif
