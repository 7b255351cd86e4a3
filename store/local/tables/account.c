/*
 * account - small operations on an account and on settings of a table
 *
 *   DescribeLimits, DescribeEndpoints     constant answers
 *   TagResource and others                tags of a table
 *   Describe-, UpdateContinuousBackups    the setting of point-in-time recovery
 *   CreateGlobalTable and others          version 2017.11.29: all refused or empty
 */
#include "store/local/records/catalog.h"
#include "store/local/records/local_int.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/op/validate.h"

/* Quotas of a new account.  Source: Developer Guide, "Quotas" */
enum { ACCOUNT_UNITS = 80000, TABLE_UNITS = 40000 };

enum { DAY_MINUTES = 24 * 60 };

int
local_exec_describe_limits(struct local *l, struct call *c, const struct describe_limits_in *in,
			   struct describe_limits_out *out)
{
	(void)l;
	(void)c;
	(void)in;
	*out = (struct describe_limits_out){
		.account_read_units = ACCOUNT_UNITS,
		.account_write_units = ACCOUNT_UNITS,
		.table_read_units = TABLE_UNITS,
		.table_write_units = TABLE_UNITS,
	};
	return 0;
}

/* The endpoint is the host that the request was sent to. */
int
local_exec_describe_endpoints(struct local *l, struct call *c,
			      const struct describe_endpoints_in *in,
			      struct describe_endpoints_out *out)
{
	(void)l;
	(void)c;
	*out = (struct describe_endpoints_out){
		.address = in->host.len == 0 ? SLICE("localhost") : in->host,
		.minutes = DAY_MINUTES,
	};
	return 0;
}

/* ------------------------------------------------------------ TagResource, UntagResource, ListTagsOfResource */

static int
fail_no_resource(struct call *c, struct slice arn)
{
	return call_fail(c, ERR_NO_TABLE,
			 "Requested resource not found: ResourceArn: %.*s not found",
			 SLICE_ARG(arn));
}

/* Change the tags of the table that @arn names. */
static int
alter_tags(struct local *l, struct call *c, struct slice arn, alter_fn *change, void *arg)
{
	if (catalog_get(l->catalog, c, arn) == NULL) {
		return fail_no_resource(c, arn);
	}
	return alter_table(l, c, arn, change, arg, NULL);
}

/* Return: index of the tag @key, or s->n_tags. */
static size_t
find_tag(const struct schema *s, struct slice key)
{
	size_t i = 0;

	while (i < s->n_tags && !slice_eq(s->tags[i].key, key)) {
		i++;
	}
	return i;
}

static int
tags_add(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct tag_resource_in *in = arg;
	struct tag *tags = arena_new(&c->arena, struct tag, s->n_tags + in->n_tags);

	(void)t;
	for (size_t i = 0; i < s->n_tags; i++) {
		tags[i] = s->tags[i];
	}
	s->tags = tags;
	for (size_t i = 0; i < in->n_tags; i++) {
		size_t place = find_tag(s, in->tags[i].key);

		s->tags[place] = in->tags[i];
		s->n_tags += place == s->n_tags;
	}
	return s->n_tags <= LIMIT_TAGS ? 0 : validate_fail_tags(c);
}

int
local_exec_tag_resource(struct local *l, struct call *c, const struct tag_resource_in *in,
			struct tag_resource_out *out)
{
	struct tag_resource_in copy = *in;

	*out = (struct tag_resource_out){0};
	return alter_tags(l, c, in->arn, tags_add, &copy);
}

static int
tags_take_away(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct untag_resource_in *in = arg;

	(void)t;
	(void)c;
	for (size_t i = 0; i < in->n_keys; i++) {
		size_t place = find_tag(s, in->keys[i]);

		if (place < s->n_tags) {
			s->n_tags--;
			memmove(&s->tags[place], &s->tags[place + 1],
				(s->n_tags - place) * sizeof(*s->tags));
		}
	}
	return 0;
}

int
local_exec_untag_resource(struct local *l, struct call *c, const struct untag_resource_in *in,
			  struct untag_resource_out *out)
{
	struct untag_resource_in copy = *in;

	*out = (struct untag_resource_out){0};
	return alter_tags(l, c, in->arn, tags_take_away, &copy);
}

int
local_exec_list_tags_of_resource(struct local *l, struct call *c,
				 const struct list_tags_of_resource_in *in,
				 struct list_tags_of_resource_out *out)
{
	const struct schema *s = catalog_get(l->catalog, c, in->arn);

	if (s == NULL) {
		return fail_no_resource(c, in->arn);
	}
	*out = (struct list_tags_of_resource_out){.tags = s->tags, .n_tags = s->n_tags};
	return 0;
}

/* ------------------------------------------------------------ DescribeContinuousBackups, UpdateContinuousBackups */

