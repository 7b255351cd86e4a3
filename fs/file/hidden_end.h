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
 * hidden_release - delete the hidden item because its scratch file will be removed
 *
 * While a new file of the item's name has a writer, the thread deletes the item after the RELEASE, unless the new text
 * has replaced it.
 *
 * Return: 0, or the engine's error; then the item stays hidden, and the scratch file must stay, too
 */
int hidden_release(struct mount *m, struct call *c, const struct file *backup) must_check;

/**
 * hidden_settle - delete the items hidden below @dir, which will be moved or removed
 *
 * An item stays hidden while a new file of its name has a writer.
 */
void hidden_settle(struct mount *m, struct call *c, const struct node *dir);

#endif
