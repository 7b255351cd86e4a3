/*
 * pending - partitions that a mount shows although they have no items
 *
 * Such a partition was created by mkdir, or emptied through this mount, so that "rm d/x; rmdir d" works.
 */
#ifndef FS_CORE_PENDING_H
#define FS_CORE_PENDING_H

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"

struct mount;

/* An element of mount.pending. */
struct pending {
	struct node *node; /* one reference */
	struct usage usage;
};

/** pending_add - show the partition until pending_drop() or unmount; false: the account of @uid is full */
bool pending_add(struct mount *m, struct node *n, uint32_t uid);

/** pending_drop - end that: from now on it is shown only while it has items; false: it was not pending */
bool pending_drop(struct mount *m, struct node *n);

static inline bool
pending_is(const struct node *n)
{
	return (n->flags & NODE_PENDING) != 0;
}

/** pending_list - the pending partitions below @dir, one reference each. Memory: @a. Return: their number */
size_t pending_list(struct mount *m, struct arena *a, const struct node *dir, struct node ***out);

/** pending_release - drop all of them at the end of the mount, when no other thread uses it */
void pending_release(struct mount *m);

#endif
