/*
 * backup_jobs - the work of backups and restores of tables
 *
 *   backup     the items of a snapshot to a file
 *   restore    a file's items to a new table, which nobody else sees until it is whole
 *
 * What fails tells its reason in its record, a restore also in a line (say.h).
 */
#ifndef STORE_LOCAL_ARCHIVE_BACKUP_JOBS_H
#define STORE_LOCAL_ARCHIVE_BACKUP_JOBS_H

#include "store/local/archive/archive.h"
#include "store/local/jobs/jobs.h"

/** backup_jobs_enter - jobs_enter() for one of these; then one of the next two, or jobs_leave() */
int backup_jobs_enter(struct local *l, const struct job_needs *needs, struct call *c,
		      struct job **out) __attribute__((warn_unused_result));

/** backup_jobs_backup - write the items of @at; the snapshot is the job's from here on */
void backup_jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at);

/** backup_jobs_restore - fill @table from @a */
void backup_jobs_restore(struct job *j, const struct archive *a, struct slice table);

#endif
