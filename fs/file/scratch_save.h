/* scratch_save - durable copies of scratch files, in STORE/scratch */
#ifndef FS_FILE_SCRATCH_SAVE_H
#define FS_FILE_SCRATCH_SAVE_H

#include "fs/file/file.h"

/**
 * scratch_save - make the text durable; harmless for other files, and if it has not changed since the last time
 * @answers: a failure is reported to the user
 *
 * It takes the file's lock.
 * Errors: -ERR_NO_SPACE, -ERR_IO; an older copy is unchanged then, unless only syncing the directory failed
 */
int scratch_save(struct mount *m, struct call *c, struct file *f, bool answers) must_check;

/**
 * scratch_save_below - likewise for all scratch files in @dir, before an item there is removed
 * @but: a file that will be removed itself, or NULL
 *
 * Files that are open for writing are saved, too: the RELEASE of a program that has closed its file may arrive later.
 * It takes the locks of the files.
 *
 * Errors: as scratch_save(), for texts whose failure was not reported before. So a second attempt succeeds, which allows
 * a user to make room on a full disk.
 */
int scratch_save_below(struct mount *m, struct call *c, struct node *dir, const struct file *but)
	must_check;

/** scratch_is_durable - Return: whether there is a copy of a text that the file has or had. It takes the file's lock. */
bool scratch_is_durable(struct file *f);

/**
 * scratch_leave_copy - give up the copy of a scratch file that ends: it stays in STORE/scratch
 *
 * The caller holds the file's lock.
 * Return: its number for scratch_area_drop(), when the item is durable; 0: there is no copy
 */
unsigned scratch_leave_copy(struct file *f);

#endif
