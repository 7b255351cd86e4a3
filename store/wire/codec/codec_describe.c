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

/* An entry of IndexPartitions. */
struct codec_partitions {
	struct slice index;
	uint64_t n;
};

/* The description and the member "ItemFS"; other members are converted to those of @of and @schema, or mirror them. */
struct codec_answer {
	struct table_info of;
	struct schema schema;
	struct codec_definitions definitions;
	struct codec_key key;
	struct codec_units units;
	enum billing_change mode;
	bool mode_given; /* BillingModeSummary */
	struct codec_indexes indexes[2];
	struct codec_stream stream;
	struct slice stream_label;
	struct slice backup_arn; /* RestoreSummary */
	struct slice backup_table_arn;
	bool restored;
	bool class_given; /* TableClassSummary */
	bool warm_given;
	struct codec_encryption encryption;
	const struct codec_partitions *index_partitions;
	size_t n_index_partitions;
};

/* ------------------------------------------------------------ rows */

#define CODEC_ROW_DESCRIBED_UNITS(type) \
	SHAPE_ROW(type, units, "ProvisionedThroughput", SHAPE_STRUCT, \
		  SHAPE_GIVEN(type, units.given), .of = &codec_described_units)

/* In the order of enum index_state.  A foreign index that is UPDATING can be read: only its units change. */
static const struct shape_words codec_index_status_words = {
	SHAPE_WORDS("ACTIVE", "CREATING", "CREATING", "DELETING")};

static const struct shape_member codec_described_units_members[] = {
	CODEC_ROW_NUMBER(struct codec_units, decreases, "NumberOfDecreasesToday"),
	CODEC_ROW_NUMBER(struct codec_units, reads, "ReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct codec_units, writes, "WriteCapacityUnits"),
};
SHAPE_DEFINE(codec_described_units, struct codec_units, NULL)

static const struct shape_member codec_described_index_members[] = {
	CODEC_ROW_NAME(struct codec_index, of.name, "IndexName"),
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, NULL),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
	SHAPE_ROW(struct codec_index, of.state, "IndexStatus", SHAPE_ENUM,
		  SHAPE_GIVEN(struct codec_index, state_given), .words = &codec_index_status_words),
	SHAPE_ROW(struct codec_index, backfilling, "Backfilling", SHAPE_BOOL,
		  SHAPE_GIVEN(struct codec_index, backfilling_given)),
	CODEC_ROW_DESCRIBED_UNITS(struct codec_index),
	CODEC_ROW_NUMBER(struct codec_index, bytes, "IndexSizeBytes"),
	CODEC_ROW_NUMBER(struct codec_index, items, "ItemCount"),
	CODEC_ROW_STRING(struct codec_index, arn, "IndexArn"),
	CODEC_ROW_ON_DEMAND(struct codec_index, of.on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_index, of.warm, warm_given, &codec_warmed_shape),
};
SHAPE_DEFINE(codec_described_index, struct codec_index, NULL)

static const struct shape_words codec_status_words = {
	SHAPE_WORDS("ACTIVE", "DELETING", "UPDATING", "CREATING")};

static const struct shape_member codec_summary_members[] = {
	CODEC_ROW_MODE(struct codec_answer, mode, "BillingMode"),
	SHAPE_ROW(struct codec_answer, schema.on_demand_ms, "LastUpdateToPayPerRequestDateTime",
		  SHAPE_TIME),
};
SHAPE_DEFINE(codec_summary, struct codec_answer, NULL)

static const struct shape_member codec_restored_members[] = {
	CODEC_ROW_STRING(struct codec_answer, backup_arn, "SourceBackupArn"),
	CODEC_ROW_STRING(struct codec_answer, backup_table_arn, "SourceTableArn"),
	SHAPE_ROW(struct codec_answer, schema.restored.at_ms, "RestoreDateTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_answer, schema.creating, "RestoreInProgress", SHAPE_BOOL,
		  .flags = SHAPE_ALWAYS),
};
SHAPE_DEFINE(codec_restored, struct codec_answer, NULL)

static const struct shape_member codec_class_members[] = {
	SHAPE_ROW(struct codec_answer, schema.table_class, "TableClass", SHAPE_ENUM,
		  .flags = SHAPE_ALWAYS, .words = &codec_class_words),
	SHAPE_ROW(struct codec_answer, schema.class_ms, "LastUpdateDateTime", SHAPE_TIME),
};
SHAPE_DEFINE(codec_class, struct codec_answer, NULL)

