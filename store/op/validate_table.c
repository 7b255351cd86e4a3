/* validate_table - checks names of tables, and the operations on tables and global tables */
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/op/validate_int.h"

#define INVALID "One or more parameter values were invalid: "

#define ARN_FORMAT \
	"Valid ARN format is " \
	"'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where " \
	"Resource name must have length less than or equal to 255, Resource name must have " \
	"length greater than or equal to 3, Resource name must satisfy regular expression " \
	"pattern: [a-zA-Z0-9_.-]+"

/* ------------------------------------------------------------ names */

bool
validate_name(struct slice name)
{
	return name.len >= LIMIT_TABLE_NAME_MIN && name.len <= LIMIT_TABLE_NAME_MAX &&
	       schema_name_characters(name);
}

/* Checks a table's ARN that is given in place of its name. */
static int
check_arn(struct call *c, struct slice arn)
{
	struct slice resource = arn_resource(arn);
	struct slice name = arn_table(arn);
	const char *wrong = NULL;
	bool has_name = resource.len > 0 && slice_chr(resource, '/') != NULL;

	if (has_name && name.at == NULL) {
		wrong = "Invalid resource type";
	} else if (has_name && name.len < LIMIT_TABLE_NAME_MIN) {
		wrong = "Table name of ARN must have length greater than or equal to 3";
	} else if (!has_name || !validate_name(name)) {
		wrong = ARN_FORMAT;
	}
	return wrong == NULL ? 0
			     : call_fail(c, ERR_VALIDATION, CONSTRAINT "%s",
					 slice_cstr(&c->arena, arn), "tableName", wrong);
}

int
validate_table_name(struct call *c, struct slice name)
{
	if (arn_is(name)) {
		return check_arn(c, name);
	}
	if (name.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "The parameter 'TableName' is required but was not present in the "
				 "request");
	}
	if (name.len < LIMIT_TABLE_NAME_MIN || name.len > LIMIT_TABLE_NAME_MAX) {
		return call_fail(c, ERR_VALIDATION,
				 "TableName must be at least %d characters long and at most %d "
				 "characters long",
				 LIMIT_TABLE_NAME_MIN, LIMIT_TABLE_NAME_MAX);
	}
	if (!schema_name_characters(name)) {
		return validate_fail_pattern(c, name, "tableName", VALIDATE_NAME_PATTERN);
	}
	return 0;
}

int
validate_too_short(struct call *c, const char *value, const char *where)
{
	return call_fail(c, ERR_VALIDATION,
			 CONSTRAINT "Member must have length greater than or equal to 1", value,
			 where);
}

int
validate_length(struct call *c, struct slice value, const char *where, size_t min, size_t max)
{
	bool less = value.len < min;

	return !less && value.len <= max
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   CONSTRAINT "Member must have length %s than or equal to %zu",
				   slice_cstr(&c->arena, value), where, less ? "greater" : "less",
				   less ? min : max);
}

int
validate_fail_pattern(struct call *c, struct slice value, const char *where, const char *pattern)
{
	return call_fail(c, ERR_VALIDATION,
			 CONSTRAINT "Member must satisfy regular expression pattern: %s",
			 slice_cstr(&c->arena, value), where, pattern);
}

int
validate_number(struct call *c, uint32_t value, const char *where, uint32_t min, uint32_t max)
{
	if (value >= min && value <= max) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "1 validation error detected: Value '%u' at '%s' failed to satisfy "
			 "constraint: Member must have value %s than or equal to %u",
			 value, where, value < min ? "greater" : "less", value < min ? min : max);
}

int
validate_count(struct call *c, size_t n, const char *where, size_t min, size_t max)
{
	if (n >= min && n <= max) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "1 validation error detected: Value at '%s' failed to satisfy constraint: "
			 "Member must have length %s than or equal to %zu",
			 where, n < min ? "greater" : "less", n < min ? min : max);
}

/* ------------------------------------------------------------ one operation each */

/* schema_check() checks the definition later. */
int
validate_create_table(struct call *c, const struct create_table_in *in)
{
	const struct schema *s = in->schema;

	if (s == NULL || s->table.len == 0) {
		return validate_table_name(c, slice_of(NULL, 0));
	}
	int r = arn_is(s->table) ? validate_table_name(c, s->table) : 0;

	return r < 0 ? r : validate_tags(c, s->tags, s->n_tags);
}

/* Source: BEHAVIOUR 4.3 */
static int
check_changes(struct call *c, const struct update_table_in *in)
{
	size_t n_online = 0;

	for (size_t i = 0; i < in->n_changes; i++) {
		n_online += in->changes[i].kind != INDEX_UPDATE;
		for (size_t k = 0; k < i; k++) {
			struct slice name = in->changes[i].index.name;

			if (slice_eq(in->changes[k].index.name, name)) {
				return call_fail(c, ERR_VALIDATION,
						 "One or more parameter values were invalid: Only "
						 "one global secondary index update per index is "
						 "allowed simultaneously. Index: %.*s",
						 SLICE_ARG(name));
			}
		}
	}
	return n_online <= 1 ? 0
			     : call_fail(c, ERR_LIMIT,
					 "Subscriber limit exceeded: Only 1 online index can be "
					 "created or deleted simultaneously per table");
}

