/* stream_trim - deletion of stream records that are older than a day */
#ifndef STORE_LOCAL_TABLES_STREAM_TRIM_H
#define STORE_LOCAL_TABLES_STREAM_TRIM_H

#include "store/local/jobs/tasks.h"

/**
 * stream_trim - delete records older than a day, and streams that ended more than a day ago
 * @now_ms: Unix time
 *
 * Return:  true when @time_slice was over before all streams were looked at
 * Thread:  the background thread (tasks.h)
 */
bool stream_trim(struct local *l, const struct time_slice *time_slice, uint64_t now_ms);

#endif
