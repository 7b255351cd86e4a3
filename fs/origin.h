/*
 * origin - with -o conflict=fail: what an item was when it was opened for writing
 *
 * A file (handle.h) has one, from its first writer's OPEN to its last writer's RELEASE; what it
 * commits itself is its new one.  A commit demands that the store still has just that.
 */
#ifndef FS_ORIGIN_H
#define FS_ORIGIN_H

#include "fs/commit.h"

/* These are for files whose lock is held. */

/** origin_take - a writer has opened the file: remember what the store has; 0 or the engine's error */
int origin_take(struct mount *m, struct call *c, struct file *f)
	__attribute__((warn_unused_result));

/** origin_renew - @it was committed; harmless when there is no origin */
void origin_renew(struct file *f, const struct item *it);

/** origin_seen - its item with the key of its place now; NULL: there was none */
const struct item *origin_seen(const struct file *f, struct call *c, const struct place *p);

/** origin_stale - fail with "others have changed it"; PLACE_STALE */
int origin_stale(struct call *c);

/** origin_check - does the store still have it? 0, PLACE_STALE, or the engine's error */
int origin_check(struct mount *m, struct call *c, const struct file *f, const struct place *p)
	__attribute__((warn_unused_result));

/** origin_drop - the last writer is gone; harmless when there is none */
void origin_drop(struct file *f);

#endif
