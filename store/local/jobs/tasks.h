/*
 * tasks - background tasks, which run in one thread
 *
 *   dropped tables   delete their key ranges; resumed after a restart
 *   indexes          fill those that are added, delete those that are dropped; resumed after a restart
 *   compaction       of a key range in which many keys were deleted
 *   tokens           delete expired tokens of transactions
 *   streams          delete records older than a day
 *
 * The thread writes through the queue of writers, as requests do.
 */
#ifndef STORE_LOCAL_JOBS_TASKS_H
#define STORE_LOCAL_JOBS_TASKS_H

#include "store/local/jobs/ranges.h"

struct tasks;

/* The name of an index. The index or its table may have been dropped when it is looked up. */
struct index_name {
	struct slice table;
	uint32_t table_id;
	uint16_t id;
};

/* Functions of later rooms that do the work of tasks. */
struct tasks_work {
	int (*index)(struct local *l, const struct time_slice *time_slice,
		     const struct index_name *name, struct ranges_walk *w); /* index_job_run() */
	bool (*trim)(struct local *l, const struct time_slice *time_slice,
		     uint64_t now_ms); /* stream_trim() */
	ranges_dead_fn *token;         /* token_dead() */
};

/**
 * tasks_new - start the thread, and add tasks for the work that an earlier process left
 * @work: copied
 * @out:  &l->tasks, which tasks use; set before the thread starts, and also after an error
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  reading the marks of that work
 */
int tasks_new(struct call *c, struct local *l, const struct tasks_work *work, struct tasks **out)
	must_check;

/** tasks_stop - tell the thread to start no new task, batch of deletes or piece of a compaction.  Thread: any */
void tasks_stop(struct tasks *tasks);

/** tasks_free - stop, wait for the running task, and free; the next start resumes the rest; NULL is allowed */
void tasks_free(struct tasks *tasks);

/** tasks_drop - add a task that deletes all keys of table @id, for which the key 'x' id exists.  Thread: any */
void tasks_drop(struct tasks *tasks, uint32_t id);

/** tasks_index - add a task for the index of @s that is being added or dropped, if any: index_job.h.  Thread: any */
void tasks_index(struct tasks *tasks, const struct schema *s);

/**
 * tasks_deleted - count the deletion of an item, index entry or stream record
 * @key: its key
 *
 * Tombstones make seeks slow: after 50,000 deletes in a table or an index the range that they span is compacted.
 * Thread:  the commit leader
 */
void tasks_deleted(struct tasks *tasks, struct slice key);

/**
 * tasks_sweep - add a task that deletes the tokens and stream records that have expired at @now_ms
 *
 * Does nothing if the last such task was added less than 60 seconds before.
 * Thread:  any
 */
void tasks_sweep(struct tasks *tasks, uint64_t now_ms);

/** tasks_wait - wait until all tasks are done.  For tests */
void tasks_wait(struct tasks *tasks);

/** tasks_dropped_key - make the key of a dropped table in @a: 'x' id */
struct slice tasks_dropped_key(struct arena *a, uint32_t id);

#endif
