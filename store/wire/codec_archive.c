/* codec_archive - CreateBackup, DescribeBackup, ListBackups, DeleteBackup */
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/wire/codec_int.h"

static const char *const statuses[] = {"CREATING", "AVAILABLE", "FAILED", "DELETED", NULL};
static const char all_statuses[] = "[CREATING, AVAILABLE, FAILED, DELETED]";

/* ------------------------------------------------------------ parts */

void
codec_put_backup_arn(struct codec_writer *w, const char *name, struct slice table, struct slice id)
{
	struct buf arn;

	buf_init(&arn, NULL);
	buf_fmt(&arn, ARN_TABLE "%.*s/backup/%.*s", SLICE_ARG(table), SLICE_ARG(id));
	codec_put_string(w, name, buf_view(&arn));
	buf_release(&arn);
}

static void
write_arn(struct codec_writer *w, const char *name, const struct archive *a)
{
	codec_put_backup_arn(w, name, a->schema->table, a->id);
}

static void
write_details(struct codec_writer *w, const struct archive *a)
{
	write_arn(w, "BackupArn", a);
	codec_put_string(w, "BackupName", a->name);
	codec_put_uint(w, "BackupSizeBytes", a->item_bytes);
	codec_put_string(w, "BackupStatus", slice_from(statuses[a->status]));
	codec_put_string(w, "BackupType", SLICE("USER"));
	codec_put_seconds(w, "BackupCreationDateTime", a->started_ms);
}

/* What BackupDetails and BackupSummaries say, but for the table's definition. */
static int
read_details(struct codec_reader *r, const struct json *obj, struct archive *a)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	struct slice arn = SLICE("");
	int status = codec_string(r, obj, "BackupArn", &arn);
	int word = ARCHIVE_DONE;

	if (status == 0) {
		status = codec_string(r, obj, "BackupName", &a->name);
	}
	if (status == 0) {
		status = codec_uint(r, obj, "BackupSizeBytes", &a->item_bytes);
	}
	if (status == 0) {
		status = codec_string(r, obj, "TableId", &s->uuid);
	}
	if (status == 0) {
		status = codec_enum(r, obj, "BackupStatus", all_statuses, statuses, &word);
	}
	if (status == 0) {
		status = codec_seconds(r, obj, "BackupCreationDateTime", &a->started_ms);
	}
	a->status = (enum archive_status)word;
	a->schema = s;
	if (status == 0 && !arn_read(arn, "/backup/", &s->table, &a->id)) {
		codec_null(r, "BackupArn");
	}
	return status;
}

static void
write_description(struct codec_writer *w, const struct archive *a)
{
	const struct schema *s = a->schema;

	codec_open(w, "BackupDescription", '{');
	codec_open(w, "BackupDetails", '{');
	write_details(w, a);
	json_close(&w->json);
	codec_open(w, "SourceTableDetails", '{');
	codec_put_string(w, "TableName", s->table);
	codec_put_table_id(w, s);
	codec_put_arn(w, "TableArn", s);
	codec_put_uint(w, "TableSizeBytes", a->item_bytes);
	codec_put_uint(w, "ItemCount", a->items);
	codec_put_seconds(w, "TableCreationDateTime", s->created_ms);
	codec_write_key(w, &s->key);
	codec_put_string(w, "BillingMode", slice_from(codec_billing_modes[!s->provisioned]));
	codec_write_units(w, "ProvisionedThroughput", s->read_units, s->write_units);
	json_close(&w->json);
	codec_open(w, "SourceTableFeatureDetails", '{');
	codec_write_indexes(w, s, false);
	codec_write_indexes(w, s, true);
	json_close(&w->json);
	json_close(&w->json);
}

void
codec_key_names(struct codec_reader *r, const struct json *obj, struct key_attr **names, size_t *n,
		size_t *cap)
{
	const struct json *key = json_get(obj, "KeySchema");

	for (const struct json *j = key == NULL ? NULL : key->child; j != NULL; j = j->next) {
		const struct json *name = json_get(j, "AttributeName");

		*names = arena_room(&r->c->arena, *names, *n, cap);
		(*names)[(*n)++] = (struct key_attr){
			name == NULL ? SLICE("") : name->text,
			VALUE_S,
		};
	}
}

