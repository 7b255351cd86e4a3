/*
 * origin - with -o conflict=fail: the item as it was when a writer opened it
 *
 * Each writer has an origin from its OPEN on; writers that found the same item share it. The text of a file has the
 * origin of the writer that began to change it. A commit requires that the store still has exactly that item; then the
 * committed item becomes the origin, for all writers that share it.
 *
 * Without the option, and for writers that opened a scratch file, it is NULL: a commit has no condition.
 */
#ifndef FS_FILE_ORIGIN_H
#define FS_FILE_ORIGIN_H

#include "fs/file/commit.h"

/*
 * The caller holds the file's lock, except for origin_stale(). For origin_drop() it is enough that no other thread has
 * the file.
 */

/**
 * origin_take - when a writer begins, read the item from the store and make it the writer's origin
 *
 * If @h has created the file, or the item is hidden, the origin is that there is no item.
 *
 * Return: 0, a place_outcome, or an error
 */
int origin_take(struct mount *m, struct call *c, struct file *f, struct handle *h) must_check;

/** origin_leave - drop the origin of a writer that closes; harmless when it has none */
void origin_leave(struct file *f, struct handle *h);

/** origin_begin - give the text the writer's origin, because the writer starts it again */
void origin_begin(struct file *f, const struct handle *h);

/**
 * origin_join - call before the writer changes the text
 *
 * Uncommitted changes of other writers keep their origin. A writer that opened another item, which the store no longer
 * has, must not spoil them: PLACE_STALE.
 */
int origin_join(struct mount *m, struct call *c, struct file *f, const struct handle *h) must_check;

/** origin_renew - set the origin to the committed item @it; harmless when there is no origin */
void origin_renew(struct file *f, const struct item *it);

/** origin_renew_all - likewise for all writers, which shared a scratch file */
void origin_renew_all(struct file *f, const struct item *it);

/** origin_seen - the item of the text's origin, with the key of its present place; NULL: there was none */
const struct item *origin_seen(const struct file *f, struct call *c, const struct place *p);

/** origin_stale - fail with "another client has changed it"; Return: PLACE_STALE or an error */
int origin_stale(struct call *c);

/** origin_check - compare the store with the text's origin; 0, PLACE_STALE, or the engine's error */
int origin_check(struct mount *m, struct call *c, const struct file *f, const struct place *p)
	must_check;

/** origin_drop - drop the text's origin, when there is no text any more; harmless when it has none */
void origin_drop(struct file *f);

#endif
