/*
 * jobs - what takes as long as a table is large: beside all requests, one after the other
 *
 *   backup     the items of a snapshot to a file
 *   restore    a file's items to a new table, which nobody else sees until it is whole
 *
 * A job that is interrupted by the end of the process has failed.
 */
#ifndef STORE_LOCAL_JOBS_H
#define STORE_LOCAL_JOBS_H

#include <stdatomic.h>

#include "store/base/workers.h"
#include "store/local/local_int.h"

struct jobs;

/** jobs_new - what an earlier process left, failed backups and unfinished tables, is deleted */
struct jobs *jobs_new(const struct call *c, struct local *l);

/** jobs_free - stop, wait for what has begun; NULL is harmless */
void jobs_free(struct jobs *js);

/** jobs_backup - write the items of @at; the snapshot is the job's from here on; @c: tells the time */
void jobs_backup(struct jobs *js, const struct call *c, const struct archive *a,
		 struct kv_snapshot *at);

/** jobs_restore - fill @table from @a */
void jobs_restore(struct jobs *js, const struct call *c, const struct archive *a,
		  struct slice table);

/** jobs_add - carry out @w too, behind what waits */
void jobs_add(struct jobs *js, struct work *w);

/** jobs_stopping - looked at now and then by what is carried out: true when the store is being closed */
const atomic_bool *jobs_stopping(const struct jobs *js);

#endif
