/*
 * codec_describe - a TableDescription, written as the service writes it
 *
 * The member "ItemFS" beside it carries the numbers of partitions, which
 * DynamoDB does not tell.
 */
#include <stdio.h>

#include "store/model/arn.h"
#include "store/wire/codec_int.h"

const char *const codec_billing_modes[] = {"PROVISIONED", "PAY_PER_REQUEST", NULL};
const char *const codec_table_classes[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS", NULL};
const char *const codec_index_lists[2] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"};

/* In the order of enum table_status. */
static const char *const statuses[] = {"ACTIVE", "DELETING", "UPDATING", "CREATING", NULL};

/* In the order of enum index_state, where CREATING has Backfilling; likewise. */
static const char *const index_statuses[] = {"ACTIVE",   "CREATING", "CREATING",
					     "DELETING", "UPDATING", NULL};

bool
codec_has_index(const struct schema *s, bool global)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].global == global) {
			return true;
		}
	}
	return false;
}

void
codec_put_seconds(struct codec_writer *w, const char *name, uint64_t ms)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%llu.%03u", (unsigned long long)(ms / 1000),
			 (unsigned)(ms % 1000));

	json_name(&w->json, name);
	json_raw(&w->json, slice_of(text, (size_t)n));
}

static void
write_units(struct codec_writer *w, uint64_t reads, uint64_t writes)
{
	codec_open(w, "ProvisionedThroughput", '{');
	codec_put_uint(w, "NumberOfDecreasesToday", 0);
	codec_put_uint(w, "ReadCapacityUnits", reads);
	codec_put_uint(w, "WriteCapacityUnits", writes);
	json_close(&w->json);
}

static void
write_index_status(struct codec_writer *w, const struct table_info *t, const struct index *ix)
{
	if (t->status == TABLE_DELETING) {
		codec_put_string(w, "IndexStatus", slice_from(statuses[TABLE_DELETING]));
		return;
	}
	codec_put_string(w, "IndexStatus", slice_from(index_statuses[ix->state]));
	if (ix->state == INDEX_CREATING || ix->state == INDEX_BACKFILLING) {
		codec_put_bool(w, "Backfilling", ix->state == INDEX_BACKFILLING);
	}
}

static void
write_arn(struct codec_writer *w, const char *name, const struct table_info *t,
	  const struct index *ix)
{
	struct buf arn;

	buf_init(&arn, NULL);
	if (t->arn.len > 0) {
		buf_slice(&arn, t->arn);
	} else {
		buf_fmt(&arn, ARN_TABLE "%.*s", SLICE_ARG(t->schema->table));
	}
	if (ix != NULL) {
		buf_fmt(&arn, "/index/%.*s", SLICE_ARG(ix->name));
	}
	codec_put_string(w, name, buf_view(&arn));
	buf_release(&arn);
}

void
codec_put_arn(struct codec_writer *w, const char *name, const struct schema *s)
{
	const struct table_info t = {.schema = s};

	write_arn(w, name, &t, NULL);
}

void
codec_put_table_id(struct codec_writer *w, const struct schema *s)
{
	if (s->uuid.len > 0) {
		codec_put_string(w, "TableId", s->uuid);
	}
}

static void
describe_index(struct codec_writer *w, const struct table_info *t, size_t i)
{
	const struct index *ix = &t->schema->index[i];
	struct totals totals = t->index_totals == NULL ? (struct totals){0} : t->index_totals[i];

	json_open(&w->json, '{');
	codec_put_string(w, "IndexName", ix->name);
	codec_write_key(w, &ix->key);
	codec_write_projection(w, ix);
	if (ix->global) {
		write_index_status(w, t, ix);
		write_units(w, ix->read_units, ix->write_units);
	}
	codec_put_uint(w, "IndexSizeBytes", totals.bytes);
	codec_put_uint(w, "ItemCount", totals.items);
	write_arn(w, "IndexArn", t, ix);
	json_close(&w->json);
}

static void
describe_indexes(struct codec_writer *w, const struct table_info *t, bool global)
{
	if (codec_has_index(t->schema, global)) {
		codec_open(w, codec_index_lists[global], '[');
		for (size_t i = 0; i < t->schema->n_index; i++) {
			if (t->schema->index[i].global == global) {
				describe_index(w, t, i);
			}
		}
		json_close(&w->json);
	}
}

/* What DynamoDB has no words for. */
void
codec_put_settings(struct codec_writer *w, const struct schema *s)
{
	codec_put_true(w, "Throttle", s->throttle);
	if (s->collection_limit != 0) {
		codec_put_uint(w, "CollectionLimit", s->collection_limit);
	}
}

