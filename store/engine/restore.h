/* restore - what makes a store of a backup takes and tells; there is no engine yet */
#ifndef STORE_ENGINE_RESTORE_H
#define STORE_ENGINE_RESTORE_H

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

/** Told now and then: so many bytes of the backup have been read; Return: 0, or < 0: stop */
typedef int restore_step_fn(void *arg, struct call *c, uint64_t bytes);

struct restore_in {
	const char *dir;     /* the store's, absent or empty; after a failure nothing is in it */
	const char *from;    /* what BackupStore wrote */
	bool without_broken; /* a broken backup of a table is left out, instead of refused */
	restore_step_fn *step;
	void *arg; /* its */
};

struct restore_out {
	uint64_t records;
	const struct slice *broken; /* backups of tables: a sentence each; in the call's arena */
	size_t n_broken;
};

/* There are broken ones, and so no store. */
enum { RESTORE_REFUSED = 1 };

#endif
