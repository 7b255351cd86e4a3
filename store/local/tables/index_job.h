/*
 * index_job - background work that adds or drops an index step by step
 *
 *   CREATING -> BACKFILLING -> ACTIVE      backfill.h
 *   DELETING -> gone                       its entries and counts are deleted
 *
 * The state is stored in the table's definition, so the work continues after a restart.
 */
#ifndef STORE_LOCAL_TABLES_INDEX_JOB_H
#define STORE_LOCAL_TABLES_INDEX_JOB_H

#include "store/local/jobs/tasks.h"

enum index_job_outcome { INDEX_JOB_MORE = 1 };

/**
 * index_job_run - continue until @time_slice is over
 * @w: progress of the deletion of the entries
 *
 * Return:  0: nothing is left to do;  INDEX_JOB_MORE
 * Errors:  those of txn_run(): the rest waits for the next start
 * Thread:  the background thread (tasks.h)
 */
int index_job_run(struct local *l, const struct time_slice *time_slice,
		  const struct index_name *name, struct ranges_walk *w) must_check;

#endif
