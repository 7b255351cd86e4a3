/* codec_archive - CreateBackup, DescribeBackup, ListBackups, DeleteBackup; the request of RestoreTableFromBackup */
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* Draft of a backup record. */
struct codec_archive {
	struct archive of;
	struct slice arn;
	struct slice table_arn;
	uint64_t bytes; /* TableSizeBytes */
	struct codec_new_table table;
};

const struct shape_rule codec_backup_arn_rule = {.min = LIMIT_BACKUP_ARN_MIN};

/* ------------------------------------------------------------ rows */

static const struct shape_words codec_status_words = {
	SHAPE_WORDS("CREATING", "AVAILABLE", "FAILED", "DELETED")};

#define CODEC_ROWS_DETAILS \
	CODEC_ROW_NAME(struct codec_archive, arn, "BackupArn"), \
		CODEC_ROW_STRING(struct codec_archive, of.name, "BackupName"), \
		CODEC_ROW_NUMBER(struct codec_archive, of.item_bytes, "BackupSizeBytes"), \
		SHAPE_ROW(struct codec_archive, of.status, "BackupStatus", SHAPE_ENUM, \
			  .words = &codec_status_words, .flags = SHAPE_ALWAYS), \
		SHAPE_FIXED("BackupType", "USER"), \
		SHAPE_ROW(struct codec_archive, of.started_ms, "BackupCreationDateTime", \
			  SHAPE_TIME, .flags = SHAPE_ALWAYS)
#define CODEC_ROWS_SOURCE \
	CODEC_ROW_STRING(struct codec_archive, table.of.table, "TableName"), \
		CODEC_ROW_STRING(struct codec_archive, table.of.uuid, "TableId"), \
		CODEC_ROW_STRING(struct codec_archive, table_arn, "TableArn")

static const struct shape_member codec_details_members[] = {CODEC_ROWS_DETAILS};
SHAPE_DEFINE(codec_details, struct codec_archive, NULL)

static const struct shape_member codec_source_members[] = {
	CODEC_ROWS_SOURCE,
	CODEC_ROW_NUMBER(struct codec_archive, bytes, "TableSizeBytes"),
	CODEC_ROW_NUMBER(struct codec_archive, of.items, "ItemCount"),
	SHAPE_ROW(struct codec_archive, table.of.created_ms, "TableCreationDateTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROW_KEY_SCHEMA(struct codec_archive, table.key, NULL),
	CODEC_ROW_MODE(struct codec_archive, table.mode, "BillingMode"),
	CODEC_ROW_UNITS(struct codec_archive, table.units, "ProvisionedThroughput", SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_source, struct codec_archive, NULL)

static const struct shape_member codec_features_members[] = {
	CODEC_ROW_INDEXES(struct codec_archive, table.indexes[0], "LocalSecondaryIndexes",
			  &codec_local_shape),
	CODEC_ROW_INDEXES(struct codec_archive, table.indexes[1], "GlobalSecondaryIndexes",
			  &codec_global_shape),
};
SHAPE_DEFINE(codec_features, struct codec_archive, NULL)

#define CODEC_ROW_PART(name_, shape) \
	SHAPE_INNER(name_, (shape), .flags = SHAPE_ALWAYS | SHAPE_ANSWERED)
#define CODEC_ROW_PART_IF_ANY(name_, shape) SHAPE_INNER(name_, (shape), .flags = SHAPE_ALWAYS)
static const struct shape_member codec_description_members[] = {
	CODEC_ROW_PART("BackupDetails", &codec_details),
	CODEC_ROW_PART("SourceTableDetails", &codec_source),
	CODEC_ROW_PART_IF_ANY("SourceTableFeatureDetails", &codec_features),
};
static const struct shape_member codec_created_members[] = {
	CODEC_ROW_PART("BackupDetails", &codec_details),
};
static const struct shape_member codec_summary_members[] = {
	CODEC_ROWS_SOURCE,
	CODEC_ROWS_DETAILS,
};

/* ------------------------------------------------------------ from JSON and to JSON */

static int
codec_unpack_archive(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_archive *from = draft;
	struct archive *a = out;
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);

	*a = from->of;
	a->schema = s;
	int status = codec_accept_new_table(r->c, &from->table, s);

	if (status < 0) {
		return status;
	}
	return arn_read(from->arn, "/backup/", &s->table, &a->id)
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION, "an answer without a backup's ARN");
}

