/* table_settings - see table_settings.h */
#include "tools/model/table_settings.h"

#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "tools/model/table_change.h"
#include "tools/session/await.h"
#include "tools/session/ctl.h"

/* The state of a change. */
struct definition {
	struct ctl *ctl;
	struct call *c;
	const struct json *said; /* members of the file; NULL: from a command */
	const struct schema *wanted;
	const struct schema *now;
	struct slice arn; /* of the table; empty: a local store */
};

static bool
definition_says(const struct definition *d, const char *member)
{
	const struct json *found = json_get(d->said, member);

	return found != NULL && found->type != JSON_NULL;
}

/* Return the global index of @of with the name of @ix, NULL if @ix is local or dropped or added. */
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

/* ------------------------------------------------------------ changes */

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

/* Run one request, and note @member; @to: its new value for the note, or "" */
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

/* Return the units of an index, by default those of the table. */
static struct index
definition_units(const struct definition *d, const struct index *ix)
{
	bool own = ix->read_units != 0;

	return (struct index){.name = ix->name,
			      .global = true,
			      .read_units = own ? ix->read_units : d->wanted->read_units,
			      .write_units = own ? ix->write_units : d->wanted->write_units};
}

/* Return true if the file sets the billing mode; a model may be PROVISIONED without units, which does not count. */
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

/* Collect the indexes whose provisioned throughput differs, all if the table @turns to it.  Return: their number */
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

/* Change the billing mode, and the provisioned throughput of the table and its indexes. */
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
	bool infrequent = d->wanted->table_class == CLASS_INFREQUENT_ACCESS;
	struct update_table_in in = {.table = d->wanted->table,
				     .table_class = &d->wanted->table_class};

	return d->wanted->table_class == CLASS_NONE ||
			       infrequent == (d->now->table_class == CLASS_INFREQUENT_ACCESS)
		       ? 0
		       : definition_update(d, &in, "TableClass",
					   infrequent ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD");
}

/* Compare KMS keys; @now may be the ARN of @wanted, and an empty @wanted matches any key. */
static bool
definition_same_key(struct slice wanted, struct slice now)
{
	return wanted.len == 0 || slice_eq(wanted, now) ||
	       (now.len > wanted.len && slice_ends(now, wanted) &&
		now.at[now.len - wanted.len - 1] == '/');
}

/* Return true for "alias/NAME", also at the end of an ARN. */
static bool
definition_is_alias(struct slice key)
{
	static const char alias[] = "alias/";

	return key.len > 0 && memmem(key.at, key.len, alias, strlen(alias)) != NULL;
}

/* Return true if the key of the table stays.  Only KMS can resolve an alias, so it is taken to be the current key. */
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

/* Return the wanted limits; a limit that @of, the table or index in the file, does not name stays as it is. */
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

/* Return the index @name in the file, or NULL. */
static const struct json *
definition_said_index(const struct definition *d, struct slice name)
{
	json_each (ix, json_get(d->said, "GlobalSecondaryIndexes")) {
		const struct json *named = json_get(ix, "IndexName");

		if (named != NULL && slice_eq(named->text, name)) {
			return ix;
		}
	}
	return NULL;
}

/* Collect the indexes whose limits differ.  Return: their number */
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

/* Change the on-demand throughput of the table and its indexes. */
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

static int
definition_change_tags(struct definition *d)
{
	return definition_says(d, "Tags")
		       ? table_tags_change(d->ctl, d->c, d->wanted, d->now, d->arn)
		       : 0;
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
