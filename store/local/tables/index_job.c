/* index_job - each step looks at the state of the index, does the work of that state, and stores the next state */
#include "store/local/tables/index_job.h"

#include <assert.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/local/commit/damage.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/backfill.h"
#include "store/local/tables/tables.h"
#include "store/model/schema.h"

enum { CALL_BUDGET = 64 << 20 };

/* ------------------------------------------------------------ state changes */

struct step {
	const struct index_name *name;
	enum index_state from;
	enum index_state to; /* ignored if @from is DELETING: the index is removed */
};

static void
remove_index(struct schema *s, const struct index *ix)
{
	size_t at = (size_t)(ix - s->index);

	assert(at < s->n_index);
	s->n_index--;
	memmove(&s->index[at], &s->index[at + 1], (s->n_index - at) * sizeof(*ix));
}

static int
take_step(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct step *step = arg;
	struct index *ix = (struct index *)schema_index_by_id(s, step->name->id);
	if (s->id != step->name->table_id || ix == NULL || ix->state != step->from) {
		return call_fail(c, ERR_NO_INDEX, "the index has another state now");
	}
	if (step->to == INDEX_ACTIVE) {
		txn_del(t, keyspace_head(&c->arena, KEYSPACE_BACKFILL, s, ix));
	}
	if (step->from == INDEX_DELETING) {
		remove_index(s, ix);
	} else {
		ix->state = step->to;
	}
	table_altered(t, c, s->table, txn_seq(t));
	return 0;
}

/* Return: INDEX_JOB_MORE: look again, even if somebody else has changed the state; < 0 */
static int
change_state(struct local *l, struct call *c, const struct index_name *name, enum index_state from,
	     enum index_state to)
{
	struct step step = {name, from, to};
	int r = alter_table(l, c, name->table,
			    &(struct alteration){.change = take_step, .arg = &step}, NULL);

	return r == 0 || r == -ERR_NO_INDEX || r == -ERR_NO_TABLE ? INDEX_JOB_MORE : r;
}

/* ------------------------------------------------------------ deletion */

/* Return: 0, RANGES_MORE, < 0. */
static int
delete_entries(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	       struct ranges_walk *w)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS,
				      KEYSPACE_BACKFILL, '\0'};
	cleanup(buf_release) struct buf head = {0};

	buf_u32be(&head, name->table_id);
	buf_u16be(&head, name->id);
	return ranges_delete(l, time_slice, spaces, buf_view(&head), w);
}

/* ------------------------------------------------------------ steps */

static int
run_step(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	 struct ranges_walk *w)
{
	cleanup(call_close) struct call c;
	const struct index *ix = NULL;
	int r = 0;

	call_open(&c, clock_now_ms(), CALL_BUDGET);
	const struct schema *s = catalog_get(l->catalog, &c, name->table);

	if (s != NULL && s->id == name->table_id) {
		ix = schema_index_by_id(s, name->id);
	}
	switch (ix == NULL ? INDEX_ACTIVE : ix->state) {
	case INDEX_ACTIVE:
		return 0;
	case INDEX_CREATING:
		return change_state(l, &c, name, INDEX_CREATING, INDEX_BACKFILLING);
	case INDEX_BACKFILLING:
		/* damage_seen() makes writes fail, so that whoever waits for the index learns that it stopped. */
		r = damage_seen(l, &c, backfill_piece(l, &c, s, ix));
		return r != 0 ? r : change_state(l, &c, name, INDEX_BACKFILLING, INDEX_ACTIVE);
	case INDEX_DELETING:
		r = delete_entries(l, time_slice, name, w);
		return r != 0 ? r : change_state(l, &c, name, INDEX_DELETING, INDEX_ACTIVE);
	}
	return 0;
}

int
index_job_run(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	      struct ranges_walk *w)
{
	int r;

	do {
		r = run_step(l, time_slice, name, w);
	} while (r == INDEX_JOB_MORE && !time_slice_over(time_slice));
	return r;
}
