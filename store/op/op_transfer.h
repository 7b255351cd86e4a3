/* op_transfer - tables to and from buckets, which are directories of the store, as operations: part of op.h */
#ifndef STORE_OP_OP_TRANSFER_H
#define STORE_OP_OP_TRANSFER_H

#include "store/base/core/buf.h"
#include "store/op/op_table.h"

enum transfer_status { TRANSFER_RUNNING, TRANSFER_DONE, TRANSFER_FAILED };

/* Where the files are. */
struct bucket_place {
	struct slice bucket; /* its name: STORE/buckets/NAME */
	struct slice owner;  /* an account, which says nothing here; may be empty */
	struct slice prefix; /* what the names of the files begin with; may be empty */
};

enum import_format { IMPORT_JSON, IMPORT_CSV };

/* What the files of an import are. */
struct import_source {
	enum import_format format;
	bool gzip;
	char delimiter; /* CSV; 0: not given, a comma */
	const struct slice
		*headers; /* CSV: names of the columns; none: in each file's first line */
	size_t n_headers;
};

/* An export or an import. */
struct transfer {
	struct slice id;    /* in its ARN */
	struct slice table; /* name */
	struct slice uuid;  /* TableId of the table */
	struct slice token; /* ClientToken */
	struct bucket_place place;
	enum transfer_status status;
	uint64_t started_ms; /* Unix time; of an export: the table is written as it was then */
	uint64_t ended_ms;   /* likewise; 0: not yet */
	uint64_t items;      /* that were transferred */
	uint64_t
		bytes; /* of an export: by DynamoDB's count; of an import: of its files, unpacked */
	struct slice failure_code; /* TRANSFER_FAILED: in a word, and why */
	struct slice failure;

	/* of an export */
	bool typed;       /* ExportType was given */
	uint64_t time_ms; /* ExportTime that was given; 0: none */

	/* of an import */
	uint64_t processed; /* items that were read, or could not be */
	uint64_t errors;    /* of them */
	struct import_source source;
	const struct schema *schema; /* of the table, as it was asked for */
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

struct import_table_in {
	struct slice token; /* requests with the same one are the same */
	struct bucket_place place;
	struct import_source source;
	struct create_table_in table; /* the new one */
};
struct import_table_out {
	struct transfer import;
};

struct describe_import_in {
	struct slice arn;
};
struct describe_import_out {
	struct transfer import;
};

struct list_imports_in {
	struct transfer_query query;
};
struct list_imports_out {
	struct transfer_page page;
};

#endif
