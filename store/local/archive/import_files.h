/* import_files - the items of a bucket's files to a table that nobody else sees yet */
#ifndef STORE_LOCAL_ARCHIVE_IMPORT_FILES_H
#define STORE_LOCAL_ARCHIVE_IMPORT_FILES_H

#include "store/local/archive/transfer_job.h"

/**
 * import_files - read them all; j->transfer gets the numbers, and what is wrong with the first bad item
 *
 * An item that cannot be stored is an error, and the next is read; in what cannot be understood nothing more is
 * looked for until the next file.
 * Errors:  those of bucket_open() and bucket_list();  -ERR_BUSY  the store is being closed;  those of a put
 *          that are not the item's fault
 */
int import_files(struct transfer_job *j) __attribute__((warn_unused_result));

#endif
