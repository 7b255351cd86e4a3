/*
 * backup_jobs - the jobs of table backups and restores
 *
 *   backup     writes the items of a snapshot to a file
 *   restore    puts a file's items into a new table, which is invisible to others until it is complete
 *
 * The reason of a failure is printed to stderr (say.h); that of a backup is also in its record.
 *
 * Thread:  the functions below may be called from any thread; the jobs run in the jobs thread
 */
#ifndef STORE_LOCAL_ARCHIVE_BACKUP_JOBS_H
#define STORE_LOCAL_ARCHIVE_BACKUP_JOBS_H

#include "store/local/archive/archive.h"
#include "store/local/jobs/jobs.h"

/** backup_jobs_enter - jobs_enter() for a backup or restore; call one of the next two, or jobs_leave(), afterwards */
int backup_jobs_enter(struct local *l, const struct job_needs *needs, struct call *c,
		      struct job **out) __attribute__((warn_unused_result));

/** backup_jobs_backup - start a job that writes the items of @at to the file of @a; the job owns @at from here on */
void backup_jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at);

/** backup_jobs_restore - start a job that fills @table, which is being created, from @a */
void backup_jobs_restore(struct job *j, const struct archive *a, struct slice table);

#endif
