/*
 * deletes - how many items of a table a mount may delete in a minute: max_delete=
 *
 * rm -r of a partition or a table is an unlink of each item.  What goes beyond the limit is refused, and so is all that follows
 * until nobody has tried for a minute: else rm -r would go on each minute.
 */
#ifndef FS_CORE_DELETES_H
#define FS_CORE_DELETES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/slice.h"

struct deletes_table;

struct deletes {
	pthread_mutex_t lock;
	bool limited;       /* else all are allowed */
	uint32_t max;       /* items of a table in a minute; 0: none */
	uint64_t window_ms; /* that minute: TIMING_MAX_DELETE */
	struct deletes_table *tables;
};

void deletes_init(struct deletes *d, bool limited, uint32_t max);
void deletes_release(struct deletes *d);

/**
 * deletes_take - may one more item of @table be deleted?  Then it is counted
 * @now_ms: of a clock that is never set
 *
 * Thread: any
 */
bool deletes_take(struct deletes *d, struct slice table, uint64_t now_ms)
	__attribute__((warn_unused_result));

#endif
