/* codec_restore - RestoreTableFromBackup, and what a table tells of the backup it was made of */
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/wire/codec_int.h"

/* ------------------------------------------------------------ a table's RestoreSummary */

void
codec_write_restored(struct codec_writer *w, const struct schema *s)
{
	const struct schema source = {.table = s->restored.table};

	if (s->restored.backup.len == 0) {
		return;
	}
	codec_open(w, "RestoreSummary", '{');
	codec_put_backup_arn(w, "SourceBackupArn", s->restored.table, s->restored.backup);
	codec_put_arn(w, "SourceTableArn", &source);
	codec_put_seconds(w, "RestoreDateTime", s->restored.at_ms);
	codec_put_bool(w, "RestoreInProgress", s->creating);
	json_close(&w->json);
}

int
codec_read_restored(struct codec_reader *r, const struct json *table, struct schema *s)
{
	const struct json *summary = NULL;
	struct slice arn = SLICE("");
	int status = codec_struct(r, table, "RestoreSummary", "RestoreSummary", &summary);

	if (status == 0) {
		status = codec_string(r, summary, "SourceBackupArn", &arn);
	}
	if (status == 0) {
		status = codec_seconds(r, summary, "RestoreDateTime", &s->restored.at_ms);
	}
	if (status == 0) {
		status = codec_bool(r, summary, "RestoreInProgress", &s->creating);
	}
	if (!arn_read(arn, "/backup/", &s->restored.table, &s->restored.backup)) {
		s->restored = (struct restored){0};
	}
	return status;
}

/* ------------------------------------------------------------ RestoreTableFromBackup */

/* By "is it global?". */
static const char *const overrides[2] = {"LocalSecondaryIndexOverride",
					 "GlobalSecondaryIndexOverride"};

static int
read_index(struct codec_reader *r, const struct json *json, struct index *ix)
{
	struct key_attr *names = NULL;
	size_t n = 0;
	size_t cap = 0;
	bool given;

	codec_key_names(r, json, &names, &n, &cap);
	int status = codec_read_index(r, json, names, n, ix);

	return status < 0 || !ix->global
		       ? status
		       : codec_read_units(r, json, "ProvisionedThroughput", &given, &ix->read_units,
					  &ix->write_units);
}

static int
read_choice(struct codec_reader *r, const struct json *root, bool global, struct index_choice *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, overrides[global], &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct index *at = arena_new(&r->c->arena, struct index, list->n);

	out->given = true;
	out->at = at;
	json_each (child, list) {
		at[out->n].global = global;
		status = read_index(r, child, &at[out->n++]);
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

int
codec_read_restore_table_in(struct codec_reader *r, const struct json *root,
			    struct restore_table_in *in)
{
	static const char *const refused[] = {"OnDemandThroughputOverride",
					      "SSESpecificationOverride", NULL};
	bool given = false;
	int mode = -1;
	int status = codec_filled(r, root, "TargetTableName", LIMIT_TABLE_NAME_MIN, &in->table);

	if (status == 0 && in->table.at == NULL) {
		codec_null(r, "TargetTableName");
	}
	if (status == 0) {
		status = codec_backup_arn(r, root, &in->arn);
	}
	if (status == 0) {
		status = codec_refuse(r, root, refused);
	}
	if (status == 0) {
		status = codec_enum(r, root, "BillingModeOverride",
				    "[PROVISIONED, PAY_PER_REQUEST]", codec_billing_modes, &mode);
	}
	if (status == 0) {
		status = codec_read_units(r, root, "ProvisionedThroughputOverride", &given,
					  &in->read_units, &in->write_units);
	}
	for (int global = 0; global < 2 && status == 0; global++) {
		status = read_choice(r, root, global == 1, &in->indexes[global]);
	}
	in->override_billing = mode >= 0 || given;
	in->provisioned = mode != 1;
	if (status == 0 && r->n_faults == 0 && in->override_billing && in->provisioned != given) {
		status = fail_billing(r->c, in->provisioned);
	}
	return status;
}

void
codec_write_restore_table_in(struct codec_writer *w, const struct restore_table_in *in)
{
	codec_put_string(w, "TargetTableName", in->table);
	codec_put_string(w, "BackupArn", in->arn);
	for (int global = 0; global < 2; global++) {
		const struct index_choice *ch = &in->indexes[global];

		if (ch->given) {
			codec_write_index_list(w, overrides[global], ch->at, ch->n, global == 1);
		}
	}
	if (in->override_billing) {
		codec_put_string(w, "BillingModeOverride",
				 slice_from(codec_billing_modes[!in->provisioned]));
	}
	if (in->override_billing && in->provisioned) {
		codec_write_units(w, "ProvisionedThroughputOverride", in->read_units,
				  in->write_units);
	}
}

void
codec_write_restore_table_out(struct codec_writer *w, const struct restore_table_in *in,
			      const struct restore_table_out *out)
{
	(void)in;
	codec_write_table(w, "TableDescription", &out->table);
}

int
codec_read_restore_table_out(struct codec_reader *r, const struct json *root,
			     const struct restore_table_in *in, struct restore_table_out *out)
{
	(void)in;
	return codec_read_table(r, root, "TableDescription", &out->table);
}
