/*
 * codec_describe - TableDescription, the answer of CreateTable, DescribeTable, UpdateTable, DeleteTable and
 * RestoreTableFromBackup
 *
 * The member "ItemFS" beside it has the numbers of partitions and the settings that DynamoDB does not have.
 */
#include "store/base/core/clock.h"
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/model/stream_arn.h"
#include "store/wire/codec/codec_parts.h"

/* BillingModeSummary */
struct codec_summary {
	bool given;
	enum codec_mode mode;
	uint64_t on_demand_ms;
};

/* RestoreSummary */
struct codec_restored {
	bool given;
	struct slice backup_arn;
	struct slice table_arn;
	uint64_t at_ms;
	bool in_progress;
};

/* TableClassSummary */
struct codec_class {
	bool given;
	enum table_class table_class;
	uint64_t changed_ms;
};

/* An entry of IndexPartitions. */
struct codec_partitions {
	struct slice index;
	uint64_t n;
};

struct codec_description {
	struct codec_definitions definitions;
	struct slice name;
	struct codec_key key;
	enum table_status status;
	uint64_t created_ms;
	struct codec_units units;
	uint64_t items;
	uint64_t bytes;
	struct slice arn;
	struct slice id;
	struct codec_summary summary;
	struct codec_indexes indexes[2];
	struct codec_stream stream;
	struct slice stream_label;
	struct slice stream_arn;
	struct codec_restored restored;
	bool protected;
	struct codec_class table_class;
	struct on_demand on_demand;
	struct codec_warm warm;
	struct codec_encryption encryption;
};

/* The body, and its member "ItemFS". */
struct codec_answer {
	struct codec_description table;
	bool throttle;
	uint64_t collection_limit;
	uint64_t partitions;
	const struct codec_partitions *index_partitions;
	size_t n_index_partitions;
	uint64_t backfilled;
};

/* ------------------------------------------------------------ rows */

static const char *const codec_statuses[] = {"ACTIVE", "DELETING", "UPDATING", "CREATING", NULL};
static const struct shape_words codec_status_words = {.at = codec_statuses};

static const struct shape_member codec_summary_members[] = {
	CODEC_ROW_MODE(struct codec_summary, mode, "BillingMode"),
	SHAPE_ROW(struct codec_summary, on_demand_ms, "LastUpdateToPayPerRequestDateTime",
		  SHAPE_TIME),
};
SHAPE_DEFINE(codec_summary, struct codec_summary, NULL)

static const struct shape_member codec_restored_members[] = {
	CODEC_ROW_STRING(struct codec_restored, backup_arn, "SourceBackupArn"),
	CODEC_ROW_STRING(struct codec_restored, table_arn, "SourceTableArn"),
	SHAPE_ROW(struct codec_restored, at_ms, "RestoreDateTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_restored, in_progress, "RestoreInProgress", SHAPE_BOOL,
		  .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_restored, struct codec_restored, NULL)

static const struct shape_member codec_class_members[] = {
	SHAPE_ROW(struct codec_class, table_class, "TableClass", SHAPE_ENUM, .flags = SHAPE_ALWAYS,
		  .words = &codec_class_words),
	SHAPE_ROW(struct codec_class, changed_ms, "LastUpdateDateTime", SHAPE_TIME),
};
SHAPE_DEFINE(codec_class, struct codec_class, NULL)

static const struct shape_member codec_encrypted_members[] = {
	SHAPE_FIXED("Status", "ENABLED"),
	SHAPE_FIXED("SSEType", "KMS"),
	CODEC_ROW_STRING(struct codec_encryption, key, "KMSMasterKeyArn"),
};
SHAPE_DEFINE(codec_encrypted, struct codec_encryption, NULL)

static const struct shape_member codec_described_members[] = {
	CODEC_ROW_DEFINITIONS(struct codec_description, definitions, 0),
	CODEC_ROW_NAME(struct codec_description, name, "TableName"),
	CODEC_ROW_KEY_SCHEMA_IF_ANY(struct codec_description, key),
	SHAPE_ROW(struct codec_description, status, "TableStatus", SHAPE_ENUM,
		  .flags = SHAPE_ALWAYS, .words = &codec_status_words),
	SHAPE_ROW(struct codec_description, created_ms, "CreationDateTime", SHAPE_TIME),
	CODEC_ROW_DESCRIBED_UNITS(struct codec_description),
	CODEC_ROW_NUMBER(struct codec_description, bytes, "TableSizeBytes"),
	CODEC_ROW_NUMBER(struct codec_description, items, "ItemCount"),
	CODEC_ROW_STRING(struct codec_description, arn, "TableArn"),
	CODEC_ROW_STRING(struct codec_description, id, "TableId"),
	SHAPE_ROW(struct codec_description, summary, "BillingModeSummary", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_description, summary.given), .of = &codec_summary),
	CODEC_ROW_INDEXES(struct codec_description, indexes[0], "LocalSecondaryIndexes",
			  &codec_described_index_shape),
	CODEC_ROW_INDEXES(struct codec_description, indexes[1], "GlobalSecondaryIndexes",
			  &codec_described_index_shape),
	CODEC_ROW_STREAM(struct codec_description, stream),
	CODEC_ROW_STRING(struct codec_description, stream_label, "LatestStreamLabel"),
	CODEC_ROW_STRING(struct codec_description, stream_arn, "LatestStreamArn"),
	SHAPE_ROW(struct codec_description, restored, "RestoreSummary", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_description, restored.given), .of = &codec_restored),
	SHAPE_ROW(struct codec_description, protected, "DeletionProtectionEnabled", SHAPE_BOOL,
		  .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_description, table_class, "TableClassSummary", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_description, table_class.given), .of = &codec_class),
	CODEC_ROW_ON_DEMAND(struct codec_description, on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_description, warm, &codec_warmed_shape),
	SHAPE_ROW(struct codec_description, encryption, "SSEDescription", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_description, encryption.given), .of = &codec_encrypted),
};
SHAPE_DEFINE(codec_described, struct codec_description, NULL)

