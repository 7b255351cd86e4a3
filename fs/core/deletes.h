/*
 * deletes - max_delete=: limits how many items of a table a mount may delete per minute
 *
 * rm -r of a partition or a table is an unlink of each item. Beyond the limit each unlink is refused until none has
 * been tried for a minute. Otherwise rm -r would continue each minute.
 */
#ifndef FS_CORE_DELETES_H
#define FS_CORE_DELETES_H

#include "store/base/core/base.h"

struct deletes_table;

struct deletes {
	pthread_mutex_t lock;
	bool limited;       /* false: all deletes are allowed */
	uint32_t max;       /* items per table and minute; 0: none */
	uint64_t window_ms; /* length of the window: TIMING_MAX_DELETE, a minute */
	struct deletes_table *tables;
};

void deletes_init(struct deletes *d, bool limited, uint32_t max);
void deletes_release(struct deletes *d);

/**
 * deletes_take - count one more delete of an item of @table, if the limit allows it
 * @now_ms: of a clock that is never set
 *
 * Return: false: it must be refused.
 * Thread: any
 */
bool deletes_take(struct deletes *d, struct slice table, uint64_t now_ms) must_check;

#endif
