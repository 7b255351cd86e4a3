/* codec_alter - the request of UpdateTable; the answer is in codec_describe.c */
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

enum { CODEC_CHANGES = INDEX_DELETE + 1 };

/* An element of GlobalSecondaryIndexUpdates; the arrays are indexed by enum index_change_kind. */
struct codec_change {
	struct codec_index at[CODEC_CHANGES];
	bool given[CODEC_CHANGES];
};

struct codec_update {
	struct update_table_in of; /* without what the other members are converted to */
	struct codec_definitions definitions;
	struct codec_units units;
	const struct codec_change *changes;
	size_t n_changes;
	struct codec_stream stream;
	struct codec_encryption encryption;
	struct on_demand on_demand;
};

/* ------------------------------------------------------------ rows */

static const struct shape_member codec_changed_members[] = {
	CODEC_ROW_NEW_INDEX,
	CODEC_ROW_UNITS(struct codec_index, units, "ProvisionedThroughput", 0),
	CODEC_ROW_ON_DEMAND(struct codec_index, of.on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_index, of.warm, warm_given, &codec_warm_shape),
};
SHAPE_DEFINE(codec_changed, struct codec_index, SHAPE_CLASS("UpdateGlobalSecondaryIndexAction"))

static const struct shape_member codec_dropped_members[] = {CODEC_ROW_NEW_INDEX};
SHAPE_DEFINE(codec_dropped, struct codec_index, SHAPE_CLASS("DeleteGlobalSecondaryIndexAction"))

#define CODEC_ROW_CHANGE(kind_, name, shape) \
	SHAPE_ROW(struct codec_change, at[kind_], name, SHAPE_STRUCT, \
		  SHAPE_GIVEN(struct codec_change, given[kind_]), .of = (shape))
static const struct shape_member codec_change_members[] = {
	CODEC_ROW_CHANGE(INDEX_UPDATE, "Update", &codec_changed),
	CODEC_ROW_CHANGE(INDEX_CREATE, "Create", &codec_create_shape),
	CODEC_ROW_CHANGE(INDEX_DELETE, "Delete", &codec_dropped),
};
SHAPE_DEFINE(codec_change, struct codec_change, SHAPE_CLASS("GlobalSecondaryIndexUpdate"))

static const struct shape_member codec_update_members[] = {
	CODEC_ROW_TABLE_FIRST(struct codec_update, of.table),
	CODEC_ROW_MODE(struct codec_update, of.billing, "BillingMode"),
	CODEC_ROW_UNITS(struct codec_update, units, "ProvisionedThroughput", 0),
	SHAPE_ROW(struct codec_update, of.protect, "DeletionProtectionEnabled", SHAPE_BOOL,
		  SHAPE_POINTER(struct codec_update, of.protect)),
	SHAPE_ROW(struct codec_update, of.table_class, "TableClass", SHAPE_ENUM,
		  SHAPE_POINTER(struct codec_update, of.table_class), .words = &codec_class_words),
	CODEC_ROW_STREAM(struct codec_update, stream),
	CODEC_ROW_DEFINITIONS(struct codec_update, definitions, 0),
	SHAPE_ROW_LIST(struct codec_update, changes, n_changes, "GlobalSecondaryIndexUpdates",
		       &codec_change),
	CODEC_ROW_ENCRYPTION(struct codec_update, encryption, "SSESpecification"),
	CODEC_ROW_ON_DEMAND(struct codec_update, on_demand, "OnDemandThroughput"),
	SHAPE_ROW(struct codec_update, of.warm, "WarmThroughput", SHAPE_STRUCT,
		  SHAPE_POINTER(struct codec_update, of.warm), .of = &codec_warm_shape),
	CODEC_ROW_REFUSED("ReplicaUpdates"),
	CODEC_ROW_REFUSED("MultiRegionConsistency"),
	CODEC_ROW_REFUSED("GlobalTableWitnessUpdates"),
	CODEC_ROW_REFUSED("GlobalTableSettingsReplicationMode"),
};

static const struct shape_member codec_update_own_members[] = {
	SHAPE_ROW(struct codec_update, of.throttle, "Throttle", SHAPE_BOOL,
		  SHAPE_POINTER(struct codec_update, of.throttle)),
	SHAPE_ROW(struct codec_update, of.collection_limit, "CollectionLimit", SHAPE_LONG,
		  SHAPE_POINTER(struct codec_update, of.collection_limit)),
};
SHAPE_DEFINE(codec_update_own, struct codec_update, NULL)

/* ------------------------------------------------------------ from JSON */