static const struct shape_member codec_index_partitions_members[] = {
	SHAPE_BARE(struct codec_partitions, n, SHAPE_LONG),
};
static const struct shape codec_index_partitions = {
	.bare = true,
	SHAPE_MEMBERS(struct codec_partitions, codec_index_partitions_members),
	.key = offsetof(struct codec_partitions, index)};

static const struct shape_member codec_answer_own_members[] = {
	CODEC_ROW_BOOL(struct codec_answer, throttle, "Throttle"),
	SHAPE_ROW(struct codec_answer, collection_limit, "CollectionLimit", SHAPE_LONG),
	CODEC_ROW_NUMBER(struct codec_answer, partitions, "Partitions"),
	SHAPE_ROW(struct codec_answer, index_partitions, "IndexPartitions", SHAPE_MAP,
		  SHAPE_COUNT(struct codec_answer, n_index_partitions),
		  .of = &codec_index_partitions, .flags = SHAPE_ALWAYS),
	CODEC_ROW_NUMBER(struct codec_answer, backfilled, "Backfilled"),
};
SHAPE_DEFINE(codec_answer_own, struct codec_answer, NULL)

/* ------------------------------------------------------------ from JSON */

static uint64_t
codec_partitions_of(const struct codec_answer *a, struct slice index)
{
	for (size_t i = 0; i < a->n_index_partitions; i++) {
		if (slice_eq(a->index_partitions[i].index, index)) {
			return a->index_partitions[i].n;
		}
	}
	return 0;
}

static int
codec_unpack_described_indexes(struct call *c, const struct codec_answer *a, struct schema *s,
			       struct table_info *t)
{
	const struct codec_indexes *lists = a->table.indexes;

	int status = codec_accept_indexes(c, lists, &a->table.definitions, s);
	struct totals *totals = arena_new(&c->arena, struct totals, s->n_index);

	for (size_t i = 0; i < s->n_index; i++) {
		const struct codec_index *from =
			i < lists[0].n ? &lists[0].at[i] : &lists[1].at[i - lists[0].n];

		s->index[i].state = codec_index_state(from);
		s->index[i].warm = codec_accept_warm(s, &s->index[i], &from->warm);
		totals[i] = (struct totals){from->items, from->bytes,
					    codec_partitions_of(a, from->name)};
	}
	t->index_totals = totals;
	return status;
}

static struct restored
codec_unpack_restored(const struct codec_restored *from)
{
	struct restored out = {.at_ms = from->at_ms};

	return arn_read(from->backup_arn, "/backup/", &out.table, &out.backup)
		       ? out
		       : (struct restored){0};
}