enum {
	MS_PER_DAY = 24 * 60 * 60 * 1000,
	/* Source: Developer Guide, "Point-in-time recovery" */
	LATEST_MS = 5 * 60 * 1000, /* before now */
};

/* Return: @now - @ms, but at least @since. */
static uint64_t
back(uint64_t now, uint64_t ms, uint64_t since)
{
	return now < since + ms ? since : now - ms;
}

static struct recovery
recovery_of(const struct schema *s, uint64_t now_ms)
{
	uint64_t since = s->recovery_ms;

	if (since == 0) {
		return (struct recovery){0};
	}
	return (struct recovery){
		.enabled = true,
		.days = s->recovery_days,
		.earliest_ms = back(now_ms, (uint64_t)s->recovery_days * MS_PER_DAY, since),
		.latest_ms = back(now_ms, LATEST_MS, since),
	};
}

int
local_exec_describe_continuous_backups(struct local *l, struct call *c,
				       const struct describe_continuous_backups_in *in,
				       struct describe_continuous_backups_out *out)
{
	const struct schema *s = catalog_get(l->catalog, c, in->table);

	if (s == NULL) {
		return fail_no_such_table(c, arn_table(in->table));
	}
	out->recovery = recovery_of(s, c->now_ms);
	return 0;
}

struct changing {
	const struct update_continuous_backups_in *in;
	struct recovery after;
};

static int
recovery_change(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	struct changing *ch = arg;
	const struct update_continuous_backups_in *in = ch->in;

	(void)t;
	if (!in->enabled) {
		s->recovery_ms = 0;
		s->recovery_days = 0;
	} else if (s->recovery_ms == 0) {
		s->recovery_ms = c->now_ms == 0 ? 1 : c->now_ms;
		s->recovery_days = LIMIT_RECOVERY_DAYS;
	}
	if (in->has_days) {
		s->recovery_days = in->days;
	}
	ch->after = recovery_of(s, c->now_ms);
	return 0;
}

int
local_exec_update_continuous_backups(struct local *l, struct call *c,
				     const struct update_continuous_backups_in *in,
				     struct update_continuous_backups_out *out)
{
	struct changing ch = {.in = in};

	if (catalog_get(l->catalog, c, in->table) == NULL) {
		return fail_no_such_table(c, arn_table(in->table));
	}
	int r = alter_table(l, c, in->table, recovery_change, &ch, NULL);

	if (r == 0) {
		out->recovery = ch.after;
	}
	return r;
}

/* ------------------------------------------------------------ the operations on global tables of version 2017.11.29 */

#define GLOBAL_NOT_FOUND "Global table not found: "

static int
global_ended(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: DynamoDB global tables "
			 "version 2017.11.29 is not supported. We recommend using DynamoDB global "
			 "tables version 2019.11.21, instead of version 2017.11.29 (Legacy).");
}

/* @before: the beginning of the message, which differs between the operations */
static int
global_absent(struct call *c, const char *before, struct slice name)
{
	return call_fail(c, ERR_NO_GLOBAL_TABLE, "%sGlobal table with name: '%.*s' does not exist.",
			 before, SLICE_ARG(name));
}

int
local_exec_create_global_table(struct local *l, struct call *c,
			       const struct create_global_table_in *in,
			       struct create_global_table_out *out)
{
	(void)l;
	(void)in;
	(void)out;
	return global_ended(c);
}

int
local_exec_update_global_table(struct local *l, struct call *c,
			       const struct update_global_table_in *in,
			       struct update_global_table_out *out)
{
	bool adds = false;

	(void)l;
	(void)out;
	if (in->n_updates == 0) {
		return call_fail(c, ERR_VALIDATION, "One or more parameter values were invalid");
	}
	for (size_t i = 0; i < in->n_updates; i++) {
		adds = adds || in->updates[i].added;
	}
	return adds ? global_ended(c) : global_absent(c, GLOBAL_NOT_FOUND, in->name);
}

int
local_exec_describe_global_table(struct local *l, struct call *c,
				 const struct describe_global_table_in *in,
				 struct describe_global_table_out *out)
{
	(void)l;
	(void)out;
	return global_absent(c, GLOBAL_NOT_FOUND, in->name);
}

int
local_exec_list_global_tables(struct local *l, struct call *c,
			      const struct list_global_tables_in *in,
			      struct list_global_tables_out *out)
{
	(void)l;
	(void)c;
	(void)in;
	*out = (struct list_global_tables_out){0};
	return 0;
}

int
local_exec_update_global_settings(struct local *l, struct call *c,
				  const struct update_global_settings_in *in,
				  struct update_global_settings_out *out)
{
	(void)l;
	(void)out;
	return global_absent(c, "", in->name);
}

int
local_exec_describe_global_settings(struct local *l, struct call *c,
				    const struct describe_global_settings_in *in,
				    struct describe_global_settings_out *out)
{
	(void)l;
	(void)out;
	return global_absent(c, "", in->name);
}