static void
codec_pack_archive(struct codec_writer *w, const void *in, void *draft)
{
	const struct archive *a = in;
	const struct schema *s = a->schema;
	struct codec_archive *out = draft;

	out->of = *a;
	out->arn = codec_pack_arn(w, s->table, "/backup/", a->id);
	out->table_arn = codec_pack_arn(w, s->table, NULL, SLICE(""));
	out->bytes = a->item_bytes;
	codec_pack_new_table(w, &(struct create_table_in){.schema = s}, &out->table);
}

SHAPE_DEFINE(codec_description, struct codec_archive, NULL)
SHAPE_DEFINE_DRAFT(codec_created, struct archive, struct codec_archive, codec_unpack_archive,
		   codec_pack_archive)
SHAPE_DEFINE_DRAFT(codec_summary, struct archive, struct codec_archive, codec_unpack_archive,
		   codec_pack_archive)

/* ------------------------------------------------------------ CreateBackup */

static const struct shape_rule codec_backup_name_rule = {.min = LIMIT_BACKUP_NAME_MIN};

static const struct shape_member codec_create_backup_in_members[] = {
	CODEC_ROW_TABLE_FIRST(struct create_backup_in, table),
	SHAPE_ROW(struct create_backup_in, name, "BackupName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_backup_name_rule),
};

/* The answer struct contains only the struct archive. */
SHAPE_ROWS_IN(create_backup)
SHAPE_ANSWER(create_backup, &codec_created)

/* ------------------------------------------------------------ DescribeBackup, DeleteBackup */

static const struct shape_member codec_described_backup_members[] = {
	CODEC_ROW_PART("BackupDescription", &codec_description)};
SHAPE_DEFINE_DRAFT(codec_described_backup, struct archive, struct codec_archive,
		   codec_unpack_archive, codec_pack_archive)

static_assert(offsetof(struct delete_backup_in, arn) == 0, "it is read like the next");
static const struct shape_member codec_describe_backup_in_members[] = {
	SHAPE_ROW(struct describe_backup_in, arn, "BackupArn", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_backup_arn_rule)};

/* The answer structs contain only the struct archive. */
_Static_assert(sizeof(struct describe_backup_out) == sizeof(struct archive) &&
		       sizeof(struct delete_backup_out) == sizeof(struct archive),
	       "nothing else");
SHAPE_ROWS_IN(describe_backup)
SHAPE_ANSWER(describe_backup, &codec_described_backup)
SHAPE_OPERATION(delete_backup, &codec_describe_backup_in, &codec_described_backup)

/* ------------------------------------------------------------ ListBackups */

/* All backups are of the type USER.  The field .none is set for the types that match no backup. */
static const struct shape_words codec_backup_type_words = {
	SHAPE_WORDS("USER", "SYSTEM", "ALL", "AWS_BACKUP"),
	.set = "[USER, SYSTEM, AWS_BACKUP, ALL]"};

static const struct shape_member codec_list_backups_in_members[] = {
	CODEC_ROW_STRING(struct list_backups_in, table, "TableName"),
	SHAPE_ROW(struct list_backups_in, from_ms, "TimeRangeLowerBound", SHAPE_TIME),
	SHAPE_ROW(struct list_backups_in, to_ms, "TimeRangeUpperBound", SHAPE_TIME),
	CODEC_ROW_STRING(struct list_backups_in, start, "ExclusiveStartBackupArn"),
	SHAPE_ROW(struct list_backups_in, none, "BackupType", SHAPE_FLAG,
		  .words = &codec_backup_type_words),
	CODEC_ROW_LIMIT(struct list_backups_in, limit),
};

/* The answer, and the ARN of the last backup if there are more. */
struct codec_backups {
	struct list_backups_out of;
	struct slice last;
};

static const struct shape_member codec_backups_members[] = {
	SHAPE_ROW_LIST(struct codec_backups, of.backups, of.n_backups, "BackupSummaries",
		       &codec_summary, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct codec_backups, last, "LastEvaluatedBackupArn"),
};

static int
codec_unpack_backups(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_backups *b = draft;
	struct list_backups_out *list = out;

	*list = b->of;
	list->more = b->last.len > 0;
	return !list->more || list->n_backups > 0
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION,
				   "an answer without backups that says that there are more");
}

static void
codec_pack_backups(struct codec_writer *w, const void *out, void *draft)
{
	const struct list_backups_out *list = out;
	struct codec_backups *b = draft;

	b->of = *list;
	if (list->more) {
		assert(list->n_backups > 0);
		const struct archive *last = &list->backups[list->n_backups - 1];

		b->last = codec_pack_arn(w, last->schema->table, "/backup/", last->id);
	}
}

