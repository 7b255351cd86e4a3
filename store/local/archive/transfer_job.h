/* transfer_job - the job of an export or import, and what happens to the records of transfers */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_JOB_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_JOB_H

#include "store/local/archive/transfer.h"
#include "store/local/jobs/jobs.h"

struct transfer_job {
	struct job job; /* first; its call has the memory of @transfer */
	struct local *local;
	enum transfer_kind kind;
	struct transfer transfer; /* with the schema of the table */
	struct kv_snapshot *at;
	bool again;
	uint64_t began_ms; /* steady clock */
};

/**
 * transfer_job_run - start a job that jobs_enter() has made, with copies of @t and @s
 * @job:   the first member of a struct transfer_job
 * @at:    the snapshot of an export, which the job owns from here on; NULL: an import
 * @again: of an import: an earlier process has begun it
 * @run:   ends with transfer_job_end() or transfer_job_free()
 */
void transfer_job_run(struct job *job, const struct transfer *t, const struct schema *s,
		      struct kv_snapshot *at, bool again, void (*run)(struct work *w));

/** transfer_job_now - Return: Unix time: that of the request, plus the time since then */
uint64_t transfer_job_now(const struct transfer_job *j);

/** transfer_job_free - delete records older than 90 days, then leave the jobs; does not write the job's record */
void transfer_job_free(struct transfer_job *j);

/**
 * transfer_job_end - write the end state into the record, then transfer_job_free()
 * @r: result of the transfer; if < 0, the job's call has the error
 */
void transfer_job_end(struct transfer_job *j, int r);

/* ------------------------------------------------------------ at the start of a store */

/**
 * transfer_tidy - mark interrupted exports, and imports whose table is gone, as failed; delete old records
 *
 * Called when the store is opened.
 */
int transfer_tidy(struct local *l, struct call *c) __attribute__((warn_unused_result));

/** transfer_of_table - find the unfinished import into @table;  Return: 0, KV_ABSENT, < 0 */
int transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
	__attribute__((warn_unused_result));

/**
 * import_begin_again - start a job that fills the table @s from the beginning; drop the table if it has no import
 * @s: a table that is being created
 *
 * Return:  0
 * Errors:  those of transfer_of_table(), jobs_enter() and table_give_up()
 */
int import_begin_again(struct local *l, struct call *c, const struct schema *s)
	__attribute__((warn_unused_result));

/** export_files_remove - remove all files of an unfinished export; what cannot be removed is ignored */
void export_files_remove(const struct local *l, struct call *c, const struct transfer *t);

/* ------------------------------------------------------------ NextToken of ListExports */

/** transfer_token_encode - Return: NextToken of a page that ended with @id, in the call's arena */
struct slice transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_token_decode - set *@id to the id in a NextToken;  Return: 0, -ERR_VALIDATION */
int transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token,
			  struct slice *id) __attribute__((warn_unused_result));

#endif
