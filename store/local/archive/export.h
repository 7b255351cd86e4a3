/* export - the files of an export, as the service lays them out */
#ifndef STORE_LOCAL_ARCHIVE_EXPORT_H
#define STORE_LOCAL_ARCHIVE_EXPORT_H

#include "store/local/archive/transfer_job.h"

/** export_files_remove - those of an export that did not come to its end: as after a failure */
void export_files_remove(const struct local *l, struct call *c, const struct transfer *t);

#endif
