/* hidden_int - what hidden.c and hidden_end.c share */
#ifndef FS_FILE_HIDDEN_INT_H
#define FS_FILE_HIDDEN_INT_H

#include "fs/file/hidden.h"

struct hidden {
	struct hidden *next;
	struct node *dir;    /* one ref */
	struct file *backup; /* NULL: its name is gone; alive until then, but when the mount ends */
	uint64_t due_ns;     /* steady */
	bool claimed;
	struct charge charge; /* of who renamed it */
	struct call keep;     /* memory of what follows */
	struct slice stem;
	struct slice table;
	struct item key;
	struct item item;
};

/** hidden_start - the thread that ends entries in time, if it does not run; the lock is held */
void hidden_start(struct mount *m);

#endif
