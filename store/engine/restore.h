/* restore - arguments and results of making a store from a backup, before there is an engine */
#ifndef STORE_ENGINE_RESTORE_H
#define STORE_ENGINE_RESTORE_H

#include "store/base/core/base.h"

/** restore_step_fn - called now and then with the bytes of the backup read so far; Return: 0, or < 0 to stop */
typedef int restore_step_fn(void *arg, struct call *c, uint64_t bytes);

struct restore_in {
	const char *dir;     /* of the new store; absent or empty, also after a failure */
	const char *from;    /* the output of BackupStore */
	bool without_broken; /* leave broken backups of tables out, instead of refusing */
	restore_step_fn *step;
	void *arg; /* of step */
};

struct restore_out {
	uint64_t records;
	const struct slice *broken; /* a sentence for each broken backup; in the call's arena */
	size_t n_broken;
};

/* There are broken backups of tables, so no store was made. */
enum { RESTORE_REFUSED = 1 };

#endif
