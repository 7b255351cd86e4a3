/* recovery - DescribeContinuousBackups, UpdateContinuousBackups */
#include "store/local/records/catalog_int.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"
#include "store/model/limits.h"

enum {
	MS_PER_DAY = 24 * 60 * 60 * 1000,
	LATEST_MS =
		5 * 60 * 1000, /* before now; Source: Developer Guide, "Point-in-time recovery" */
};

/* @now less @ms, but not before @since. */
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
	int r = alter_table(l, c, in->table,
			    &(struct alteration){.change = recovery_change, .arg = &ch}, NULL);

	if (r == 0) {
		out->recovery = ch.after;
	}
	return r;
}
