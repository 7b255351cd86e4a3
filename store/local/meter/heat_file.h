/*
 * heat_file - STORE/heat, the file that passes key usage from one process to the next
 *
 * The file is not in the database, because there it would cost each "itemctl get" a sync when it closes the store, and
 * the next process a table file. It is written without a sync. A missing or damaged file does no harm.
 */
#ifndef STORE_LOCAL_METER_HEAT_FILE_H
#define STORE_LOCAL_METER_HEAT_FILE_H

#include "store/base/core/buf.h"

/** heat_file_append - append @lines to the file; @minute: the newest one.  Failures are ignored */
void heat_file_append(int dir, struct slice lines, uint64_t minute);

/** heat_file_read - append the content of the file, as far as it can be read, to @out */
void heat_file_read(int dir, struct buf *out);

#endif
