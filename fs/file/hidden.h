/*
 * hidden - items that were renamed to a scratch name, as vim does for its backup
 *
 * The table keeps such an item for a while; this mount does not show it.
 *
 *   its name is written or renamed onto    that put replaces it: one write, and no delete
 *   the scratch file is renamed back       nothing was ever written
 *   ... or to another item's name          one transaction: delete, put
 *   the scratch file is unlinked, the mount ends, TIMING_HIDDEN has passed
 *                                          it is deleted, unless another front end has changed it
 *
 * Unless the scratch file is unlinked, its text is made durable before the delete (scratch_save()). If that fails, the
 * item is shown again. While a new file of the item's name is being written, the time does not expire.
 *
 * Locks: hidden.lock comes after file.lock. hidden.lock is never held during an operation of the engine: a thread
 * claims an entry before it ends the entry (not at the end of the mount, which has no other threads).
 */
#ifndef FS_FILE_HIDDEN_H
#define FS_FILE_HIDDEN_H

#include "fs/file/file.h"

struct hidden;

void hidden_init(struct hidden_list *l);

void hidden_free(struct hidden_list *l);

/**
 * hidden_add - hide the item of @p, whose name is @stem below @dir
 * @item:   as the table has it; copied
 * @backup: the scratch file that it became
 * @usage:  for the copy; taken over
 */
void hidden_add(struct mount *m, struct node *dir, struct slice stem, const struct place *p,
		const struct item *item, struct file *backup, struct usage usage);

/** hidden_any - Return: whether an item is hidden. There is usually none, which saves the caller the name. */
static inline bool
hidden_any(const struct mount *m)
{
	return m->hidden.n > 0;
}

/** hidden_is - Return: whether the item of this name is hidden */
bool hidden_is(struct mount *m, const struct node *dir, struct slice stem);

/** hidden_is_backup - Return: whether it is the scratch file of a hidden item */
bool hidden_is_backup(struct mount *m, const struct file *f);

/** hidden_names - names of the items hidden below @dir, in @a. Return: their number */
size_t hidden_names(struct mount *m, struct arena *a, const struct node *dir, struct slice **out);

/**
 * hidden_claim - claim the entry of a name until hidden_let_go()
 *
 * Waits while another thread has claimed it. Return: NULL when the name is not hidden
 */
struct hidden *hidden_claim(struct mount *m, const struct node *dir, struct slice stem);

/**
 * hidden_claim_both - claim two entries together; they may be the same
 * @own:    the entry whose scratch file is @backup; NULL: none
 * @target: the entry of the name; NULL: none, or @dir is NULL
 */
void hidden_claim_both(struct mount *m, const struct file *backup, const struct node *dir,
		       struct slice stem, struct hidden **own, struct hidden **target);

/** hidden_key, hidden_item - the primary key of a claimed entry, and its item as it was when it was hidden */
const struct item *hidden_key(const struct hidden *h);
const struct item *hidden_item(const struct hidden *h);

/**
 * hidden_let_go - end a claim; NULL is harmless
 * @done: remove the entry: the item was replaced or deleted, or it is shown again; else it stays hidden
 */
void hidden_let_go(struct mount *m, struct hidden *h, bool done);

/** hidden_show - show the item again, because its scratch file goes and its text is kept nowhere else */
void hidden_show(struct mount *m, const struct file *backup);

/** hidden_look - wake the thread later to write a scratch file's copy again */
void hidden_look(struct mount *m);

/** hidden_wake - call after a writer has ended: an entry may wait for it */
void hidden_wake(struct mount *m);

/* ------------------------------------------------------------ ends of entries (hidden_end.c) */

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
