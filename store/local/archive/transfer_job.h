/*
 * transfer_job - a transfer on its way: a job, and the record that tells how it ended
 */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_JOB_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_JOB_H

#include "store/local/archive/transfer.h"
#include "store/local/jobs/jobs.h"

struct transfer_job {
	struct work work; /* first */
	struct local *local;
	struct job *room; /* among the jobs */
	struct call c;    /* holds what follows */
	enum transfer_kind kind;
	struct transfer transfer;
	const struct schema *schema; /* of the table */
	struct kv_snapshot *at;      /* of an export; the job's */
	bool again;                  /* of an import: it has begun in an earlier process */
	uint64_t began_ms;           /* by the clock that never goes back */
};

/** transfer_job_new - with copies of @t and @s; @room: by jobs_enter(); @c: tells the time */
struct transfer_job *transfer_job_new(struct local *l, struct job *room, const struct call *c,
				      enum transfer_kind kind, const struct transfer *t,
				      const struct schema *s, void (*run)(struct work *w));

/** transfer_job_now - Unix time, as the one who asked had it */
uint64_t transfer_job_now(const struct transfer_job *j);

/** transfer_job_free - its record says how it ended, or that it begins again; those that are old are forgotten */
void transfer_job_free(struct transfer_job *j);

/** transfer_job_end - write how it ended, by @r and the call's error, and free it */
void transfer_job_end(struct transfer_job *j, int r);

/* ------------------------------------------------------------ what becomes of records of transfers */

/**
 * transfer_tidy - when a store is opened: exports that were on their way have failed, and imports whose
 * table is gone; old records are forgotten
 */
int transfer_tidy(struct local *l, struct call *c) __attribute__((warn_unused_result));

/** transfer_of_table - the import on its way to @table;  Return: 0, KV_ABSENT, < 0 */
int transfer_of_table(struct local *l, struct call *c, struct slice table, struct transfer *out)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ NextToken of ListExports */

/** transfer_token_encode - that the page ended with @id */
struct slice transfer_token_encode(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_token_decode - the inverse; Errors: -ERR_VALIDATION */
int transfer_token_decode(struct call *c, enum transfer_kind kind, struct slice token,
			  struct slice *id) __attribute__((warn_unused_result));

#endif
