/* codec_restore - the request of RestoreTableFromBackup; codec_describe.c has the answer */
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/shape.h"

struct codec_restore {
	struct slice table;
	struct slice arn;
	struct codec_indexes indexes[2]; /* LSIs, GSIs */
	enum codec_mode mode;
	struct codec_units units;
	struct on_demand on_demand;
	struct codec_encryption encryption;
};

static const struct shape_member codec_restore_members[] = {
	SHAPE_ROW(struct codec_restore, table, "TargetTableName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_new_name_rule),
	SHAPE_ROW(struct codec_restore, arn, "BackupArn", SHAPE_STRING, .flags = SHAPE_REQUIRED,
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

/* The types of keys are not told. */
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
	*out = (struct restore_table_in){
		.table = from->table,
		.arn = from->arn,
		.override_billing = from->mode != CODEC_MODE_NONE || from->units.given,
		.provisioned = from->mode != CODEC_MODE_ON_DEMAND,
		.read_units = from->units.reads,
		.write_units = from->units.writes,
		.on_demand = from->on_demand.given ? &from->on_demand : NULL,
		.encryption = from->encryption.given ? encryption : NULL,
	};
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

	out->table = from->table;
	out->arn = from->arn;
	out->mode = !from->override_billing ? CODEC_MODE_NONE
		    : from->provisioned     ? CODEC_MODE_PROVISIONED
					    : CODEC_MODE_ON_DEMAND;
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

static const struct shape codec_restore = {SHAPE_DRAFT(struct restore_table_in,
						       struct codec_restore, codec_restore_members,
						       codec_unpack_restore, codec_pack_restore)};

SHAPE_REQUEST(restore_table, &codec_restore)
