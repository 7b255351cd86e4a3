/* ttl - UpdateTimeToLive, DescribeTimeToLive; sweep.c deletes the expired items */
#include "store/local/tables/ttl.h"

#include "store/local/records/catalog_int.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/model/limits.h"

/* ------------------------------------------------------------ an item's time */

enum { DIGITS_MAX = 18 }; /* fit into an int64_t; longer numbers are far from any real time */

/* Whole seconds of a canonical number, rounded down. */
static int64_t
seconds_of(struct slice number)
{
	bool negative = number.at[0] == '-';
	int64_t seconds = 0;
	size_t i = negative;

	for (; i < number.len && number.at[i] != '.'; i++) {
		if (i - negative == DIGITS_MAX) {
			return negative ? INT64_MIN : INT64_MAX;
		}
		seconds = 10 * seconds + (number.at[i] - '0');
	}
	return negative ? -seconds - (i < number.len) : seconds;
}

bool
ttl_is_over(const struct value *v, uint64_t now_s, bool any_age)
{
	if (v->type != VALUE_N) {
		return false;
	}
	int64_t now = (int64_t)now_s;
	int64_t end = seconds_of(v->text);

	return end < now && (any_age || end >= now - LIMIT_TTL_PAST_S);
}

/* ------------------------------------------------------------ UpdateTimeToLive, DescribeTimeToLive */

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
	return alter_table(l, c, in->table,
			   &(struct alteration){.change = ttl_change, .arg = &copy}, NULL);
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
