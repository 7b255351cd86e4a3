/* inval_int - between the feed's changes (inval.c) and one view of a table (inval_item.c) */
#ifndef FS_DAEMON_INVAL_INT_H
#define FS_DAEMON_INVAL_INT_H

#include "fs/core/mount_int.h"

/* One change and where it is being told. */
struct telling {
	struct mount *m;
	struct call *c;
	const struct change *ch;
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct node *root; /* directory of the table or index view; NULL: the kernel knows none */
};

/** inval_entry - the kernel looks a name up again, also if an answer that has it is on its way */
void inval_entry(struct mount *m, struct node *dir, struct slice name);

/** inval_entry_new - the same of a name that was absent, if the kernel may remember that */
void inval_entry_new(struct mount *m, struct node *dir, struct slice name);

/** inval_attributes, inval_content - false: the kernel does not know the node, or not yet */
bool inval_attributes(struct mount *m, struct node *n);
bool inval_content(struct mount *m, struct node *n);

/** inval_view - tell of the change in the view that @t is about */
void inval_view(const struct telling *t);

#endif
