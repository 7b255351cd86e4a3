/* table_settings - see table_settings.h */
#include "tools/load/table_settings.h"

#include <assert.h>
#include <string.h>

#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

#include "tools/session/await.h"
#include "tools/session/ctl.h"

/* ------------------------------------------------------------ tags */

/* All pages of them. */
static int
definition_list_tags(struct ctl *ctl, struct call *c, struct slice arn, struct schema *out)
{
	struct list_tags_of_resource_in in = {.arn = arn};
	int r = 0;

	do {
		struct list_tags_of_resource_out page = {0};

		r = engine_list_tags_of_resource(ctl->engine, c, &in, &page);
		if (r == 0 && page.n_tags > 0) {
			size_t n = out->n_tags;
			struct tag *all = arena_new(&c->arena, struct tag, n + page.n_tags);

			if (n > 0) {
				memcpy(all, out->tags, n * sizeof(*all));
			}
			memcpy(all + n, page.tags, page.n_tags * sizeof(*all));
			out->tags = all;
			out->n_tags = n + page.n_tags;
		}
		in.next = page.n_tags > 0 ? page.next : (struct slice){0};
	} while (r == 0 && in.next.len > 0 && out->n_tags <= LIMIT_TAGS);
	return r;
}

/* What may not be seen, or is not there, is no failure; else @r. */
static int
definition_passed_over(struct ctl *ctl, struct call *c, int r, const char *what, struct slice table,
		       const char *is_not, struct error before)
{
	if (r == -ERR_ACCESS) {
		ctl_note(ctl, "the %s of %.*s %s: AccessDenied: %s", what, SLICE_ARG(table), is_not,
			 c->error.message);
	}
	if (r == -ERR_ACCESS || r == -ERR_UNKNOWN_OPERATION) {
		c->error = before;
		r = 0;
	}
	return r;
}

int
definition_tags(struct ctl *ctl, struct call *c, struct slice arn, const char *are_not,
		struct schema *out)
{
	struct error before = c->error;

	if (out->n_tags > 0 || arn.len == 0) {
		return 0;
	}
	int r = definition_list_tags(ctl, c, arn, out);

	return definition_passed_over(ctl, c, r, "tags", out->table, are_not, before);
}

/* ------------------------------------------------------------ point-in-time recovery */

int
definition_recovery(struct ctl *from, struct call *c, struct slice table, struct ctl *to,
		    struct slice target)
{
	struct describe_continuous_backups_in in = {.table = table};
	struct describe_continuous_backups_out now = {0};
	struct update_continuous_backups_out done;
	struct error before = c->error;
	int r = engine_describe_continuous_backups(from->engine, c, &in, &now);

	if (r < 0 || !now.recovery.enabled) {
		return definition_passed_over(from, c, r, "point-in-time recovery", table,
					      "is not copied", before);
	}
	struct update_continuous_backups_in on = {.table = target,
						  .enabled = true,
						  .has_days = now.recovery.days != 0,
						  .days = now.recovery.days};

	r = engine_update_continuous_backups(to->engine, c, &on, &done);
	return definition_passed_over(to, c, r, "point-in-time recovery", target, "is not set",
				      before);
}

/* ------------------------------------------------------------ what differs */

/* What is changed, and of what. */
struct definition {
	struct ctl *ctl;
	struct call *c;
	const struct json
		*said; /* members of the file; NULL: of a command, which names none of these */
	const struct schema *wanted;
	const struct schema *now;
	struct slice arn; /* of the table; empty: a store of our own */
};

static bool
definition_says(const struct definition *d, const char *member)
{
	const struct json *found = json_get(d->said, member);

	return found != NULL && found->type != JSON_NULL;
}

/* The global index of that name which both have; those that are dropped or added are not changed. */
static const struct index *
definition_index(const struct schema *of, const struct index *ix)
{
	const struct index *other = ix->global ? schema_index(of, ix->name) : NULL;

	return other != NULL && other->global ? other : NULL;
}