int
codec_settings(struct codec_reader *r, struct schema *s)
{
	int status = codec_bool(r, r->own, "Throttle", &s->throttle);

	return status < 0 ? status : codec_uint(r, r->own, "CollectionLimit", &s->collection_limit);
}

static void
write_partitions(struct codec_writer *w, const struct table_info *t)
{
	if (!codec_open_own(w)) {
		return;
	}
	codec_put_settings(w, t->schema);
	codec_put_uint(w, "Partitions", t->totals.partitions);
	codec_open(w, "IndexPartitions", '{');
	for (size_t i = 0; t->index_totals != NULL && i < t->schema->n_index; i++) {
		json_name_slice(&w->json, t->schema->index[i].name);
		json_uint(&w->json, t->index_totals[i].partitions);
	}
	json_close(&w->json);
	codec_put_uint(w, "Backfilled", t->backfilled);
	json_close(&w->json);
}

/* Who was PAY_PER_REQUEST once has a summary for ever. */
static void
write_billing(struct codec_writer *w, const struct schema *s)
{
	if (s->on_demand_ms != 0) {
		codec_open(w, "BillingModeSummary", '{');
		codec_put_string(w, "BillingMode",
				 slice_from(codec_billing_modes[!s->provisioned]));
		codec_put_seconds(w, "LastUpdateToPayPerRequestDateTime", s->on_demand_ms);
		json_close(&w->json);
	}
}

void
codec_write_table(struct codec_writer *w, const char *name, const struct table_info *t)
{
	const struct schema *s = t->schema;

	codec_open(w, name, '{');
	codec_write_attributes(w, s, NULL, 0);
	codec_put_string(w, "TableName", s->table);
	codec_write_key(w, &s->key);
	codec_put_string(w, "TableStatus", slice_from(statuses[t->status]));
	codec_put_seconds(w, "CreationDateTime", s->created_ms);
	write_units(w, s->read_units, s->write_units);
	codec_put_uint(w, "TableSizeBytes", t->totals.bytes);
	codec_put_uint(w, "ItemCount", t->totals.items);
	write_arn(w, "TableArn", t, NULL);
	codec_put_table_id(w, s);
	write_billing(w, s);
	describe_indexes(w, t, false);
	describe_indexes(w, t, true);
	codec_write_stream(w, s->stream.view);
	codec_write_latest_stream(w, t);
	codec_write_restored(w, s);
	codec_put_bool(w, "DeletionProtectionEnabled", s->protected);
	if (s->class != CLASS_STANDARD) {
		codec_open(w, "TableClassSummary", '{');
		codec_put_string(w, "TableClass", slice_from(codec_table_classes[s->class]));
		json_close(&w->json);
	}
	json_close(&w->json);
	write_partitions(w, t);
}

int
codec_seconds(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *ms)
{
	const struct json *j = json_get(obj, name);

	return codec_is_null(j) || j->type != JSON_NUMBER ? 0 : codec_amount(r, j->text, 3, ms);
}

static int
read_index_numbers(struct codec_reader *r, const struct json *json, struct index *ix,
		   struct totals *totals)
{
	const struct json *partitions = json_get(r->own, "IndexPartitions");
	const struct json *units = json_get(json, "ProvisionedThroughput");
	int status = codec_uint(r, json, "ItemCount", &totals->items);

	if (status == 0) {
		status = codec_uint(r, json, "IndexSizeBytes", &totals->bytes);
	}
	if (status == 0) {
		status = codec_uint(r, partitions, slice_cstr(&r->c->arena, ix->name),
				    &totals->partitions);
	}
	if (status == 0) {
		status = codec_uint(r, units, "ReadCapacityUnits", &ix->read_units);
	}
	return status < 0 ? status : codec_uint(r, units, "WriteCapacityUnits", &ix->write_units);
}

/* A foreign server's UPDATING changes units only: the index can be read. */
static int
read_index_state(struct codec_reader *r, const struct json *json, struct index *ix)
{
	bool backfilling = false;
	int state = INDEX_ACTIVE;
	int status = codec_enum(r, json, "IndexStatus", "[ACTIVE, CREATING, DELETING, UPDATING]",
				index_statuses, &state);

	if (status == 0) {
		status = codec_bool(r, json, "Backfilling", &backfilling);
	}
	ix->state = state > INDEX_DELETING ? INDEX_ACTIVE : (enum index_state)state;
	if (ix->state == INDEX_CREATING && backfilling) {
		ix->state = INDEX_BACKFILLING;
	}
	return status;
}

