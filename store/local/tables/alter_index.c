/* alter_index - GlobalSecondaryIndexUpdates of UpdateTable; index_job.c does the background work that follows */
#include "store/local/tables/alter_index.h"

#include "store/local/commit/txn.h"
#include "store/local/tables/backfill.h"
#include "store/local/tables/tables.h"
#include "store/model/limits.h"
#include "store/model/schema.h"

#define INVALID "One or more parameter values were invalid: "

static struct index *
alter_index_find(struct schema *s, struct slice name)
{
	const struct index *ix = schema_index(s, name);

	return ix == NULL ? NULL : &s->index[ix - s->index];
}

/* ------------------------------------------------------------ units */

static int
needs_units(struct call *c, struct slice names)
{
	return call_fail(c, ERR_VALIDATION,
			 INVALID "ProvisionedThroughput must be specified for index: %.*s",
			 SLICE_ARG(names));
}

/* An index must have units if and only if the table is provisioned. */
static int
alter_index_check_units(struct call *c, const struct schema *s, const struct index *ix)
{
	if (s->provisioned == (ix->read_units != 0)) {
		return 0;
	}
	if (s->provisioned) {
		return needs_units(c, ix->name);
	}
	return call_fail(c, ERR_VALIDATION,
			 INVALID "ProvisionedThroughput should not be specified for index: %.*s "
				 "when BillingMode is PAY_PER_REQUEST",
			 SLICE_ARG(ix->name));
}

static bool
updates(const struct update_table_in *in, struct slice name)
{
	for (size_t i = 0; i < in->n_changes; i++) {
		if (in->changes[i].kind == INDEX_UPDATE &&
		    slice_eq(in->changes[i].index.name, name)) {
			return true;
		}
	}
	return false;
}

/* A request that makes the table provisioned must give units for each global index. */
static int
check_turn(struct call *c, struct schema *s, const struct update_table_in *in)
{
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].global && !updates(in, s->index[i].name)) {
			buf_str(&names, names.len == 0 ? "" : ",");
			buf_slice(&names, s->index[i].name);
		}
	}
	return names.len == 0 ? 0 : needs_units(c, buf_view(&names));
}

int
alter_warm(struct call *c, struct schema *s, struct index *ix, const struct warm *asked)
{
	struct warm *warm = ix == NULL ? &s->warm : &ix->warm;
	int r = schema_check_warm(
		c, *asked, schema_warm(s, ix), ix == NULL ? SLICE("") : ix->name,
		"current WarmThroughput, decreasing WarmThroughput is not supported");

	if (r == 0) {
		warm->reads = asked->reads == 0 ? warm->reads : asked->reads;
		warm->writes = asked->writes == 0 ? warm->writes : asked->writes;
	}
	return r;
}

static int
alter_index_fail_no_index(struct call *c, const struct schema *s, struct slice name)
{
	return call_fail(c, ERR_NO_TABLE, "Requested resource not found: Index %.*s for table %.*s",
			 SLICE_ARG(name), SLICE_ARG(s->table));
}

/* The index does not exist.  Units above the limit get a message of their own, which takes precedence. */
static int
fail_update(struct call *c, const struct schema *s, const struct index *to)
{
	return to->read_units <= LIMIT_UNITS && to->write_units <= LIMIT_UNITS
		       ? alter_index_fail_no_index(c, s, to->name)
		       : call_fail(c, ERR_VALIDATION,
				   "This operation cannot be performed with given input values. "
				   "Please contact DynamoDB service team for more info: Action "
				   "Blocked: IndexUpdate");
}

static int
change_update(struct call *c, struct schema *s, const struct index *to)
{
	struct index *ix = alter_index_find(s, to->name);
	unsigned long long reads = to->read_units;
	unsigned long long writes = to->write_units;

	if (ix == NULL) {
		return fail_update(c, s, to);
	}
	if (!ix->global) {
		return call_fail(c, ERR_VALIDATION,
				 "Cannot update an index that is not a GlobalSecondaryIndex: %.*s",
				 SLICE_ARG(to->name));
	}
	bool others = to->on_demand.given || to->warm.reads != 0 || to->warm.writes != 0;

	if (to->on_demand.given) {
		ix->on_demand = to->on_demand;
	}
	int r = alter_warm(c, s, ix, &to->warm);

	if (r < 0 || (others && to->read_units == 0)) {
		return r;
	}
	r = schema_check_units(c, to->read_units, to->write_units, to->name);
	r = r < 0 ? r : alter_index_check_units(c, s, to);
	if (r == 0 && ix->read_units == to->read_units && ix->write_units == to->write_units) {
		r = call_fail(
			c, ERR_VALIDATION,
			"The provisioned throughput for the index %.*s will not change. The "
			"requested value equals the current value. Current ReadCapacityUnits "
			"provisioned for the index: %llu. Requested ReadCapacityUnits: %llu. "
			"Current WriteCapacityUnits provisioned for the index: %llu. Requested "
			"WriteCapacityUnits: %llu. Refer to the Amazon DynamoDB Developer Guide "
			"for current limits and how to request higher limits.",
			SLICE_ARG(ix->name), reads, reads, writes, writes);
	}
	ix->read_units = to->read_units;
	ix->write_units = to->write_units;
	return r;
}