static bool
definition_is_lower(struct warm asked, struct warm now)
{
	return (asked.reads != 0 && asked.reads < now.reads) ||
	       (asked.writes != 0 && asked.writes < now.writes);
}

static bool
definition_is_higher(struct warm asked, struct warm now)
{
	return asked.reads > now.reads || asked.writes > now.writes;
}

static int
definition_refuse_warm(struct call *c, const struct schema *s, const struct index *ix,
		       struct warm asked, struct warm now)
{
	return call_fail(c, ERR_USAGE,
			 "WarmThroughput of %s%.*s is %lu reads and %lu writes, and cannot be "
			 "lowered to %lu and %lu",
			 ix == NULL ? "the table " : "index ",
			 SLICE_ARG(ix == NULL ? s->table : ix->name), (unsigned long)now.reads,
			 (unsigned long)now.writes, (unsigned long)asked.reads,
			 (unsigned long)asked.writes);
}

int
definition_check(struct call *c, const struct schema *now, const struct schema *like)
{
	const struct schema *wanted = schema_definition(&c->arena, like, like->table);

	if (definition_is_lower(wanted->warm, schema_warm(now, NULL))) {
		return definition_refuse_warm(c, now, NULL, wanted->warm, schema_warm(now, NULL));
	}
	for (size_t i = 0; i < wanted->n_index; i++) {
		const struct index *ix = &wanted->index[i];
		const struct index *there = definition_index(now, ix);

		if (there != NULL && definition_is_lower(ix->warm, schema_warm(now, there))) {
			return definition_refuse_warm(c, now, ix, ix->warm,
						      schema_warm(now, there));
		}
	}
	return 0;
}

/* ------------------------------------------------------------ one change after the other */

static int
definition_look(struct definition *d)
{
	struct describe_table_in in = {.table = d->wanted->table};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(d->ctl->engine, d->c, &in, &answer);

	if (r == 0) {
		d->now = answer.table.schema;
		d->arn = answer.table.arn;
	}
	return r;
}

/* @to: what it becomes */
static int
definition_update(struct definition *d, const struct update_table_in *in, const char *member,
		  const char *to)
{
	struct update_table_out answer = {0};
	int r = engine_update_table(d->ctl->engine, d->c, in, &answer);

	if (r < 0) {
		return call_prefix(d->c, "%s: ", member);
	}
	ctl_note(d->ctl, "%s%s%s", member, to[0] == '\0' ? "" : ": ", to);
	return await_table(d->ctl, d->c, in->table);
}

/* Units of an index that says none are the table's. */
static struct index
definition_units(const struct definition *d, const struct index *ix)
{
	bool own = ix->read_units != 0;

	return (struct index){.name = ix->name,
			      .global = true,
			      .read_units = own ? ix->read_units : d->wanted->read_units,
			      .write_units = own ? ix->write_units : d->wanted->write_units};
}

/* A model may have a mode, and no units for it. */
static bool
definition_says_billing(const struct definition *d)
{
	const struct json *mode = json_get(d->said, "BillingMode");

	if (!d->wanted->provisioned && mode != NULL && slice_is(mode->text, "PROVISIONED")) {
		return false;
	}
	return definition_says(d, "BillingMode") || definition_says(d, "BillingModeSummary") ||
	       definition_says(d, "ProvisionedThroughput");
}

/* Indexes whose provisioned throughput differs; of a table that turns to it all.  Return: how many */
static size_t
definition_units_of_indexes(const struct definition *d, bool turns, struct index_change *out)
{
	const struct schema *w = d->wanted;
	size_t n = 0;

	for (size_t i = 0; i < w->n_index && w->provisioned; i++) {
		const struct index *there = definition_index(d->now, &w->index[i]);
		struct index ix = definition_units(d, &w->index[i]);

		if (there != NULL && (turns || ix.read_units != there->read_units ||
				      ix.write_units != there->write_units)) {
			out[n++] = (struct index_change){INDEX_UPDATE, ix};
		}
	}
	return n;
}