static const struct shape_member codec_encrypted_members[] = {
	SHAPE_FIXED("Status", "ENABLED"),
	SHAPE_FIXED("SSEType", "KMS"),
	CODEC_ROW_STRING(struct codec_encryption, key, "KMSMasterKeyArn"),
};
SHAPE_DEFINE(codec_encrypted, struct codec_encryption, NULL)

static const struct shape_member codec_described_members[] = {
	CODEC_ROW_DEFINITIONS(struct codec_answer, definitions, 0),
	CODEC_ROW_NAME(struct codec_answer, schema.table, "TableName"),
	CODEC_ROW_KEY_SCHEMA_IF_ANY(struct codec_answer, key),
	SHAPE_ROW(struct codec_answer, of.status, "TableStatus", SHAPE_ENUM, .flags = SHAPE_ALWAYS,
		  .words = &codec_status_words),
	SHAPE_ROW(struct codec_answer, schema.created_ms, "CreationDateTime", SHAPE_TIME),
	CODEC_ROW_DESCRIBED_UNITS(struct codec_answer),
	CODEC_ROW_NUMBER(struct codec_answer, of.totals.bytes, "TableSizeBytes"),
	CODEC_ROW_NUMBER(struct codec_answer, of.totals.items, "ItemCount"),
	CODEC_ROW_STRING(struct codec_answer, of.arn, "TableArn"),
	CODEC_ROW_STRING(struct codec_answer, schema.uuid, "TableId"),
	SHAPE_INNER("BillingModeSummary", &codec_summary,
		    SHAPE_GIVEN(struct codec_answer, mode_given)),
	CODEC_ROW_INDEXES(struct codec_answer, indexes[0], "LocalSecondaryIndexes",
			  &codec_described_index),
	CODEC_ROW_INDEXES(struct codec_answer, indexes[1], "GlobalSecondaryIndexes",
			  &codec_described_index),
	CODEC_ROW_STREAM(struct codec_answer, stream),
	CODEC_ROW_STRING(struct codec_answer, stream_label, "LatestStreamLabel"),
	CODEC_ROW_STRING(struct codec_answer, of.latest_stream, "LatestStreamArn"),
	SHAPE_INNER("RestoreSummary", &codec_restored, SHAPE_GIVEN(struct codec_answer, restored)),
	SHAPE_ROW(struct codec_answer, schema.protected, "DeletionProtectionEnabled", SHAPE_BOOL,
		  .flags = SHAPE_ALWAYS),
	SHAPE_INNER("TableClassSummary", &codec_class,
		    SHAPE_GIVEN(struct codec_answer, class_given)),
	CODEC_ROW_ON_DEMAND(struct codec_answer, schema.on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_answer, schema.warm, warm_given, &codec_warmed_shape),
	SHAPE_ROW(struct codec_answer, encryption, "SSEDescription", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_answer, encryption.given), .of = &codec_encrypted),
};
SHAPE_DEFINE(codec_described, struct codec_answer, NULL)

static const struct shape_member codec_index_partitions_members[] = {
	SHAPE_BARE(struct codec_partitions, n, SHAPE_LONG),
};
SHAPE_DEFINE(codec_index_partitions, struct codec_partitions, NULL, .bare = true,
	     .key = offsetof(struct codec_partitions, index))

static const struct shape_member codec_answer_own_members[] = {
	CODEC_ROW_BOOL(struct codec_answer, schema.throttle, "Throttle"),
	CODEC_ROW_LONG(struct codec_answer, schema.collection_limit, "CollectionLimit"),
	CODEC_ROW_NUMBER(struct codec_answer, of.totals.partitions, "Partitions"),
	SHAPE_ROW_MAP(struct codec_answer, index_partitions, n_index_partitions, "IndexPartitions",
		      &codec_index_partitions, .flags = SHAPE_ALWAYS),
	CODEC_ROW_NUMBER(struct codec_answer, of.backfilled, "Backfilled"),
	CODEC_ROW_BOOL(struct codec_answer, of.foreign, "Foreign"),
};
SHAPE_DEFINE(codec_answer_own, struct codec_answer, NULL)

/* ------------------------------------------------------------ from JSON */

