/* op_archive - structs of the operations on backups of tables; part of op.h */
#ifndef STORE_OP_OP_ARCHIVE_H
#define STORE_OP_OP_ARCHIVE_H

#include "store/op/op_table.h"

enum archive_status { ARCHIVE_RUNNING, ARCHIVE_DONE, ARCHIVE_FAILED, ARCHIVE_DELETED };

/* A backup record. */
struct archive {
	struct slice id;             /* in its ARN */
	struct slice name;           /* given by the user */
	const struct schema *schema; /* of the table at that time */
	enum archive_status status;
	uint64_t started_ms; /* Unix time of the saved state */
	uint64_t items;
	uint64_t item_bytes;  /* by DynamoDB's count */
	uint64_t file_bytes;  /* size of the file; 0 until it is complete */
	struct slice failure; /* ARCHIVE_FAILED: the reason */
};

struct create_backup_in {
	struct slice table;
	struct slice name;
};
struct create_backup_out {
	struct archive backup;
};

struct describe_backup_in {
	struct slice arn;
};
struct describe_backup_out {
	struct archive backup;
};

struct delete_backup_in {
	struct slice arn;
};
struct delete_backup_out {
	struct archive backup;
};

struct list_backups_in {
	struct slice table; /* empty: of all tables */
	uint64_t from_ms;   /* started then or later */
	uint64_t to_ms;     /* started before; 0: no limit */
	struct slice start; /* ARN: backups after this one */
	uint32_t limit;     /* 1..100; 0 = 100 */
	bool none;          /* only backups of a kind that a store does not have */
};
struct list_backups_out {
	const struct archive *backups; /* the oldest first */
	size_t n_backups;
	bool more; /* there are more: LastEvaluatedBackupArn is that of the last one */
};

/* The indexes of a backup that are restored. */
struct index_choice {
	bool given;             /* false: all indexes */
	const struct index *at; /* each as in the backup, but without the types of its key */
	size_t n;
};

struct restore_table_in {
	struct slice table; /* the new one */
	struct slice arn;
	struct index_choice indexes[2]; /* LSIs, GSIs */
	bool override_billing;
	bool provisioned;
	uint64_t read_units;
	uint64_t write_units;
	const struct on_demand *on_demand; /* NULL: as in the backup */
	const struct encryption *encryption;
};
struct restore_table_out {
	struct table_info table;
};

#endif
