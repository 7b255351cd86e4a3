/*
 * jobs - what takes as long as a table is large: beside all requests, one after the other
 *
 *   backup     the items of a snapshot to a file
 *   restore    a file's items to a new table, which nobody else sees until it is whole
 *   export, import     transfer_job.h
 *
 * When the store is closed, backups and exports are written to their end, as their
 * snapshots end with the process; restores and imports begin again at the next open.
 * What fails tells its reason in its record, a backup and a restore also in a line (say.h).
 */
#ifndef STORE_LOCAL_JOBS_JOBS_H
#define STORE_LOCAL_JOBS_JOBS_H

#include <stdatomic.h>

#include "store/base/core/workers.h"
#include "store/local/records/local_int.h"

struct jobs;
struct job;

struct jobs *jobs_new(struct local *l);

/** jobs_free - wait for those with a snapshot, stop the rest; NULL is harmless */
void jobs_free(struct jobs *js);

/* What nobody may take away meanwhile; empty: nothing. */
struct job_needs {
	struct slice table;  /* a table's name */
	struct slice backup; /* a backup's id */
	bool snapshot;       /* of the store: it is carried out before that is closed */
};

/**
 * jobs_enter - room for one more job, before what it needs is looked up
 * @c: tells the job's time
 *
 * Then one of the jobs_*() below, or jobs_leave().
 * Errors:  -ERR_LIMIT  so many wait already
 */
int jobs_enter(struct jobs *js, const struct job_needs *needs, struct call *c, struct job **out)
	__attribute__((warn_unused_result));

/** jobs_leave - there is no such job after all */
void jobs_leave(struct job *j);

/** jobs_backup - write the items of @at; the snapshot is the job's from here on */
void jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at);

/** jobs_restore - fill @table from @a */
void jobs_restore(struct job *j, const struct archive *a, struct slice table);

/*
 * jobs_need - does a job need one of these?
 *
 * Thread:  the commit leader, who alone takes tables and backups away; a job enters before its
 *          operation is queued
 */
bool jobs_need(struct jobs *js, const struct job_needs *needs);

/** jobs_need_nothing - what it needed may go from here on */
void jobs_need_nothing(struct job *j);

/** jobs_add - carry out @w too, behind what waits */
void jobs_add(struct jobs *js, struct work *w);

/** jobs_stopping - looked at now and then by what is carried out: true when the store is being closed */
const atomic_bool *jobs_stopping(const struct jobs *js);

#endif