static int
read_source(struct codec_reader *r, const struct json *source, const struct json *features,
	    struct archive *a)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	struct key_attr *names = NULL;
	size_t n = 0;
	size_t cap = 0;

	codec_key_names(r, source, &names, &n, &cap);
	for (int i = 0; i < 2; i++) {
		const struct json *list = json_get(features, codec_index_lists[i]);

		for (const struct json *j = list == NULL ? NULL : list->child; j != NULL;
		     j = j->next) {
			codec_key_names(r, j, &names, &n, &cap);
		}
	}
	int mode = 0;
	int status = codec_read_schema(r, source, features, s, names, n);

	if (status == 0) {
		status = codec_enum(r, source, "BillingMode", "[PROVISIONED, PAY_PER_REQUEST]",
				    codec_billing_modes, &mode);
	}
	if (status == 0) {
		status = codec_seconds(r, source, "TableCreationDateTime", &s->created_ms);
	}
	if (status == 0) {
		status = codec_string(r, source, "TableId", &s->uuid);
	}
	if (status == 0) {
		status = codec_uint(r, source, "ItemCount", &a->items);
	}
	s->provisioned = mode == 0;
	a->schema = s;
	return status;
}

static int
read_description(struct codec_reader *r, const struct json *root, struct archive *a)
{
	const struct json *whole = NULL;
	const struct json *details = NULL;
	const struct json *source = NULL;
	const struct json *features = NULL;
	int status = codec_struct(r, root, "BackupDescription", "BackupDescription", &whole);

	if (status == 0) {
		status = codec_struct(r, whole, "BackupDetails", "BackupDetails", &details);
	}
	if (status == 0) {
		status = read_details(r, details, a);
	}
	if (status == 0) {
		status =
			codec_struct(r, whole, "SourceTableDetails", "SourceTableDetails", &source);
	}
	if (status == 0) {
		status = codec_struct(r, whole, "SourceTableFeatureDetails",
				      "SourceTableFeatureDetails", &features);
	}
	return status < 0 ? status : read_source(r, source, features, a);
}

/* ------------------------------------------------------------ CreateBackup */

int
codec_read_create_backup_in(struct codec_reader *r, const struct json *root,
			    struct create_backup_in *in)
{
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_filled(r, root, "BackupName", LIMIT_BACKUP_NAME_MIN, &in->name);
	}
	if (status == 0 && in->name.at == NULL) {
		codec_null(r, "BackupName");
	}
	return status;
}

void
codec_write_create_backup_in(struct codec_writer *w, const struct create_backup_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "BackupName", in->name);
}

void
codec_write_create_backup_out(struct codec_writer *w, const struct create_backup_in *in,
			      const struct create_backup_out *out)
{
	(void)in;
	codec_open(w, "BackupDetails", '{');
	write_details(w, &out->backup);
	json_close(&w->json);
}

int
codec_read_create_backup_out(struct codec_reader *r, const struct json *root,
			     const struct create_backup_in *in, struct create_backup_out *out)
{
	const struct json *details = NULL;
	int status = codec_struct(r, root, "BackupDetails", "BackupDetails", &details);

	(void)in;
	return status < 0 ? status : read_details(r, details, &out->backup);
}

/* ------------------------------------------------------------ DescribeBackup, DeleteBackup */

int
codec_backup_arn(struct codec_reader *r, const struct json *root, struct slice *arn)
{
	int status = codec_filled(r, root, "BackupArn", LIMIT_BACKUP_ARN_MIN, arn);

	if (status == 0 && arn->at == NULL) {
		codec_null(r, "BackupArn");
	}
	return status;
}

int
codec_read_describe_backup_in(struct codec_reader *r, const struct json *root,
			      struct describe_backup_in *in)
{
	return codec_backup_arn(r, root, &in->arn);
}

void
codec_write_describe_backup_in(struct codec_writer *w, const struct describe_backup_in *in)
{
	codec_put_string(w, "BackupArn", in->arn);
}

