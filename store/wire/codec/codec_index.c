/*
 * codec_index - an index, and its units, in a TableDescription
 */
#include <assert.h>

#include "store/model/schema.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ rows */

/* IndexStatus */
enum codec_status {
	CODEC_STATUS_NONE,
	CODEC_STATUS_ACTIVE,
	CODEC_STATUS_CREATING,
	CODEC_STATUS_DELETING,
	CODEC_STATUS_UPDATING
};
static const struct shape_words codec_index_status_words = {
	SHAPE_WORDS("", "ACTIVE", "CREATING", "DELETING", "UPDATING")};

static const struct shape_member codec_described_units_members[] = {
	CODEC_ROW_NUMBER(struct codec_units, decreases, "NumberOfDecreasesToday"),
	CODEC_ROW_NUMBER(struct codec_units, reads, "ReadCapacityUnits"),
	CODEC_ROW_NUMBER(struct codec_units, writes, "WriteCapacityUnits"),
};
const struct shape codec_described_units_shape = {
	SHAPE_MEMBERS(struct codec_units, codec_described_units_members)};

static const struct shape_member codec_described_index_members[] = {
	CODEC_ROW_NAME(struct codec_index, of.name, "IndexName"),
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, NULL),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
	SHAPE_ROW(struct codec_index, status, "IndexStatus", SHAPE_ENUM,
		  .words = &codec_index_status_words),
	SHAPE_ROW(struct codec_index, backfilling, "Backfilling", SHAPE_BOOL,
		  SHAPE_GIVEN(struct codec_index, backfilling_given)),
	CODEC_ROW_DESCRIBED_UNITS(struct codec_index),
	CODEC_ROW_NUMBER(struct codec_index, bytes, "IndexSizeBytes"),
	CODEC_ROW_NUMBER(struct codec_index, items, "ItemCount"),
	CODEC_ROW_STRING(struct codec_index, arn, "IndexArn"),
	CODEC_ROW_ON_DEMAND(struct codec_index, of.on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_index, of.warm, warm_given, &codec_warmed_shape),
};
const struct shape codec_described_index_shape = {
	SHAPE_MEMBERS(struct codec_index, codec_described_index_members)};

/* ------------------------------------------------------------ from JSON */

/* An index that a foreign server reports as UPDATING can be read: only its units change. */
enum index_state
codec_index_state(const struct codec_index *ix)
{
	switch (ix->status) {
	case CODEC_STATUS_CREATING:
		return ix->backfilling ? INDEX_BACKFILLING : INDEX_CREATING;
	case CODEC_STATUS_DELETING:
		return INDEX_DELETING;
	default:
		return INDEX_ACTIVE;
	}
}

struct warm
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

static unsigned
codec_pack_status(const struct table_info *t, const struct index *ix)
{
	static const enum codec_status statuses[] = {
		[INDEX_ACTIVE] = CODEC_STATUS_ACTIVE,
		[INDEX_CREATING] = CODEC_STATUS_CREATING,
		[INDEX_BACKFILLING] = CODEC_STATUS_CREATING,
		[INDEX_DELETING] = CODEC_STATUS_DELETING,
	};

	return t->status == TABLE_DELETING ? CODEC_STATUS_DELETING : statuses[ix->state];
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
		out.status = codec_pack_status(t, ix);
		out.backfilling = ix->state == INDEX_BACKFILLING;
		out.backfilling_given = filling && t->status != TABLE_DELETING;
		out.warm_given = true;
		out.of.warm = schema_warm(t->schema, ix);
	}
	return out;
}

struct codec_indexes
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
