/* import_files - puts the items of a bucket's files into a table that is being created */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_FILES_H
#define STORE_LOCAL_ARCHIVE_IMPORT_FILES_H

#include "store/local/archive/transfer_job.h"

/**
 * import_files - import all files of @j; sets the counts of j->transfer and the reason of the first bad item
 *
 * An item that cannot be stored is counted as an error, and the next one is read.  If a file cannot be parsed any
 * further, the next file is read.
 * Return:  0, also if there were bad items
 * Errors:  those of bucket_open(), bucket_list() and bucket_file();  -ERR_BUSY  the store is being closed;  those of
 *          a put that the item did not cause
 * Thread:  the jobs thread
 */
int import_files(struct transfer_job *j) __attribute__((warn_unused_result));

#endif
