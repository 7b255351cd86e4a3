/* stream_trim - deletion of stream records that are older than a day */
#ifndef STORE_LOCAL_TABLES_STREAM_TRIM_H
#define STORE_LOCAL_TABLES_STREAM_TRIM_H

#include "store/local/jobs/chores.h"

/**
 * stream_trim - delete records older than a day, and streams that ended more than a day ago
 * @ch:     the background tasks of @l; l->chores may not be set yet when the store opens
 * @now_ms: Unix time
 *
 * Return:  true when @turn was over before all streams were looked at
 * Thread:  the background thread (chores.h)
 */
bool stream_trim(struct local *l, struct chores *ch, const struct turn *turn, uint64_t now_ms);

#endif
