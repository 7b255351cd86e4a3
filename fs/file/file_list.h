/* file_list - the files of a mount and of each node: references, order, searches */
#ifndef FS_FILE_FILE_LIST_H
#define FS_FILE_FILE_LIST_H

#include "fs/file/file.h"

/** file_get - the newest file of a node with one more reference, or NULL */
struct file *file_get(struct mount *m, struct node *n);

/** file_make - likewise, created if there is none; without a writer it lives as long as the reference */
struct file *file_make(struct mount *m, struct node *n);

/** file_of - the file of a writer, or the one that its node shows to a reader; one more reference, or NULL */
struct file *file_of(struct mount *m, const struct handle *h);

/** file_hold - one more reference to a file that another one keeps alive; Return: @f */
struct file *file_hold(struct mount *m, struct file *f);

/** file_put - drop a reference; NULL is harmless */
void file_put(struct mount *m, struct file *f);

/** file_lead - make it the file that its node shows */
void file_lead(struct mount *m, struct file *f);

/** file_lead_on - stop showing a refused text if another file of the node is still written, and show that one */
void file_lead_on(struct mount *m, struct file *refused);

/** file_of_node - all files of the node, newest first, one more reference each, in @a. Return: their number */
size_t file_of_node(struct mount *m, struct arena *a, const struct node *n, struct file ***out);

/** file_is_alone - Return: whether the node has no other file with writers */
bool file_is_alone(struct mount *m, const struct file *f);

/** file_committed - tell the other files of the node that its item has changed: they load it again before use */
void file_committed(struct mount *m, const struct file *f);

/**
 * file_unsaved - a file that is marked as unsaved and due, with one more reference, or NULL
 * @next_ns: if NULL is returned, when to ask again, or THREAD_FOR_EVER
 *
 * It may be open for writing: no other request would save it after it is closed.
 */
struct file *file_unsaved(struct mount *m, uint64_t now_ns, uint64_t *next_ns);

/** file_any - Return: whether any file is being written, or open though unlinked */
bool file_any(struct mount *m);

/** file_mark_stale - note that the item of the node was changed elsewhere */
void file_mark_stale(struct mount *m, struct node *n);

/** file_is_open - Return: whether the node has an open handle */
bool file_is_open(struct mount *m, const struct node *n);

/** file_writers - number of handles that are open for writing */
unsigned file_writers(struct mount *m, const struct file *f);

/** file_is_new - Return: whether it was created and not yet committed: no item has this name */
bool file_is_new(const struct file *f);

/** file_all - all files of the mount, one more reference each, in @a. Return: their number */
size_t file_all(struct mount *m, struct arena *a, struct file ***out);

/** file_has_own - Return: whether there are new or scratch files below @dir */
bool file_has_own(struct mount *m, const struct node *dir);

/** file_list_own - names of the nodes of new and scratch files below @dir, for a listing; in @a. Return: their number */
size_t file_list_own(struct mount *m, struct arena *a, const struct node *dir, struct slice **out);

/* The following functions are for handle.c. The caller holds files_lock. */

/** file_list_add - create one more file of the node, which shows it from now on */
struct file *file_list_add(struct mount *m, struct node *n);

/** file_list_make - the newest file of the node, created if there is none */
struct file *file_list_make(struct mount *m, struct node *n);

/** file_list_lead_on - show the next file instead of @ended, whose writers are gone or whose text was refused */
void file_list_lead_on(struct file *ended);

/** file_list_settle - free the file if nothing holds it */
void file_list_settle(struct mount *m, struct file *f);

#endif
