/*
 * jobs - what takes as long as a table is large: beside all requests, one after the other
 *
 *   backup, restore    archive/backup_jobs.h
 *   export, import     archive/transfer_job.h
 *
 * When the store is closed, jobs with a snapshot are carried out to their end, as it ends with
 * the process; others begin again at the next open.
 */
#ifndef STORE_LOCAL_JOBS_JOBS_H
#define STORE_LOCAL_JOBS_JOBS_H

#include <stdatomic.h>

#include "store/base/core/workers.h"
#include "store/local/records/local_int.h"

struct jobs;

/* What nobody may take away meanwhile; empty: nothing. */
struct job_needs {
	struct slice table;  /* a table's name */
	struct slice backup; /* a backup's id */
	bool snapshot;       /* of the store: it is carried out before that is closed */
};

/* The first member of what a job is about. */
struct job {
	struct work work; /* first */
	struct jobs *jobs;
	struct job *next;       /* all's */
	struct job_needs needs; /* likewise */
	struct call c;          /* holds what the job needs; its time is that of the request */
};

struct jobs *jobs_new(struct local *l);

/** jobs_free - wait for those with a snapshot, stop the rest; NULL is harmless */
void jobs_free(struct jobs *js);

/**
 * jobs_enter - room for one more job, before what it needs is looked up
 * @bytes: of the struct whose first member is the job; all zero
 * @c:     tells the job's time
 *
 * Then jobs_run(), or jobs_leave().
 * Errors:  -ERR_LIMIT  so many wait already
 */
int jobs_enter(struct jobs *js, size_t bytes, const struct job_needs *needs, struct call *c,
	       struct job **out) __attribute__((warn_unused_result));

/** jobs_leave - there is no such job after all */
void jobs_leave(struct job *j);

/** jobs_run - carry it out with @run, after those that wait; @run ends with jobs_leave() */
void jobs_run(struct job *j, void (*run)(struct work *w));

/**
 * jobs_need - does a job need one of these?
 *
 * Thread:  the commit leader, who alone takes tables and backups away; a job enters before its
 *          operation is queued
 */
bool jobs_need(struct jobs *js, const struct job_needs *needs);

/** jobs_need_nothing - what it needed may go from here on */
void jobs_need_nothing(struct job *j);

/** jobs_local - the store that it is a job of */
struct local *jobs_local(const struct jobs *js);

/** jobs_add - carry out @w too, after what waits */
void jobs_add(struct jobs *js, struct work *w);

/** jobs_stopping - looked at now and then by what is carried out: true when the store is being closed */
const atomic_bool *jobs_stopping(const struct jobs *js);

#endif