/* Checks the units of the table and of its indexes. */
static int
validate_table_check_units(struct call *c, const struct update_table_in *in)
{
	int r = schema_check_units(c, in->read_units, in->write_units, SLICE(""));

	if (r == 0 && in->billing == BILLING_PROVISIONED && in->read_units == 0) {
		r = call_fail(c, ERR_VALIDATION,
			      "ProvisionedThroughput must be specified when BillingMode is "
			      "PROVISIONED");
	}
	for (size_t i = 0; i < in->n_changes && r == 0; i++) {
		const struct index *ix = &in->changes[i].index;

		/* The units of an existing index are checked after it is looked up. */
		r = in->changes[i].kind == INDEX_UPDATE
			    ? 0
			    : schema_check_units(c, ix->read_units, ix->write_units, ix->name);
	}
	return r;
}

/* Counts the changes of kind INDEX_CREATE or @least. */
static size_t
count_online(const struct update_table_in *in, enum index_change_kind least)
{
	size_t n = 0;

	for (size_t i = 0; i < in->n_changes; i++) {
		n += in->changes[i].kind == least || in->changes[i].kind == INDEX_CREATE;
	}
	return n;
}

/* Counts the changed settings that the service has. ItemFS's own settings do not count. */
static size_t
count_concerns(const struct update_table_in *in)
{
	return (size_t)(in->billing != BILLING_KEPT || in->read_units != 0) + (in->stream != NULL) +
	       (in->n_changes > 0) + (in->protect != NULL) + (in->table_class != NULL) +
	       (in->encryption != NULL) + (in->on_demand != NULL) + (in->warm != NULL);
}

/* Source: answers of the service, October 2026 */
static int
check_alone(struct call *c, const struct update_table_in *in)
{
	const struct {
		bool given;
		const char *what;
	} alone[] = {
		{in->encryption != NULL, "Server-Side Encryption modification"},
		{in->protect != NULL, "DeletionProtection modification"},
		{in->table_class != NULL, "TableClass modification"},
		{in->warm != NULL && in->n_changes == 0, "WarmThroughput"},
	};
	size_t n = count_concerns(in);

	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]) && n > 1; i++) {
		if (alone[i].given) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID "%s must be the only operation in the request",
					 alone[i].what);
		}
	}
	return 0;
}

/* Refuses combinations of changes. */
static int
check_together(struct call *c, const struct update_table_in *in)
{
	bool units = in->read_units != 0;
	bool stream = in->stream != NULL;
	bool warm = in->warm != NULL;
	bool online = count_online(in, INDEX_DELETE) > 0;
	const struct {
		bool both;
		const char *what;
	} rows[] = {
		{warm && count_online(in, INDEX_CREATE) > 0,
		 "Create global secondary index cannot be specified when updating "
		 "WarmThroughput"},
		{in->on_demand != NULL && (stream || warm),
		 "OnDemandThroughput can only be combined with BillingMode in an UpdateTable "
		 "request"},
		{units && stream, "You cannot modify stream status while updating table IOPS"},
		{units && online, "You cannot create or delete index while updating table IOPS"},
		{online && stream,
		 "You cannot create or delete index while changing stream status"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].both) {
			return call_fail(c, ERR_VALIDATION, INVALID "%s", rows[i].what);
		}
	}
	return 0;
}

int
validate_update_table(struct call *c, const struct update_table_in *in)
{
	int r = validate_table_name(c, in->table);

	if (r == 0 && in->billing == BILLING_KEPT && in->read_units == 0 && in->protect == NULL &&
	    in->table_class == NULL && in->on_demand == NULL && in->warm == NULL &&
	    in->encryption == NULL && in->stream == NULL && in->n_changes == 0 &&
	    in->throttle == NULL && in->collection_limit == NULL) {
		r = call_fail(c, ERR_VALIDATION,
			      "At least one of ProvisionedThroughput, BillingMode, "
			      "UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
			      "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
			      "ReplicaTransitRoleArn, MultiRegionConsistency, "
			      "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or "
			      "TableClass is required");
	}
	if (r == 0) {
		r = validate_table_check_units(c, in);
	}
	r = r < 0 ? r : check_alone(c, in);
	r = r < 0 ? r : check_together(c, in);
	return r < 0 ? r : check_changes(c, in);
}

int
validate_list_tables(struct call *c, const struct list_tables_in *in)
{
	return validate_number(c, in->limit, "limit", 0, LIMIT_LIST_TABLES);
}

int
validate_update_time_to_live(struct call *c, const struct update_time_to_live_in *in)
{
	static const char place[] = "timeToLiveSpecification.attributeName";
	int r = validate_table_name(c, in->table);

	if (r == 0 && in->attribute.len == 0) {
		r = call_fail(c, ERR_VALIDATION,
			      "TimeToLiveSpecification.AttributeName must be non empty");
	}
	return r < 0 ? r : validate_length(c, in->attribute, place, 0, LIMIT_KEY_NAME_BYTES);
}

int
validate_update_continuous_backups(struct call *c, const struct update_continuous_backups_in *in)
{
	int r = validate_table_name(c, in->table);

	if (r == 0 && in->has_days) {
		r = validate_number(c, in->days,
				    "pointInTimeRecoverySpecification.recoveryPeriodInDays", 1,
				    LIMIT_RECOVERY_DAYS);
	}
	if (r == 0 && in->has_days && !in->enabled) {
		r = call_fail(c, ERR_VALIDATION,
			      "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling "
			      "point-in-time recovery.");
	}
	return r;
}