/* Convert the members that describe the table itself. */
static void
codec_unpack_settings(const struct codec_answer *a, struct schema *s)
{
	const struct codec_description *d = &a->table;

	s->table = d->name;
	s->uuid = d->id;
	s->created_ms = d->created_ms;
	s->provisioned = d->summary.mode != CODEC_MODE_ON_DEMAND;
	s->on_demand_ms = d->summary.on_demand_ms;
	s->read_units = d->units.reads;
	s->write_units = d->units.writes;
	s->protected = d->protected;
	s->table_class = d->table_class.table_class;
	s->class_ms = d->table_class.changed_ms;
	s->on_demand = d->on_demand;
	s->warm = codec_accept_warm(s, NULL, &d->warm);
	s->encryption = (struct encryption){d->encryption.given, d->encryption.key};
	s->throttle = a->throttle;
	s->collection_limit = a->collection_limit;
	s->creating = d->restored.in_progress;
	s->restored = codec_unpack_restored(&d->restored);
	if (d->stream.enabled) {
		s->stream.view = stream_view_from_name(d->stream.view);
	}
	if (!stream_arn_read_label(d->stream_label, &s->stream.label_ms)) {
		s->stream.label_ms = 0;
	}
}

/* Convert an answer, each of which begins with a struct table_info.  That of DeleteTable has no key. */
static int
codec_unpack_deleted(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_answer *a = draft;
	const struct codec_description *d = &a->table;
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);

	codec_unpack_settings(a, s);
	int status = codec_accept_table_key(r->c, &d->key, &d->definitions, &s->key);

	*(struct table_info *)out = (struct table_info){
		.schema = s,
		.status = d->status,
		.totals = {d->items, d->bytes, a->partitions},
		.backfilled = a->backfilled,
		.arn = d->arn,
		.latest_stream = d->stream_arn,
	};
	return status < 0 ? status : codec_unpack_described_indexes(r->c, a, s, out);
}

static int
codec_unpack_answer(struct codec_reader *r, const void *draft, void *out)
{
	const struct table_info *t = out;
	int status = codec_unpack_deleted(r, draft, out);

	return status < 0 || t->schema->key.pk[0].name.len > 0
		       ? status
		       : call_fail(r->c, ERR_VALIDATION,
				   "an answer with a table's description that has no key");
}

/* ------------------------------------------------------------ to JSON */

static void
codec_pack_latest_stream(struct codec_writer *w, const struct table_info *t,
			 struct codec_description *d)
{
	const struct schema *s = t->schema;
	struct buf text;

	if (s->stream.label_ms == 0) {
		return;
	}
	buf_init(&text, &w->arena);
	clock_put(&text, s->stream.label_ms);
	d->stream_label = buf_view(&text);
	buf_init(&text, &w->arena);
	stream_arn_put(&text, w->region, s->table, s->stream.label_ms);
	d->stream_arn = t->latest_stream.len > 0 || t->foreign ? t->latest_stream : buf_view(&text);
}

static struct codec_restored
codec_pack_restored(struct codec_writer *w, const struct schema *s)
{
	const struct restored *from = &s->restored;

	return from->backup.len == 0
		       ? (struct codec_restored){0}
		       : (struct codec_restored){
				 .given = true,
				 .backup_arn =
					 codec_pack_arn(w, from->table, "/backup/", from->backup),
				 .table_arn = codec_pack_arn(w, from->table, NULL, SLICE("")),
				 .at_ms = from->at_ms,
				 .in_progress = s->creating,
			 };
}

/* Name the key by an ARN.  The account's default key has the table's id. */
static struct codec_encryption
codec_pack_encrypted(struct codec_writer *w, const struct schema *s)
{
	struct slice key = s->encryption.key.len > 0 ? s->encryption.key : s->uuid;
	struct slice region = arn_region(w->region);
	struct buf arn;

	if (arn_is(key)) {
		return (struct codec_encryption){.given = s->encryption.on, .key = key};
	}
	buf_init(&arn, &w->arena);
	buf_fmt(&arn, "arn:aws:kms:%.*s:000000000000:key/%.*s", SLICE_ARG(region), SLICE_ARG(key));
	return (struct codec_encryption){.given = s->encryption.on, .key = buf_view(&arn)};
}

