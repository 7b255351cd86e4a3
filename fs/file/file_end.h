/* file_end - how texts end: FLUSH, RELEASE, unlink and the end of the mount */
#ifndef FS_FILE_FILE_END_H
#define FS_FILE_FILE_END_H

#include "fs/file/file.h"

/* All functions but file_remark_scratch() take the file's lock. */

/** file_remark_scratch - log a scratch file that may have been meant as an item. The caller holds the file's lock. */
void file_remark_scratch(struct mount *m, struct call *c, struct file *f);

/**
 * file_flush - FLUSH, FSYNC: commit if DIRTY
 * @rename: RENAME: also commit a file that has no text yet
 * @seq:    set to the sequence number of the commit; unchanged if there was none
 *
 * Return: 0, PLACE_POISONED, PLACE_STALE, or an error: the text is no item, or was not stored
 */
int file_flush(struct mount *m, struct call *c, struct file *f, bool rename, uint64_t *seq)
	must_check;

/**
 * file_flush_all - likewise for all texts of a node, oldest first, for an FSYNC by a reader
 *
 * A text that was only emptied is not committed and counts as a success. A failure counts only if the text has a writer
 * or is the newest one; the close of its writer reports it again.
 *
 * Return: 0, or the result of the newest failure that counts
 */
int file_flush_all(struct mount *m, struct call *c, struct node *n, uint64_t *seq) must_check;

/**
 * file_finish - end a writer: the first step of RELEASE, and unmount; harmless for other handles
 *
 * Failures of the last writer go to .itemfs/errors and rejected/.
 *
 * Return: sequence number of the commit, 0 when there was none
 */
uint64_t file_finish(struct mount *m, struct call *c, struct handle *h);

/**
 * file_keep_scratch - at the end of the mount, keep a scratch file's text in STORE/rejected
 *
 * Harmless for other files.
 */
void file_keep_scratch(struct mount *m, struct call *c, struct file *f);

/**
 * file_end_scratch - after that, remove the scratch file and the item that it hides; harmless for other files
 * @durable: the kept texts are durable; otherwise the item stays
 */
void file_end_scratch(struct mount *m, struct call *c, struct file *f, bool durable);

/**
 * file_unlinked - note that the node's name is gone
 * @text: the item's rendering: open handles without a text keep it
 */
void file_unlinked(struct mount *m, struct call *c, struct node *n, struct slice text);

#endif
