/* stream_trim - records of streams that are older than a day go */
#ifndef STORE_LOCAL_TABLES_STREAM_TRIM_H
#define STORE_LOCAL_TABLES_STREAM_TRIM_H

#include "store/local/jobs/chores.h"

/**
 * stream_trim - delete records older than a day, and streams that ended so long ago
 * @ch:   @l's, which at its start does not know them yet
 *
 * Return: true when the turn was over before
 */
bool stream_trim(struct local *l, struct chores *ch, const struct turn *turn, uint64_t now_ms);

#endif
