/*
 * index_job - an index that comes or goes, step by step in the background
 *
 *   CREATING -> BACKFILLING -> ACTIVE      backfill.h
 *   DELETING -> gone                       its entries and counts are deleted
 *
 * Its state is in the definition of its table, so a restart goes on with it.
 */
#ifndef STORE_LOCAL_TABLES_INDEX_JOB_H
#define STORE_LOCAL_TABLES_INDEX_JOB_H

#include "store/local/jobs/chores.h"

enum index_job_outcome { INDEX_JOB_MORE = 1 };

/**
 * index_job_run - go on with it for a while
 * @w: where the deletion of its entries has come to
 *
 * Return:  0 nothing is left to do;  INDEX_JOB_MORE
 * Errors:  those of txn_run(): the rest waits for the next start
 * Thread:  the chores'
 */
int index_job_run(struct local *l, const struct turn *turn, const struct index_name *name,
		  struct ranges_walk *w) __attribute__((warn_unused_result));

#endif