static void
codec_pack_description(struct codec_writer *w, const struct table_info *t,
		       struct codec_description *d)
{
	const struct schema *s = t->schema;

	*d = (struct codec_description){
		.definitions = codec_pack_definitions(w, s, NULL, 0),
		.name = s->table,
		.key = codec_pack_key(w, &s->key),
		.status = t->status,
		.created_ms = s->created_ms,
		.units = {true, s->read_units, s->write_units, 0},
		.items = t->totals.items,
		.bytes = t->totals.bytes,
		.arn = t->arn.len > 0 || t->foreign ? t->arn
						    : codec_pack_arn(w, s->table, NULL, SLICE("")),
		.id = s->uuid,
		.indexes = {codec_pack_described_indexes(w, t, false),
			    codec_pack_described_indexes(w, t, true)},
		.stream = codec_pack_stream(s->stream.view),
		.restored = codec_pack_restored(w, s),
		.protected = s->protected,
		.table_class = {s->table_class != CLASS_NONE, s->table_class, s->class_ms},
		.on_demand = s->on_demand,
		.warm = {true, schema_warm(s, NULL)},
		.encryption = codec_pack_encrypted(w, s),
	};
	/* A table that has ever been PAY_PER_REQUEST keeps its summary. */
	d->summary = (struct codec_summary){
		s->on_demand_ms != 0,
		s->provisioned ? CODEC_MODE_PROVISIONED : CODEC_MODE_ON_DEMAND, s->on_demand_ms};
	codec_pack_latest_stream(w, t, d);
}

static void
codec_pack_answer(struct codec_writer *w, const void *out, void *draft)
{
	const struct table_info *t = out;
	const struct schema *s = t->schema;
	struct codec_answer *a = draft;
	size_t n = t->index_totals == NULL ? 0 : s->n_index;
	struct codec_partitions *partitions = arena_new(&w->arena, struct codec_partitions, n);

	for (size_t i = 0; i < n; i++) {
		partitions[i] =
			(struct codec_partitions){s->index[i].name, t->index_totals[i].partitions};
	}
	a->throttle = s->throttle;
	a->collection_limit = s->collection_limit;
	a->partitions = t->totals.partitions;
	a->index_partitions = partitions;
	a->n_index_partitions = n;
	a->backfilled = t->backfilled;
	codec_pack_description(w, t, &a->table);
}

/* Omit the members that DeleteTable does not return. */
static void
codec_pack_deleted(struct codec_writer *w, const void *out, void *draft)
{
	struct codec_answer *a = draft;
	struct codec_description *d = &a->table;

	codec_pack_answer(w, out, draft);
	a->n_index_partitions = 0;
	d->definitions.n = 0;
	d->key.n = 0;
	d->created_ms = 0;
	d->indexes[0].n = 0;
	d->indexes[1].n = 0;
}

/* ------------------------------------------------------------ the answers */

#define CODEC_ROW_ANSWER(name) \
	SHAPE_ROW(struct codec_answer, table, name, SHAPE_STRUCT, .of = &codec_described, \
		  .flags = SHAPE_ALWAYS | SHAPE_ANSWERED)
#define CODEC_ANSWER(name, rows, unpack_, pack_) \
	_Static_assert(offsetof(struct name##_out, table) == 0, "begins with a table_info"); \
	static const struct shape codec_##name##_answer = { \
		SHAPE_DRAFT(struct name##_out, struct codec_answer, rows, unpack_, pack_), \
		.own = &codec_answer_own}; \
	SHAPE_ANSWER(name, &codec_##name##_answer)

static const struct shape_member codec_table_members[] = {CODEC_ROW_ANSWER("Table")};
static const struct shape_member codec_changed_members[] = {CODEC_ROW_ANSWER("TableDescription")};

CODEC_ANSWER(describe_table, codec_table_members, codec_unpack_answer, codec_pack_answer)
CODEC_ANSWER(create_table, codec_changed_members, codec_unpack_answer, codec_pack_answer)
CODEC_ANSWER(update_table, codec_changed_members, codec_unpack_answer, codec_pack_answer)
CODEC_ANSWER(restore_table, codec_changed_members, codec_unpack_answer, codec_pack_answer)
CODEC_ANSWER(delete_table, codec_changed_members, codec_unpack_deleted, codec_pack_deleted)