static int
read_indexes(struct codec_reader *r, const struct json *table, const struct schema *s,
	     struct table_info *t)
{
	struct totals *totals = arena_new(&r->c->arena, struct totals, s->n_index);
	size_t i = 0;

	/* codec_read_schema() took the indexes in this order. */
	for (int list = 0; list < 2; list++) {
		const struct json *json = json_get(table, codec_index_lists[list]);

		for (const struct json *ix = json == NULL ? NULL : json->child; ix != NULL;
		     ix = ix->next) {
			int status = read_index_numbers(r, ix, &s->index[i], &totals[i]);

			if (status == 0) {
				status = read_index_state(r, ix, &s->index[i]);
			}
			if (status < 0) {
				return status;
			}
			i++;
		}
	}
	t->index_totals = totals;
	return 0;
}

static int
read_totals(struct codec_reader *r, const struct json *table, struct table_info *t)
{
	int status = codec_uint(r, table, "ItemCount", &t->totals.items);

	if (status == 0) {
		status = codec_uint(r, table, "TableSizeBytes", &t->totals.bytes);
	}
	if (status == 0) {
		status = codec_uint(r, r->own, "Partitions", &t->totals.partitions);
	}
	return status < 0 ? status : codec_uint(r, r->own, "Backfilled", &t->backfilled);
}

static int
read_mode(struct codec_reader *r, const struct json *table, struct schema *s)
{
	const struct json *units = json_get(table, "ProvisionedThroughput");
	const struct json *summary = json_get(table, "BillingModeSummary");
	int mode = 0;
	int status = codec_enum(r, summary, "BillingMode", "[PROVISIONED, PAY_PER_REQUEST]",
				codec_billing_modes, &mode);

	s->provisioned = mode == 0;
	if (status == 0) {
		status = codec_uint(r, units, "ReadCapacityUnits", &s->read_units);
	}
	if (status == 0) {
		status = codec_uint(r, units, "WriteCapacityUnits", &s->write_units);
	}
	if (status == 0) {
		status = codec_seconds(r, summary, "LastUpdateToPayPerRequestDateTime",
				       &s->on_demand_ms);
	}
	return status < 0 ? status : codec_seconds(r, table, "CreationDateTime", &s->created_ms);
}

static int
read_settings(struct codec_reader *r, const struct json *table, struct schema *s)
{
	int class = CLASS_STANDARD;
	int status = codec_bool(r, table, "DeletionProtectionEnabled", &s->protected);

	if (status == 0) {
		status = codec_enum(r, json_get(table, "TableClassSummary"), "TableClass",
				    "[STANDARD, STANDARD_INFREQUENT_ACCESS]", codec_table_classes,
				    &class);
	}
	s->class = (enum table_class) class;
	return status < 0 ? status : codec_settings(r, s);
}

int
codec_read_table(struct codec_reader *r, const struct json *root, const char *name,
		 struct table_info *t)
{
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	const struct json *table = NULL;
	const struct key_attr *definitions = NULL;
	size_t n = 0;
	int table_status = 0;
	int status = codec_struct(r, root, name, "TableDescription", &table);

	if (status == 0 && table == NULL) {
		codec_null(r, name);
	}
	if (status < 0 || table == NULL) {
		return status;
	}
	status = codec_read_definitions(r, table, &definitions, &n);
	if (status == 0) {
		status = codec_read_schema(r, table, table, s, definitions, n);
	}
	if (status == 0) {
		status = codec_enum(r, table, "TableStatus",
				    "[ACTIVE, DELETING, UPDATING, CREATING]", statuses,
				    &table_status);
	}
	if (status == 0) {
		status = read_mode(r, table, s);
	}
	if (status == 0) {
		status = read_settings(r, table, s);
	}
	if (status == 0) {
		status = codec_read_latest_stream(r, table, s);
	}
	if (status == 0) {
		status = codec_string(r, table, "LatestStreamArn", &t->latest_stream);
	}
	if (status == 0) {
		status = codec_read_restored(r, table, s);
	}
	if (status == 0) {
		status = codec_string(r, table, "TableId", &s->uuid);
	}
	if (status == 0) {
		status = codec_string(r, table, "TableArn", &t->arn);
	}
	if (status < 0 || r->n_faults > 0 || r->missing != NULL) {
		return status;
	}
	t->schema = s;
	t->status = (enum table_status)table_status;
	status = read_indexes(r, table, s, t);
	return status < 0 ? status : read_totals(r, table, t);
}
