/*
 * hidden - items that were renamed to a scratch name: vim's backup
 *
 * The table keeps such an item for a while, this mount shows it no more.
 *
 *   its name is written or renamed onto    that put replaces it: one write, and no delete
 *   the scratch file is renamed back       nothing was ever written
 *   ... or to another item's name          one transaction: delete, put
 *   the scratch file is unlinked, the mount ends, TIMING_HIDDEN has passed
 *                                          it is deleted, unless another door has changed it
 *
 * Unless the scratch file is unlinked, its text is made durable before that (scratch_save()); if that fails, the item
 * is shown again.
 *
 * While its successor is being written the time does not run out.
 *
 * Locks: hidden.lock comes after file.lock; it is held during no operation of the engine: whoever
 * is about to end an entry claims it.
 */
#ifndef FS_FILE_HIDDEN_H
#define FS_FILE_HIDDEN_H

#include "fs/file/handle.h"

struct hidden;

void hidden_init(struct hidden_list *l);

void hidden_free(struct hidden_list *l);

/** hidden_stop - the thread ends, which looks at scratch files: before the end of the mount frees those */
void hidden_stop(struct mount *m);

/** hidden_end - after that: delete what is still hidden; no request comes any more */
void hidden_end(struct mount *m);

/**
 * hidden_add - the name of @p below @dir is shown no more
 * @item:   what the table keeps; copied
 * @backup: the scratch file that it became
 * @charge: of the copy; taken over
 */
void hidden_add(struct mount *m, struct node *dir, struct slice stem, const struct place *p,
		const struct item *item, struct file *backup, struct charge charge);

/** hidden_is - is the item of this name hidden? */
bool hidden_is(struct mount *m, const struct node *dir, struct slice stem);

/** hidden_is_backup - is it the scratch file of a hidden item? */
bool hidden_is_backup(struct mount *m, const struct file *f);

/** hidden_names - names of the items that are hidden below @dir, in @a's memory; how many */
size_t hidden_names(struct mount *m, struct arena *a, const struct node *dir, struct slice **out);

/**
 * hidden_claim - have the entry of a name to oneself, until hidden_let_go()
 *
 * Waits while it is being deleted.  Return: NULL when the name is not hidden.
 */
struct hidden *hidden_claim(struct mount *m, const struct node *dir, struct slice stem);

/**
 * hidden_claim_both - the same of two entries at once, which may be one
 * @own:    whose scratch file @backup is; NULL: none
 * @target: of the name; NULL: none, or @dir is NULL
 */
void hidden_claim_both(struct mount *m, const struct file *backup, const struct node *dir,
		       struct slice stem, struct hidden **own, struct hidden **target);

/** hidden_key - its primary key, and its item as it was; of a claimed entry */
const struct item *hidden_key(const struct hidden *h);
const struct item *hidden_item(const struct hidden *h);

/**
 * hidden_let_go - the end of a claim; NULL is harmless
 * @done: another write took its place, or it is shown again; else it stays hidden
 */
void hidden_let_go(struct mount *m, struct hidden *h, bool done);

/** hidden_removed - of a claimed entry, whose item was deleted: its partition stays, and has another size */
void hidden_removed(struct mount *m, struct call *c, const struct hidden *h);

/**
 * hidden_release - the scratch file is about to go: delete the item now, or when its successor's writer ends
 *
 * Return: 0, or the engine's error; then the item stays hidden, and the scratch file has to stay too.
 */
int hidden_release(struct mount *m, struct call *c, const struct file *backup)
	__attribute__((warn_unused_result));

/** hidden_show - the scratch file goes, and nobody else has its text: show the item again */
void hidden_show(struct mount *m, const struct file *backup);

/** hidden_settle - delete what is hidden below @dir, which is about to be moved or removed; not what is being written */
void hidden_settle(struct mount *m, struct call *c, const struct node *dir);

/** hidden_look - a copy of a scratch file's text is not what it should be: it is written again in a while */
void hidden_look(struct mount *m);

/** hidden_wake - a writer has ended: it may have been what an entry waits for */
void hidden_wake(struct mount *m);

#endif