/* The billing mode, and provisioned throughput of the table and its indexes. */
static int
definition_billing(struct definition *d)
{
	const struct schema *w = d->wanted;
	bool turns = w->provisioned != d->now->provisioned;
	struct index_change *changes = arena_new(&d->c->arena, struct index_change, w->n_index + 1);
	struct update_table_in in = {.table = w->table, .changes = changes};
	const char *mode = w->provisioned ? "PROVISIONED" : "PAY_PER_REQUEST";

	if (!definition_says_billing(d)) {
		return 0;
	}
	if (turns) {
		in.billing = w->provisioned ? BILLING_PROVISIONED : BILLING_ON_DEMAND;
	}
	if (w->provisioned && (turns || w->read_units != d->now->read_units ||
			       w->write_units != d->now->write_units)) {
		in.read_units = w->read_units;
		in.write_units = w->write_units;
	}
	in.n_changes = definition_units_of_indexes(d, turns, changes);
	if (!turns && in.read_units == 0 && in.n_changes == 0) {
		return 0;
	}
	int r = definition_update(d, &in, turns ? "BillingMode" : "ProvisionedThroughput",
				  turns ? mode : "");

	return r < 0 ? r : definition_look(d);
}

static int
definition_class(struct definition *d)
{
	bool infrequent = d->wanted->class == CLASS_INFREQUENT_ACCESS;
	struct update_table_in in = {.table = d->wanted->table, .class = &d->wanted->class};

	return d->wanted->class == CLASS_NONE ||
			       infrequent == (d->now->class == CLASS_INFREQUENT_ACCESS)
		       ? 0
		       : definition_update(d, &in, "TableClass",
					   infrequent ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD");
}

/* The key is the same one also where a server tells its whole ARN; one that is not named is any. */
static bool
definition_same_key(struct slice wanted, struct slice now)
{
	return wanted.len == 0 || slice_eq(wanted, now) ||
	       (now.len > wanted.len && slice_ends(now, wanted) &&
		now.at[now.len - wanted.len - 1] == '/');
}

/* "alias/NAME", or the end of an ARN. */
static bool
definition_is_alias(struct slice key)
{
	static const char alias[] = "alias/";

	return key.len > 0 && memmem(key.at, key.len, alias, strlen(alias)) != NULL;
}

/* Which key an alias stands for only KMS can say: it is taken to be the one that the table has. */
static bool
definition_keeps_key(const struct definition *d)
{
	struct slice wanted = d->wanted->encryption.key;
	struct slice now = d->now->encryption.key;

	if (definition_same_key(wanted, now)) {
		return true;
	}
	if (!definition_is_alias(wanted) || now.len == 0 || definition_is_alias(now)) {
		return false;
	}
	ctl_note(d->ctl, "SSESpecification: %.*s is taken to be the table's key %.*s",
		 SLICE_ARG(wanted), SLICE_ARG(now));
	return true;
}

static int
definition_encryption(struct definition *d)
{
	const struct encryption *w = &d->wanted->encryption;
	struct update_table_in in = {.table = d->wanted->table, .encryption = w};

	if ((!w->on && !definition_says(d, "SSESpecification")) ||
	    (w->on == d->now->encryption.on && (!w->on || definition_keeps_key(d)))) {
		return 0;
	}
	return definition_update(d, &in, "SSESpecification", w->on ? "KMS" : "off");
}

/* The limits that are wanted; one that @of, the table or index as the file says it, does not name stays. */
static struct on_demand
definition_limits(const struct json *of, const struct on_demand *wanted,
		  const struct on_demand *now)
{
	const struct json *said = json_get(of, "OnDemandThroughput");
	const struct json *reads = json_get(said, "MaxReadRequestUnits");
	const struct json *writes = json_get(said, "MaxWriteRequestUnits");
	bool has_reads = reads != NULL && reads->type != JSON_NULL;
	bool has_writes = writes != NULL && writes->type != JSON_NULL;

	return (struct on_demand){.given = wanted->given,
				  .reads = has_reads ? wanted->reads : now->reads,
				  .writes = has_writes ? wanted->writes : now->writes};
}

static bool
definition_same_on_demand(const struct on_demand *wanted, const struct on_demand *now)
{
	return !wanted->given || (wanted->reads == now->reads && wanted->writes == now->writes);
}

/* That index in the file. */
static const struct json *
definition_said_index(const struct definition *d, struct slice name)
{
	const struct json *list = json_get(d->said, "GlobalSecondaryIndexes");

	for (const struct json *ix = list == NULL ? NULL : list->child; ix != NULL; ix = ix->next) {
		const struct json *named = json_get(ix, "IndexName");

		if (named != NULL && slice_eq(named->text, name)) {
			return ix;
		}
	}
	return NULL;
}

/* Of each index whose limits differ. Return: how many */
static size_t
definition_limits_of_indexes(const struct definition *d, struct index_change *out)
{
	size_t n = 0;

	for (size_t i = 0; i < d->wanted->n_index; i++) {
		const struct index *ix = &d->wanted->index[i];
		const struct index *there = definition_index(d->now, ix);

		if (there == NULL) {
			continue;
		}
		struct on_demand limits = definition_limits(definition_said_index(d, ix->name),
							    &ix->on_demand, &there->on_demand);

		if (!definition_same_on_demand(&limits, &there->on_demand)) {
			out[n++] = (struct index_change){
				INDEX_UPDATE,
				{.name = ix->name, .global = true, .on_demand = limits}};
		}
	}
	return n;
}

/* Throughput on demand of the table, and of each index. */
static int
definition_on_demand(struct definition *d)
{
	const struct schema *w = d->wanted;
	struct index_change *changes = arena_new(&d->c->arena, struct index_change, w->n_index + 1);
	struct update_table_in in = {.table = w->table, .changes = changes};
	struct on_demand limits = definition_limits(d->said, &w->on_demand, &d->now->on_demand);
	bool provisioned = definition_says_billing(d) ? w->provisioned : d->now->provisioned;

	if (!definition_same_on_demand(&limits, &d->now->on_demand)) {
		in.on_demand = &limits;
	}
	in.n_changes = definition_limits_of_indexes(d, changes);
	if (in.on_demand == NULL && in.n_changes == 0) {
		return 0;
	}
	if (provisioned) {
		ctl_note(d->ctl, "OnDemandThroughput is not set: the table is PROVISIONED");
		return 0;
	}
	return definition_update(d, &in, "OnDemandThroughput", "");
}

static int
definition_warm(struct definition *d)
{
	const struct schema *w = d->wanted;
	struct index_change *changes = arena_new(&d->c->arena, struct index_change, w->n_index + 1);
	struct update_table_in in = {.table = w->table, .changes = changes};

	if (definition_is_higher(w->warm, schema_warm(d->now, NULL))) {
		in.warm = &w->warm;
	}
	for (size_t i = 0; i < w->n_index; i++) {
		const struct index *ix = &w->index[i];
		const struct index *there = definition_index(d->now, ix);

		if (there != NULL && definition_is_higher(ix->warm, schema_warm(d->now, there))) {
			changes[in.n_changes++] = (struct index_change){
				INDEX_UPDATE, {.name = ix->name, .global = true, .warm = ix->warm}};
		}
	}
	return in.warm == NULL && in.n_changes == 0
		       ? 0
		       : definition_update(d, &in, "WarmThroughput", "");
}

static int
definition_protection(struct definition *d)
{
	bool on = d->wanted->protected;
	struct update_table_in in = {.table = d->wanted->table, .protect = &on};

	return on == d->now->protected || (!on && !definition_says(d, "DeletionProtectionEnabled"))
		       ? 0
		       : definition_update(d, &in, "DeletionProtectionEnabled",
					   on ? "true" : "false");
}

/* ------------------------------------------------------------ tags */

static const struct tag *
definition_tag(const struct schema *s, struct slice key)
{
	for (size_t i = 0; i < s->n_tags; i++) {
		if (slice_eq(s->tags[i].key, key)) {
			return &s->tags[i];
		}
	}
	return NULL;
}

/* Return: 1, 0: there were none, -1 */
static int
definition_untag(struct definition *d, const struct schema *now, struct slice arn)
{
	struct slice *keys = arena_new(&d->c->arena, struct slice, now->n_tags + 1);
	struct untag_resource_in in = {.arn = arn, .keys = keys};
	struct untag_resource_out done;

	for (size_t i = 0; i < now->n_tags; i++) {
		/* Those of "aws:" are the service's own. */
		if (definition_tag(d->wanted, now->tags[i].key) == NULL &&
		    !slice_starts(now->tags[i].key, SLICE("aws:"))) {
			keys[in.n_keys++] = now->tags[i].key;
		}
	}
	return in.n_keys == 0                                                ? 0
	       : engine_untag_resource(d->ctl->engine, d->c, &in, &done) < 0 ? -1
									     : 1;
}

/* Return: likewise */
static int
definition_retag(struct definition *d, const struct schema *now, struct slice arn)
{
	const struct schema *w = d->wanted;
	struct tag *tags = arena_new(&d->c->arena, struct tag, w->n_tags + 1);
	struct tag_resource_in in = {.arn = arn, .tags = tags};
	struct tag_resource_out done;

	for (size_t i = 0; i < w->n_tags; i++) {
		const struct tag *there = definition_tag(now, w->tags[i].key);

		if (there == NULL || !slice_eq(there->value, w->tags[i].value)) {
			tags[in.n_tags++] = w->tags[i];
		}
	}
	return in.n_tags == 0                                              ? 0
	       : engine_tag_resource(d->ctl->engine, d->c, &in, &done) < 0 ? -1
									   : 1;
}

/* All of them, when there is a list: those that it does not have go. */
static int
definition_change_tags(struct definition *d)
{
	struct slice arn = d->arn;
	struct buf made;
	struct schema now = *d->now;

	if (!definition_says(d, "Tags")) {
		return 0;
	}
	if (arn.len == 0) {
		buf_init(&made, &d->c->arena);
		arn_put_table(&made, SLICE(""), now.table);
		arn = buf_view(&made);
	}
	int r = definition_tags(d->ctl, d->c, d->arn, "cannot be seen, so that none is removed",
				&now);

	if (r < 0) {
		return r;
	}
	int removed = definition_untag(d, &now, arn);
	int added = removed < 0 ? 0 : definition_retag(d, &now, arn);

	if (removed < 0 || added < 0) {
		return call_prefix(d->c, "Tags: ");
	}
	if (removed + added > 0) {
		ctl_note(d->ctl, "Tags");
	}
	return 0;
}

int
definition_change(struct ctl *ctl, struct call *c, const struct model_table *t)
{
	static int (*const members[])(struct definition * d) = {
		definition_billing,    definition_class, definition_encryption,
		definition_on_demand,  definition_warm,  definition_protection,
		definition_change_tags};
	const struct schema *s = t->create.schema;
	struct definition d = {.ctl = ctl,
			       .c = c,
			       .said = t->said,
			       .wanted = schema_definition(&c->arena, s, s->table)};
	int r = d.said == NULL ? 0 : definition_look(&d);

	for (size_t i = 0; d.said != NULL && r == 0 && i < sizeof(members) / sizeof(members[0]);
	     i++) {
		assert(d.now != NULL);
		r = members[i](&d);
	}
	return r;
}