void
codec_write_describe_backup_out(struct codec_writer *w, const struct describe_backup_in *in,
				const struct describe_backup_out *out)
{
	(void)in;
	write_description(w, &out->backup);
}

int
codec_read_describe_backup_out(struct codec_reader *r, const struct json *root,
			       const struct describe_backup_in *in, struct describe_backup_out *out)
{
	(void)in;
	return read_description(r, root, &out->backup);
}

int
codec_read_delete_backup_in(struct codec_reader *r, const struct json *root,
			    struct delete_backup_in *in)
{
	return codec_backup_arn(r, root, &in->arn);
}

void
codec_write_delete_backup_in(struct codec_writer *w, const struct delete_backup_in *in)
{
	codec_put_string(w, "BackupArn", in->arn);
}

void
codec_write_delete_backup_out(struct codec_writer *w, const struct delete_backup_in *in,
			      const struct delete_backup_out *out)
{
	(void)in;
	write_description(w, &out->backup);
}

int
codec_read_delete_backup_out(struct codec_reader *r, const struct json *root,
			     const struct delete_backup_in *in, struct delete_backup_out *out)
{
	(void)in;
	return read_description(r, root, &out->backup);
}

/* ------------------------------------------------------------ ListBackups */

/* No others than the user's are here: asking for those of the system finds nothing. */
int
codec_read_list_backups_in(struct codec_reader *r, const struct json *root,
			   struct list_backups_in *in)
{
	static const char *const types[] = {"USER", "ALL", "SYSTEM", "AWS_BACKUP", NULL};
	bool given = false;
	int type = 0;
	int status = codec_string(r, root, "TableName", &in->table);

	if (status == 0) {
		status = codec_seconds(r, root, "TimeRangeLowerBound", &in->from_ms);
	}
	if (status == 0) {
		status = codec_seconds(r, root, "TimeRangeUpperBound", &in->to_ms);
	}
	if (status == 0) {
		status = codec_string(r, root, "ExclusiveStartBackupArn", &in->start);
	}
	if (status == 0) {
		status = codec_enum(r, root, "BackupType", "[USER, SYSTEM, AWS_BACKUP, ALL]", types,
				    &type);
	}
	in->none = type > 1;
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_list_backups_in(struct codec_writer *w, const struct list_backups_in *in)
{
	codec_put_string(w, "TableName", in->table);
	if (in->from_ms != 0) {
		codec_put_seconds(w, "TimeRangeLowerBound", in->from_ms);
	}
	if (in->to_ms != 0) {
		codec_put_seconds(w, "TimeRangeUpperBound", in->to_ms);
	}
	codec_put_string(w, "ExclusiveStartBackupArn", in->start);
	if (in->none) {
		codec_put_string(w, "BackupType", SLICE("SYSTEM"));
	}
	codec_put_limit(w, in->limit);
}

void
codec_write_list_backups_out(struct codec_writer *w, const struct list_backups_in *in,
			     const struct list_backups_out *out)
{
	(void)in;
	codec_open(w, "BackupSummaries", '[');
	for (size_t i = 0; i < out->n_backups; i++) {
		const struct archive *a = &out->backups[i];

		json_open(&w->json, '{');
		codec_put_string(w, "TableName", a->schema->table);
		codec_put_table_id(w, a->schema);
		codec_put_arn(w, "TableArn", a->schema);
		write_details(w, a);
		json_close(&w->json);
	}
	json_close(&w->json);
	if (out->more) {
		write_arn(w, "LastEvaluatedBackupArn", &out->backups[out->n_backups - 1]);
	}
}

int
codec_read_list_backups_out(struct codec_reader *r, const struct json *root,
			    const struct list_backups_in *in, struct list_backups_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "BackupSummaries", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct archive *at = arena_new(&r->c->arena, struct archive, list->n);

	json_each (child, list) {
		status = codec_element(r, child, "BackupSummary");
		if (status == 0) {
			status = read_details(r, child, &at[out->n_backups++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->backups = at;
	out->more = !codec_is_null(json_get(root, "LastEvaluatedBackupArn"));
	return 0;
}
