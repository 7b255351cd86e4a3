/* export - the removal of the files of an export; ExportTableToPointInTime itself is declared in local_int.h */
#ifndef STORE_LOCAL_ARCHIVE_EXPORT_H
#define STORE_LOCAL_ARCHIVE_EXPORT_H

#include "store/local/archive/transfer_job.h"

/** export_files_remove - remove all files of an unfinished export; what cannot be removed is ignored */
void export_files_remove(const struct local *l, struct call *c, const struct transfer *t);

#endif
