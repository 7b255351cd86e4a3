/* store_backup - BackupStore, and a new store from its result */
#ifndef STORE_LOCAL_ARCHIVE_STORE_BACKUP_H
#define STORE_LOCAL_ARCHIVE_STORE_BACKUP_H

#include "store/engine/restore.h"

/** store_backup_restore - create a store from the output of BackupStore; as store_restore(), see store/own.h */
int store_backup_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	__attribute__((warn_unused_result));

#endif
