/*
 * heat_file - STORE/heat: what processes have left of the heat that they noted
 *
 * Beside the database and not in it: a record there would cost each "itemctl get" a sync when it closes the
 * store, and its successor a table file.  Written without a sync, missing or damaged, it does no harm.
 */
#ifndef STORE_LOCAL_METER_HEAT_FILE_H
#define STORE_LOCAL_METER_HEAT_FILE_H

#include "store/base/core/buf.h"

/** heat_file_append - as the store's owner; @minute: the newest.  What fails is not told */
void heat_file_append(int dir, struct slice lines, uint64_t minute);

/** heat_file_read - append all of it, or as much as there is */
void heat_file_read(int dir, struct buf *out);

#endif
