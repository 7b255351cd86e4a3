/*
 * jobs - long-running jobs, which run one after the other in a thread of their own
 *
 *   backup, restore    archive/archive.h
 *   export, import     archive/transfer.h
 *
 * When the store is closed, jobs with a snapshot run to their end, because a snapshot ends with the process. Other jobs
 * stop early and begin again at the next open.
 */
#ifndef STORE_LOCAL_JOBS_JOBS_H
#define STORE_LOCAL_JOBS_JOBS_H

#include <stdatomic.h>

#include "store/base/core/workers.h"
#include "store/local/records/local_int.h"

struct jobs;

/* The objects that must not be deleted while the job waits or runs; empty: none. */
struct job_needs {
	struct slice table;  /* a table's name */
	struct slice backup; /* a backup's id */
	bool snapshot; /* the job has a snapshot of the store: it runs to its end before the store is closed */
};

/* A job. It must be the first member of the caller's struct. */
struct job {
	struct work work; /* must be first */
	struct local *local;
	struct job *next;       /* in the list of all jobs; guarded by its lock */
	struct job_needs needs; /* guarded by the same lock */
	struct call c;          /* has the memory of the job; its time is that of the request */
	struct call after;      /* see jobs_after() */
};

/** jobs_new - create the queue; its thread starts with the first job */
struct jobs *jobs_new(void);

/** jobs_free - wait for jobs with a snapshot, stop the others early, and free; NULL is allowed */
void jobs_free(struct jobs *js);

/**
 * jobs_enter - allocate a job and register its needs, before the objects that it needs are looked up
 * @bytes: size of the struct whose first member is the job; the rest of it is zeroed
 * @needs: copied
 * @c:     has the job's time
 *
 * The caller must then call jobs_run() or jobs_leave().
 * Errors:  -ERR_LIMIT  LIMIT_JOBS jobs wait or run already
 * Thread:  any
 */
int jobs_enter(struct local *l, size_t bytes, const struct job_needs *needs, struct call *c,
	       struct job **out) must_check;

/** jobs_leave - remove and free a job that has ended or will not be run */
void jobs_leave(struct job *j);

/** jobs_run - queue the job; @run is called after the jobs that wait, and must end with jobs_leave() */
void jobs_run(struct job *j, void (*run)(struct work *w));

/**
 * jobs_need - whether a job needs the table or the backup in @needs
 *
 * Thread:  the commit leader. Only the leader deletes tables and backups, and a job enters before its operation is
 *          queued, so nothing that a job needs is deleted.
 */
bool jobs_need(struct jobs *js, const struct job_needs *needs);

/** jobs_need_nothing - drop the needs of the job: the objects may be deleted from now on */
void jobs_need_nothing(struct job *j);

/** jobs_after - empty memory for what has to be done after the work, which may have failed or used all of its own */
struct call *jobs_after(struct job *j);

/** jobs_stopping - a flag that is true when the store is being closed; long-running jobs must check it regularly */
const atomic_bool *jobs_stopping(const struct jobs *js);

#endif
