/* op_transfer - structs of exports to and imports from buckets, which are directories of the store; part of op.h */
#ifndef STORE_OP_OP_TRANSFER_H
#define STORE_OP_OP_TRANSFER_H

#include "store/op/op_table.h"

enum transfer_status { TRANSFER_RUNNING, TRANSFER_DONE, TRANSFER_FAILED };

/* The location of the files. */
struct bucket_place {
	struct slice bucket; /* NAME of the directory STORE/buckets/NAME */
	struct slice owner;  /* an account, which has no effect; may be empty */
	struct slice prefix; /* of the file names; may be empty */
};

enum import_format { IMPORT_JSON, IMPORT_CSV };

/* The form of the files of an import. */
struct import_source {
	enum import_format format;
	bool gzip;
	char delimiter;              /* CSV; 0: not given, a comma */
	const struct slice *headers; /* CSV: column names; none: in the first line of files */
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
	uint64_t started_ms; /* Unix time; for an export, the state of the table that is written */
	uint64_t ended_ms;   /* Unix time; 0: not yet */
	uint64_t items;      /* transferred */
	uint64_t bytes;      /* export: by DynamoDB's count; import: size of its files, unpacked */
	struct slice failure_code; /* TRANSFER_FAILED: one word */
	struct slice failure;      /* TRANSFER_FAILED: the reason */

	/* of an export */
	bool typed;       /* ExportType was given */
	uint64_t time_ms; /* ExportTime; 0: not given */

	/* of an import */
	uint64_t processed; /* items so far, valid or not */
	uint64_t errors;    /* invalid items among them */
	struct import_source source;
	const struct schema *schema; /* of the requested table */
};

/** transfer_folder - append the folder of an export's files: PREFIX/AWSDynamoDB/ID */
void transfer_folder(struct buf *out, const struct transfer *t);

struct export_table_in {
	struct slice arn;   /* of a table */
	struct slice token; /* ClientToken: requests with the same one are repetitions */
	struct bucket_place place;
	bool typed;       /* ExportType was given */
	uint64_t time_ms; /* ExportTime, the state to export; 0: the present state */
};
struct export_table_out {
	struct transfer exported;
};

struct describe_export_in {
	struct slice arn;
};
struct describe_export_out {
	struct transfer exported;
};

struct transfer_query {
	struct slice table; /* ARN; empty: of all tables */
	uint32_t limit;     /* 1..25; 0 = 10 */
	struct slice next;  /* token of the previous page */
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
	struct slice token; /* ClientToken: requests with the same one are repetitions */
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