/* ------------------------------------------------------------ create */

/* A key attribute must keep its type.  Definitions of attributes that are not in the new key are not compared. */
static int
alter_index_check_types(struct call *c, const struct schema *s, const struct update_table_in *in,
			const struct index *added)
{
	for (size_t i = 0; i < in->n_definitions; i++) {
		const struct key_attr *a = &in->definitions[i];
		enum value_type type;

		if (key_schema_has(&added->key, a->name) && table_uses(s, a->name, &type) &&
		    type != a->type) {
			return call_fail(c, ERR_VALIDATION,
					 "invalid attribute, SchemaElement redefined should be of "
					 "same type as previously defined");
		}
	}
	return 0;
}

static int
change_create(struct call *c, struct schema *s, const struct update_table_in *in,
	      const struct index *added)
{
	struct index *all = arena_new(&c->arena, struct index, s->n_index + 1);

	if (schema_index(s, added->name) != NULL) {
		return call_fail(c, ERR_VALIDATION,
				 "Attempting to create an index which already exists");
	}
	if (s->next_index == UINT16_MAX) {
		return call_fail(c, ERR_LIMIT,
				 "A table can have at most %u indexes in its lifetime",
				 UINT16_MAX - 1);
	}
	for (size_t i = 0; i < s->n_index; i++) {
		all[i] = s->index[i];
	}
	all[s->n_index] = *added;
	all[s->n_index].global = true;
	all[s->n_index].state = INDEX_CREATING;
	all[s->n_index].id = s->next_index++;
	s->index = all;
	s->n_index++;
	int r = alter_index_check_types(c, s, in, added);

	if (r == 0) {
		r = alter_index_check_units(c, s, added);
	}
	return r < 0 ? r : schema_check(c, s);
}

/* ------------------------------------------------------------ delete */

static int
change_delete(struct txn *t, struct call *c, struct schema *s, struct slice name)
{
	struct index *ix = alter_index_find(s, name);
	struct buf mark = {.arena = &c->arena};

	if (ix == NULL) {
		return alter_index_fail_no_index(c, s, name);
	}
	if (!ix->global) {
		return call_fail(c, ERR_VALIDATION,
				 "Cannot delete an index that is not a GlobalSecondaryIndex: %.*s",
				 SLICE_ARG(name));
	}
	if (ix->state == INDEX_CREATING) {
		return call_fail(c, ERR_TABLE_CHANGING,
				 "Attempt to change a resource which is still in use: Index is "
				 "being created.");
	}
	backfill_key(&mark, s, ix);
	txn_del(t, buf_view(&mark));
	ix->state = INDEX_DELETING;
	return 0;
}

/* ------------------------------------------------------------ all changes */

/* While an index is being added or dropped, the only change allowed is to drop the index that is being added. */
static int
check_idle(struct call *c, const struct schema *s, const struct update_table_in *in)
{
	const struct index *busy = schema_busy(s);

	if (busy == NULL ||
	    (in->n_changes == 1 && in->changes[0].kind == INDEX_DELETE &&
	     busy->state != INDEX_DELETING && slice_eq(in->changes[0].index.name, busy->name))) {
		return 0;
	}
	return fail_in_use(c, s->table, "updated");
}

int
alter_indexes(struct txn *t, struct call *c, struct schema *s, bool was_provisioned,
	      const struct update_table_in *in)
{
	int r = check_idle(c, s, in);

	if (r == 0 && s->provisioned && !was_provisioned) {
		r = check_turn(c, s, in);
	}
	for (size_t i = 0; i < s->n_index && !s->provisioned; i++) {
		s->index[i].read_units = 0;
		s->index[i].write_units = 0;
	}
	for (size_t i = 0; i < in->n_changes && r == 0; i++) {
		const struct index_change *ch = &in->changes[i];

		switch (ch->kind) {
		case INDEX_UPDATE:
			r = change_update(c, s, &ch->index);
			break;
		case INDEX_CREATE:
			r = change_create(c, s, in, &ch->index);
			break;
		case INDEX_DELETE:
			r = change_delete(t, c, s, ch->index.name);
			break;
		}
	}
	return r;
}
