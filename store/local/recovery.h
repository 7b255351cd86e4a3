/*
 * recovery - recovery at open of jobs and transfers that an earlier process did not finish
 *
 *   a backup being written            is marked as failed, because its snapshot is lost
 *   an export                         likewise
 *   a table being restored            is restored again from the beginning
 *   a table being imported            is imported again from the beginning
 *   the file of an unfinished backup  is removed
 *   a file without a backup           is reported and kept
 */
#ifndef STORE_LOCAL_RECOVERY_H
#define STORE_LOCAL_RECOVERY_H

#include "store/local/records/local_int.h"

/** recovery_tidy - called when the store is opened; failures are reported and retried at the next open */
void recovery_tidy(struct local *l, const struct call *c);

#endif