SHAPE_DEFINE_DRAFT(codec_backups, struct list_backups_out, struct codec_backups,
		   codec_unpack_backups, codec_pack_backups)

SHAPE_ROWS_IN(list_backups)
SHAPE_ANSWER(list_backups, &codec_backups)

/* ------------------------------------------------------------ the request of RestoreTableFromBackup */

struct codec_restore {
	struct restore_table_in of;      /* without what the other members are converted to */
	struct codec_indexes indexes[2]; /* LSIs, GSIs */
	enum billing_change mode;
	struct codec_units units;
	struct on_demand on_demand;
	struct codec_encryption encryption;
};

static const struct shape_member codec_restore_members[] = {
	SHAPE_ROW(struct codec_restore, of.table, "TargetTableName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_new_name_rule),
	SHAPE_ROW(struct codec_restore, of.arn, "BackupArn", SHAPE_STRING, .flags = SHAPE_REQUIRED,
		  .rule = &codec_backup_arn_rule),
	CODEC_ROW_INDEXES(struct codec_restore, indexes[0], "LocalSecondaryIndexOverride",
			  &codec_local_shape),
	CODEC_ROW_INDEXES(struct codec_restore, indexes[1], "GlobalSecondaryIndexOverride",
			  &codec_global_shape),
	CODEC_ROW_MODE(struct codec_restore, mode, "BillingModeOverride"),
	CODEC_ROW_UNITS(struct codec_restore, units, "ProvisionedThroughputOverride", 0),
	CODEC_ROW_ON_DEMAND(struct codec_restore, on_demand, "OnDemandThroughputOverride"),
	CODEC_ROW_ENCRYPTION(struct codec_restore, encryption, "SSESpecificationOverride"),
};

/* Convert an override of indexes.  The request does not contain the types of key attributes. */
static int
codec_unpack_choice(struct call *c, const struct codec_indexes *list, bool global,
		    struct index_choice *out)
{
	struct index *at = arena_new(&c->arena, struct index, list->n);

	*out = (struct index_choice){list->given, at, list->n};
	for (size_t i = 0; i < list->n; i++) {
		int status = codec_unpack_index(c, &list->at[i], NULL, global, &at[i]);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static int
codec_unpack_restore(struct codec_reader *r, const void *draft, void *in)
{
	const struct codec_restore *from = draft;
	struct restore_table_in *out = in;
	struct encryption *encryption = arena_new(&r->c->arena, struct encryption, 1);
	int status = 0;

	*encryption = codec_unpack_encryption(&from->encryption);
	*out = from->of;
	out->override_billing = from->mode != BILLING_KEPT || from->units.given;
	out->provisioned = from->mode != BILLING_ON_DEMAND;
	out->read_units = from->units.reads;
	out->write_units = from->units.writes;
	out->on_demand = from->on_demand.given ? &from->on_demand : NULL;
	out->encryption = from->encryption.given ? encryption : NULL;
	for (int global = 0; global < 2 && status == 0; global++) {
		status = codec_unpack_choice(r->c, &from->indexes[global], global == 1,
					     &out->indexes[global]);
	}
	if (status == 0 && out->override_billing) {
		status = codec_unpack_mode(r->c, from->mode, &from->units);
	}
	return codec_defer(r, ORDER_ITEM, status);
}

static void
codec_pack_restore(struct codec_writer *w, const void *in, void *draft)
{
	const struct restore_table_in *from = in;
	struct codec_restore *out = draft;
	bool provisioned = from->override_billing && from->provisioned;

	out->of = *from;
	out->mode = !from->override_billing ? BILLING_KEPT
		    : from->provisioned     ? BILLING_PROVISIONED
					    : BILLING_ON_DEMAND;
	out->units = (struct codec_units){provisioned, from->read_units, from->write_units, 0};
	if (from->on_demand != NULL) {
		out->on_demand = *from->on_demand;
	}
	if (from->encryption != NULL) {
		out->encryption = codec_pack_encryption(from->encryption);
		out->encryption.given = true;
	}
	for (int global = 0; global < 2; global++) {
		const struct index_choice *ch = &from->indexes[global];

		out->indexes[global] = codec_pack_indexes(w, ch->at, ch->n, global == 1);
		out->indexes[global].given = ch->given;
	}
}

SHAPE_DEFINE_DRAFT(codec_restore, struct restore_table_in, struct codec_restore,
		   codec_unpack_restore, codec_pack_restore)

SHAPE_REQUEST(restore_table, &codec_restore)