/* Return the warm throughput that a description states, or zero if it is what the table has anyway; @ix: NULL: the table */
static struct warm
codec_accept_warm(const struct schema *s, const struct index *ix, const struct warm *from)
{
	struct schema bare = *s;
	struct index bare_index = {0};

	bare.warm = (struct warm){0};
	if (ix != NULL) {
		bare_index = *ix;
		bare_index.warm = (struct warm){0};
	}
	struct warm usual = schema_warm(&bare, ix == NULL ? NULL : &bare_index);

	return usual.reads == from->reads && usual.writes == from->writes ? (struct warm){0}
									  : *from;
}

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
	const struct codec_indexes *lists = a->indexes;
	int status = codec_accept_indexes(c, lists, &a->definitions, s);
	struct totals *totals = arena_new(&c->arena, struct totals, s->n_index);

	for (size_t i = 0; i < s->n_index; i++) {
		const struct codec_index *from =
			i < lists[0].n ? &lists[0].at[i] : &lists[1].at[i - lists[0].n];

		if (from->of.state == INDEX_CREATING || from->of.state == INDEX_BACKFILLING) {
			s->index[i].state = from->backfilling ? INDEX_BACKFILLING : INDEX_CREATING;
		}
		s->index[i].warm = codec_accept_warm(s, &s->index[i], &from->of.warm);
		totals[i] = (struct totals){from->items, from->bytes,
					    codec_partitions_of(a, from->of.name)};
	}
	t->index_totals = totals;
	return status;
}

static struct restored
codec_unpack_restored(const struct codec_answer *a)
{
	struct restored out = a->schema.restored;

	return arn_read(a->backup_arn, "/backup/", &out.table, &out.backup) ? out
									    : (struct restored){0};
}

/* Convert the members that describe the table itself. */
static void
codec_unpack_settings(const struct codec_answer *a, struct schema *s)
{
	*s = a->schema;
	s->provisioned = a->mode != BILLING_ON_DEMAND;
	s->read_units = a->units.reads;
	s->write_units = a->units.writes;
	s->warm = codec_accept_warm(s, NULL, &a->schema.warm);
	s->encryption = (struct encryption){a->encryption.given, a->encryption.key};
	s->restored = codec_unpack_restored(a);
	if (a->stream.enabled) {
		s->stream.view = stream_view_from_name(a->stream.view);
	}
	if (!stream_arn_read_label(a->stream_label, &s->stream.label_ms)) {
		s->stream.label_ms = 0;
	}
}

