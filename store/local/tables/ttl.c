/* ttl - UpdateTimeToLive, DescribeTimeToLive; sweep.c deletes the expired items */
#include "store/local/records/catalog.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"

/* Source: BEHAVIOUR 8.1 */
static int
ttl_change(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct update_time_to_live_in *in = arg;

	(void)t;
	if (s->ttl.len > 0 && !slice_eq(s->ttl, in->attribute)) {
		return call_fail(c, ERR_VALIDATION,
				 "TimeToLive is active on a different AttributeName: current "
				 "AttributeName is %.*s",
				 SLICE_ARG(s->ttl));
	}
	if (in->enabled == (s->ttl.len > 0)) {
		return call_fail(c, ERR_VALIDATION, "TimeToLive is already %s",
				 in->enabled ? "enabled" : "disabled");
	}
	s->ttl = in->enabled ? in->attribute : slice_of(NULL, 0);
	return 0;
}

int
local_exec_update_time_to_live(struct local *l, struct call *c,
			       const struct update_time_to_live_in *in,
			       struct update_time_to_live_out *out)
{
	struct update_time_to_live_in copy = *in;

	*out = (struct update_time_to_live_out){0};
	return alter_table(l, c, in->table, ttl_change, &copy, NULL);
}

int
local_exec_describe_time_to_live(struct local *l, struct call *c,
				 const struct describe_time_to_live_in *in,
				 struct describe_time_to_live_out *out)
{
	const struct schema *s = catalog_get(l->catalog, c, in->table);

	if (s == NULL) {
		return fail_no_table(c, in->table);
	}
	*out = (struct describe_time_to_live_out){.attribute = s->ttl};
	return 0;
}
