/*
 * transfer - records of exports and imports, as FORMAT.md section 6 defines them
 *
 * They are kept for 90 days after the start of the transfer.
 */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_H

#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/local_int.h"

/* The value is the letter in keys. */
enum transfer_kind { TRANSFER_EXPORT = 'e', TRANSFER_IMPORT = 'i' };

/** transfer_key - Return: key of the record of transfer @id, in the call's arena */
struct slice transfer_key(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_encode - append the record of @t */
void transfer_encode(struct buf *out, enum transfer_kind kind, const struct transfer *t);

/**
 * transfer_decode - decode the record of transfer @id
 *
 * Return:  0, -ERR_CORRUPT; any bytes are safe to pass
 * Memory:  the call's arena; slices borrow @id and @record
 */
int transfer_decode(struct call *c, enum transfer_kind kind, struct slice id, struct slice record,
		    struct transfer *out) must_check;

/**
 * transfer_of_token - find the transfer that was requested with the token of @asked, unless the token has expired
 *
 * Return:  0, KV_ABSENT, < 0
 * Errors:  -ERR_EXPORT_CONFLICT, -ERR_IMPORT_CONFLICT  it has other parameters than @asked
 * Thread:  the commit leader, inside an operation of the queue
 */
int transfer_of_token(struct txn *t, struct call *c, enum transfer_kind kind,
		      const struct transfer *asked, struct transfer *out) must_check;

/**
 * transfer_begin - set id, time and, if it is empty, token of @new; put its record into the operation's batch
 *
 * Thread:  the commit leader, inside an operation of the queue
 */
void transfer_begin(struct txn *t, struct call *c, enum transfer_kind kind, struct transfer *begun);

/** transfer_put - put the record of @what into the operation's batch;  Thread: as transfer_begin() */
void transfer_put(struct txn *t, struct call *c, enum transfer_kind kind,
		  const struct transfer *what);

/** transfer_write - write the record of @t; the commit is synced */
int transfer_write(struct local *l, struct call *c, enum transfer_kind kind,
		   const struct transfer *t) must_check;

/** transfer_forget - delete the record and the token of @t; the commit is synced */
int transfer_forget(struct local *l, struct call *c, enum transfer_kind kind,
		    const struct transfer *t) must_check;

/** transfer_describe - find by ARN;  Errors: -ERR_VALIDATION, -ERR_EXPORT_NOT_FOUND, -ERR_IMPORT_NOT_FOUND */
int transfer_describe(struct local *l, struct call *c, enum transfer_kind kind, struct slice arn,
		      struct transfer *out) must_check;

/** transfer_list - read a page of a list, newest first;  Errors: -ERR_VALIDATION  an invalid NextToken */
int transfer_list(struct local *l, struct call *c, enum transfer_kind kind,
		  const struct transfer_query *q, struct transfer_page *out) must_check;

/**
 * transfer_take_fn - called for each transfer
 * @t: NULL: the record is damaged; the call's error has the reason
 *
 * Return:  0: continue;  1: stop;  < 0: an error
 */
typedef int transfer_take_fn(void *arg, struct call *c, const struct transfer *t);

/**
 * transfer_each - call @take for all transfers before @id (empty: all), newest first;  Return: 0, < 0
 *
 * @take may change records: the walk shows one state of the store.
 */
int transfer_each(struct local *l, struct call *c, enum transfer_kind kind, struct slice id,
		  transfer_take_fn *take, void *arg) must_check;

/* ------------------------------------------------------------ jobs: transfer_job.c, import.c, export.c */

struct transfer_job {
	struct job job; /* first; its call has the memory of @transfer */
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
int transfer_tidy(struct local *l, struct call *c) must_check;

/** transfer_of_table - find the unfinished import into @table;  Return: 0, KV_ABSENT, < 0 */
int transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
	must_check;

/**
 * import_begin_again - start a job that fills the table @s from the beginning; drop the table if it has no import
 * @s: a table that is being created
 *
 * Return:  0
 * Errors:  those of transfer_of_table(), jobs_enter() and table_give_up()
 */
int import_begin_again(struct local *l, struct call *c, const struct schema *s) must_check;

/** export_files_remove - remove all files of an unfinished export; what cannot be removed is ignored */
void export_files_remove(const struct local *l, struct call *c, const struct transfer *t);

/* ------------------------------------------------------------ NextToken of ListExports */

/** transfer_token_encode - Return: NextToken of a page that ended with @id, in the call's arena */
struct slice transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_token_decode - set *@id to the id in a NextToken;  Return: 0, -ERR_VALIDATION */
int transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token,
			  struct slice *id) must_check;

#endif