/* Convert an answer, each of which begins with a struct table_info.  That of DeleteTable has no key. */
static int
codec_unpack_deleted(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_answer *a = draft;
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	struct table_info *t = out;

	codec_unpack_settings(a, s);
	int status = codec_accept_table_key(r->c, &a->key, &a->definitions, &s->key);

	*t = a->of;
	t->schema = s;
	/* itemfs always sends numbers of partitions. */
	t->foreign = t->foreign || r->own == NULL;
	return status < 0 ? status : codec_unpack_described_indexes(r->c, a, s, t);
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

static struct slice
codec_pack_index_arn(struct codec_writer *w, const struct table_info *t, struct slice index)
{
	struct buf arn;

	if (t->arn.len == 0) {
		return t->foreign ? t->arn : codec_pack_arn(w, t->schema->table, "/index/", index);
	}
	buf_init(&arn, &w->arena);
	buf_fmt(&arn, "%.*s/index/%.*s", SLICE_ARG(t->arn), SLICE_ARG(index));
	return buf_view(&arn);
}

static struct codec_index
codec_pack_described_index(struct codec_writer *w, const struct table_info *t, size_t i)
{
	assert(i < t->schema->n_index);
	const struct index *ix = &t->schema->index[i];
	struct codec_index out = codec_pack_index(w, ix);
	bool filling = ix->state == INDEX_CREATING || ix->state == INDEX_BACKFILLING;

	if (t->index_totals != NULL) {
		out.items = t->index_totals[i].items;
		out.bytes = t->index_totals[i].bytes;
	}
	out.arn = codec_pack_index_arn(w, t, ix->name);
	out.units.given = ix->global;
	if (ix->global) {
		out.state_given = true;
		out.of.state = t->status == TABLE_DELETING ? INDEX_DELETING : ix->state;
		out.backfilling = ix->state == INDEX_BACKFILLING;
		out.backfilling_given = filling && t->status != TABLE_DELETING;
		out.warm_given = true;
		out.of.warm = schema_warm(t->schema, ix);
	} else {
		out.of.state = INDEX_ACTIVE; /* not written */
	}
	return out;
}

static struct codec_indexes
codec_pack_described_indexes(struct codec_writer *w, const struct table_info *t, bool global)
{
	size_t n = t->schema->n_index;
	struct codec_index *at = arena_new(&w->arena, struct codec_index, n);
	struct codec_indexes out = {.at = at};

	for (size_t i = 0; i < n; i++) {
		if (t->schema->index[i].global == global) {
			at[out.n++] = codec_pack_described_index(w, t, i);
		}
	}
	return out;
}

static void
codec_pack_latest_stream(struct codec_writer *w, const struct schema *s, struct codec_answer *a)
{
	struct buf text;

	if (s->stream.label_ms == 0) {
		a->of.latest_stream = SLICE("");
		return;
	}
	buf_init(&text, &w->arena);
	clock_put(&text, s->stream.label_ms);
	a->stream_label = buf_view(&text);
	if (a->of.latest_stream.len == 0 && !a->of.foreign) {
		buf_init(&text, &w->arena);
		stream_arn_put(&text, w->region, s->table, s->stream.label_ms);
		a->of.latest_stream = buf_view(&text);
	}
}

static void
codec_pack_restored(struct codec_writer *w, const struct restored *from, struct codec_answer *a)
{
	a->restored = from->backup.len > 0;
	if (a->restored) {
		a->backup_arn = codec_pack_arn(w, from->table, "/backup/", from->backup);
		a->backup_table_arn = codec_pack_arn(w, from->table, NULL, SLICE(""));
	}
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
codec_pack_partitions(struct codec_writer *w, const struct table_info *t, struct codec_answer *a)
{
	size_t n = t->index_totals == NULL ? 0 : t->schema->n_index;
	struct codec_partitions *partitions = arena_new(&w->arena, struct codec_partitions, n);

	for (size_t i = 0; i < n; i++) {
		partitions[i] = (struct codec_partitions){t->schema->index[i].name,
							  t->index_totals[i].partitions};
	}
	a->index_partitions = partitions;
	a->n_index_partitions = n;
}

static void
codec_pack_answer(struct codec_writer *w, const void *out, void *draft)
{
	const struct table_info *t = out;
	const struct schema *s = t->schema;
	struct codec_answer *a = draft;

	*a = (struct codec_answer){
		.of = *t,
		.schema = *s,
		.definitions = codec_pack_definitions(w, s, NULL, 0),
		.key = codec_pack_key(w, &s->key),
		.units = {true, s->read_units, s->write_units, 0},
		/* A table that has ever been PAY_PER_REQUEST keeps its summary. */
		.mode_given = s->on_demand_ms != 0,
		.mode = s->provisioned ? BILLING_PROVISIONED : BILLING_ON_DEMAND,
		.indexes = {codec_pack_described_indexes(w, t, false),
			    codec_pack_described_indexes(w, t, true)},
		.stream = codec_pack_stream(s->stream.view),
		.class_given = s->table_class != CLASS_NONE,
		.warm_given = true,
		.encryption = codec_pack_encrypted(w, s),
	};
	a->schema.warm = schema_warm(s, NULL);
	if (t->arn.len == 0 && !t->foreign) {
		a->of.arn = codec_pack_arn(w, s->table, NULL, SLICE(""));
	}
	codec_pack_restored(w, &s->restored, a);
	codec_pack_latest_stream(w, s, a);
	codec_pack_partitions(w, t, a);
}

/* Omit the members that DeleteTable does not return. */
static void
codec_pack_deleted(struct codec_writer *w, const void *out, void *draft)
{
	struct codec_answer *a = draft;

	codec_pack_answer(w, out, draft);
	a->n_index_partitions = 0;
	a->definitions.n = 0;
	a->key.n = 0;
	a->schema.created_ms = 0;
	a->indexes[0].n = 0;
	a->indexes[1].n = 0;
}

/* ------------------------------------------------------------ the answers */

#define CODEC_ROW_ANSWER(name) \
	SHAPE_INNER(name, &codec_described, .flags = SHAPE_ALWAYS | SHAPE_ANSWERED)
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
