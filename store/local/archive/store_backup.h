/* store_backup - all records of a store in one backup, and a store made of it */
#ifndef STORE_LOCAL_ARCHIVE_STORE_BACKUP_H
#define STORE_LOCAL_ARCHIVE_STORE_BACKUP_H

#include "store/engine/restore.h"

/** store_backup_restore - local_restore() */
int store_backup_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	__attribute__((warn_unused_result));

#endif
