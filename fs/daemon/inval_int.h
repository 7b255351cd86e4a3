/* inval_int - shared by inval.c (changes of the feed) and inval_item.c (a change of an item in one view) */
#ifndef FS_DAEMON_INVAL_INT_H
#define FS_DAEMON_INVAL_INT_H

#include "fs/core/mount_int.h"

/* A change, and the view of the table for which the kernel is notified. */
struct telling {
	struct mount *m;
	struct call *c;
	const struct change *ch;
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct node *root; /* directory of the table or index; NULL: the kernel does not know it */
};

/** inval_entry - make the kernel look a name up again, even if a reply with the name is under way */
void inval_entry(struct mount *m, struct node *dir, struct slice name);

/** inval_entry_new - likewise for a new name, if the kernel may have cached that it is absent */
void inval_entry_new(struct mount *m, struct node *dir, struct slice name);

/**
 * inval_attributes, inval_content - mark a node's attributes, or attributes and pages, as old
 *
 * Return: false: the kernel does not know the node, or not yet
 */
bool inval_attributes(struct mount *m, struct node *n);
bool inval_content(struct mount *m, struct node *n);

/** inval_view - notify the kernel of a change of an item in one view, and update the times of directories */
void inval_view(const struct telling *t);

#endif