static int
codec_unpack_change(struct call *c, const struct codec_update *u, const struct codec_change *ch,
		    struct index_change *out)
{
	size_t n = 0;

	for (int kind = 0; kind < CODEC_CHANGES; kind++) {
		if (ch->given[kind]) {
			out->kind = (enum index_change_kind)kind;
			n++;
		}
	}
	if (n == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: One of "
				 "GlobalSecondaryIndexUpdate.Update, "
				 "GlobalSecondaryIndexUpdate.Create, "
				 "GlobalSecondaryIndexUpdate.Delete must not be null");
	}
	if (n > 1) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: Only one global "
				 "secondary index action is allowed per GlobalSecondaryIndexUpdate "
				 "object");
	}
	const struct codec_index *from = &ch->at[out->kind];

	if (out->kind == INDEX_UPDATE && !from->units.given && !from->of.on_demand.given &&
	    !from->warm_given) {
		return call_fail(c, ERR_VALIDATION,
				 "1 validation error detected: Value null at "
				 "'globalSecondaryIndexUpdates.%zu.member.update."
				 "provisionedThroughput' failed to satisfy constraint: Member must "
				 "not be null",
				 (size_t)(ch - u->changes) + 1);
	}
	return codec_unpack_index(c, from, &u->definitions, true, &out->index);
}

static int
codec_unpack_changes(struct call *c, const struct codec_update *u, struct update_table_in *out)
{
	struct index_change *changes = arena_new(&c->arena, struct index_change, u->n_changes);

	out->changes = changes;
	out->n_changes = u->n_changes;
	for (size_t i = 0; i < u->n_changes; i++) {
		int status = codec_unpack_change(c, u, &u->changes[i], &changes[i]);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static int
codec_unpack_update(struct codec_reader *r, const void *draft, void *in)
{
	const struct codec_update *u = draft;
	enum stream_view *view = arena_new(&r->c->arena, enum stream_view, 1);
	struct encryption *encryption = arena_new(&r->c->arena, struct encryption, 1);
	struct update_table_in *out = in;
	int status = codec_unpack_stream(r->c, &u->stream, CODEC_STREAM_CHANGED, view);

	*encryption = codec_unpack_encryption(&u->encryption);
	*out = u->of;
	out->read_units = u->units.reads;
	out->write_units = u->units.writes;
	out->on_demand = u->on_demand.given ? &u->on_demand : NULL;
	out->encryption = u->encryption.given ? encryption : NULL;
	out->stream = u->stream.given ? view : NULL;
	out->definitions = u->definitions.at;
	out->n_definitions = u->definitions.n;
	if (status == 0) {
		status = codec_unpack_changes(r->c, u, out);
	}
	return codec_defer(r, ORDER_ITEM, status);
}

/* ------------------------------------------------------------ to JSON */

/* Return the definitions of the request, or if there are none, those of the last new index. */
static struct codec_definitions
codec_pack_changed_definitions(struct codec_writer *w, const struct update_table_in *in)
{
	struct schema keys = {0};

	for (size_t i = 0; i < in->n_changes; i++) {
		if (in->changes[i].kind == INDEX_CREATE) {
			keys.key = in->changes[i].index.key;
		}
	}
	return codec_pack_definitions(w, &keys, in->definitions, in->n_definitions);
}

static void
codec_pack_update(struct codec_writer *w, const void *from, void *draft)
{
	const struct update_table_in *in = from;
	struct codec_update *u = draft;
	struct codec_change *changes = arena_new(&w->arena, struct codec_change, in->n_changes);

	for (size_t i = 0; i < in->n_changes; i++) {
		const struct index_change *ch = &in->changes[i];

		changes[i].given[ch->kind] = true;
		changes[i].at[ch->kind] = codec_pack_index(w, &ch->index);
	}
	*u = (struct codec_update){
		.of = *in,
		.definitions = codec_pack_changed_definitions(w, in),
		.units = {in->read_units != 0, in->read_units, in->write_units, 0},
		.changes = changes,
		.n_changes = in->n_changes,
	};
	if (in->on_demand != NULL) {
		u->on_demand = *in->on_demand;
	}
	if (in->encryption != NULL) {
		u->encryption = codec_pack_encryption(in->encryption);
		u->encryption.given = true;
	}
	if (in->stream != NULL) {
		u->stream = codec_pack_stream(*in->stream);
		u->stream.given = true;
		u->stream.enabled_given = true;
	}
}

static const struct shape codec_update = {SHAPE_DRAFT(struct update_table_in, struct codec_update,
						      codec_update_members, codec_unpack_update,
						      codec_pack_update),
					  .own = &codec_update_own};

SHAPE_REQUEST(update_table, &codec_update)
