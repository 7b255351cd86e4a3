/* hidden_int - struct hidden, which hidden.c and hidden_end.c share */
#ifndef FS_FILE_HIDDEN_INT_H
#define FS_FILE_HIDDEN_INT_H

#include "fs/file/hidden.h"

/* hidden.lock guards next, backup, due_ns and claimed. The other members are constant. */
struct hidden {
	struct hidden *next;
	struct node *dir;    /* one reference */
	struct file *backup; /* the scratch file; NULL: its name is gone, or the mount ends */
	uint64_t due_ns;     /* steady */
	bool claimed;
	struct usage usage; /* of the user that renamed it */
	struct call keep;   /* memory of the members below */
	struct slice stem;
	struct slice table;
	struct item key;
	struct item item;
};

/** hidden_start - start the thread that ends entries, if it does not run. The caller holds hidden.lock. */
void hidden_start(struct mount *m);

#endif
