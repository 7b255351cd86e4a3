/* op_transfer - tables to buckets, which are directories of the store, as operations: part of op.h */
#ifndef STORE_OP_OP_TRANSFER_H
#define STORE_OP_OP_TRANSFER_H

#include "store/base/buf.h"
#include "store/op/op_table.h"

enum transfer_status { TRANSFER_RUNNING, TRANSFER_DONE, TRANSFER_FAILED };

/* Where the files are. */
struct bucket_place {
	struct slice bucket; /* its name: STORE/buckets/NAME */
	struct slice owner;  /* an account, which says nothing here; may be empty */
	struct slice prefix; /* what the names of the files begin with; may be empty */
};

/* An export. */
struct transfer {
	struct slice id;    /* in its ARN */
	struct slice table; /* name */
	struct slice token; /* ClientToken */
	struct bucket_place place;
	enum transfer_status status;
	uint64_t started_ms; /* Unix time; of an export: the table is written as it was then */
	uint64_t ended_ms;   /* likewise; 0: not yet */
	uint64_t items;
	uint64_t bytes;            /* by DynamoDB's count */
	struct slice failure_code; /* TRANSFER_FAILED: in a word, and why */
	struct slice failure;
	bool typed;       /* ExportType was given */
	uint64_t time_ms; /* ExportTime that was given; 0: none */
};

/** transfer_folder - append the folder of an export's files: PREFIX/AWSDynamoDB/ID */
void transfer_folder(struct buf *out, const struct transfer *t);

struct export_table_in {
	struct slice arn;   /* of a table */
	struct slice token; /* requests with the same one are the same */
	struct bucket_place place;
	bool typed;
	uint64_t time_ms; /* the table as it was then; 0: as it is */
};
struct export_table_out {
	struct transfer export;
};

struct describe_export_in {
	struct slice arn;
};
struct describe_export_out {
	struct transfer export;
};

struct transfer_query {
	struct slice table; /* ARN; empty: of all tables */
	uint32_t limit;     /* 1..25; 0 = 10 */
	struct slice next;  /* token of the page before */
};

struct transfer_page {
	const struct transfer *at; /* the newest first */
	size_t n;
	struct slice next; /* empty at the end */
};

struct list_exports_in {
	struct transfer_query query;
};
struct list_exports_out {
	struct transfer_page page;
};

#endif
