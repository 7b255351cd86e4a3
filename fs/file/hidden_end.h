/* hidden_end - how hidden items end: in time, with their scratch file, with the mount */
#ifndef FS_FILE_HIDDEN_END_H
#define FS_FILE_HIDDEN_END_H

#include "fs/file/hidden.h"

/** hidden_stop - end the thread that looks at scratch files; call it before the end of the mount frees them */
void hidden_stop(struct mount *m);

/** hidden_end - after that, delete all items that are still hidden; no more requests arrive */
void hidden_end(struct mount *m);

/**
 * hidden_removed - after the item of a claimed entry was deleted, keep its partition and notify the kernel of its size
 */
void hidden_removed(struct mount *m, struct call *c, const struct hidden *h);

/**
 * hidden_release - delete the hidden item because its scratch file will be removed, or let its successor's RELEASE do so
 *
 * Return: 0, or the engine's error; then the item stays hidden, and the scratch file must stay, too
 */
int hidden_release(struct mount *m, struct call *c, const struct file *backup)
	__attribute__((warn_unused_result));

/** hidden_settle - delete the items hidden below @dir, which will be moved or removed, except those being written */
void hidden_settle(struct mount *m, struct call *c, const struct node *dir);

#endif
