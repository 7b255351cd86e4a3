/* import - ImportTable, DescribeImport, ListImports */
#include "store/local/archive/import_again.h"
#include "store/local/archive/import_files.h"
#include "store/local/archive/transfer.h"
#include "store/local/archive/transfer_job.h"
#include "store/local/jobs/jobs.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/turn.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"

enum { AFTER_BUDGET = 1 << 20 };

/* The table is everybody's and the import has ended, both at once. */
static int
make_visible(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct transfer_job *j = arg;

	s->creating = false;
	table_publish(t, c, s->table);
	transfer_put(t, c, TRANSFER_IMPORT, &j->transfer);
	return 0;
}

/* The files may not be what they were. */
static int
empty_table(struct transfer_job *j)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS, '\0'};
	const struct schema *s = catalog_get(j->local->catalog, &j->c, j->transfer.table);
	const struct turn turn = {jobs_stopping(j->local->jobs), UINT64_MAX};
	struct ranges_walk walk = {0};
	struct buf head;
	int r = RANGES_MORE;

	buf_init(&head, &j->c.arena);
	buf_u32be(&head, s->id);
	while (r == RANGES_MORE && !turn_over(&turn)) {
		r = ranges_delete(j->local, &turn, spaces, buf_view(&head), NULL, 0, &walk);
	}
	ranges_walk_release(&walk);
	return r == RANGES_MORE ? call_fail(&j->c, ERR_BUSY, "the store is being closed") : r;
}

/*
 * What could be imported stays, as with the service; a table that is not whole for another reason goes.  When
 * the store is closed, nothing is changed: the import begins again at the next open.
 */
static void
import_run_import(struct work *w)
{
	struct transfer_job *j = (struct transfer_job *)w;
	struct transfer *t = &j->transfer;
	int r = j->again ? empty_table(j) : 0;

	r = r < 0 ? r : import_files(j);

	if (r == 0) {
		t->status = t->errors > 0 ? TRANSFER_FAILED : TRANSFER_DONE;
		t->ended_ms = transfer_job_now(j);
		r = alter_table(j->local, &j->c, t->table,
				&(struct alteration){
					.change = make_visible, .arg = j, .even_creating = true},
				NULL);
	}
	if (r == 0 || atomic_load(jobs_stopping(j->local->jobs))) {
		transfer_job_free(j);
		return;
	}
	struct call after;

	call_open(&after, j->c.now_ms, AFTER_BUDGET);
	(void)(table_give_up(j->local, &after, t->table) < 0);
	call_close(&after);
	transfer_job_end(j, r);
}

/* ------------------------------------------------------------ the request */

/* It has been asked for before. */
enum { AGAIN = 1 };

struct request {
	struct local *local;
	const struct import_table_in *in;
	const struct schema *schema; /* as it was checked */
	struct transfer *transfer;
};

/* Return: 0, AGAIN, < 0. */
static int
check_again(struct txn *t, struct call *c, const struct request *rq, const struct transfer *asked)
{
	int r = transfer_of_token(t, c, TRANSFER_IMPORT, asked->token, rq->transfer);

	if (r != 0) {
		return r == KV_ABSENT ? 0 : r;
	}
	r = transfer_check_same(c, TRANSFER_IMPORT, asked, rq->transfer);
	return r < 0 ? r : AGAIN;
}

/* That a table is there goes before the token, as with the service, but for that of an import. */
static int
before_creation(struct txn *t, struct call *c, const struct schema *s, void *arg)
{
	const struct request *rq = arg;
	const struct import_table_in *in = rq->in;
	const struct schema *there = catalog_get(rq->local->catalog, c, s->table);
	struct transfer asked = {
		.table = s->table,
		.uuid = s->uuid,
		.token = in->token,
		.place = in->place,
		.source = in->source,
		.schema = rq->schema,
	};

	if (in->place.owner.len == 0) {
		asked.place.owner = SLICE("000000000000");
	}
	int r = there == NULL || there->creating ? check_again(t, c, rq, &asked) : 0;

	if (r == 0 && there == NULL) {
		*rq->transfer = asked;
		transfer_begin(t, c, TRANSFER_IMPORT, rq->transfer);
	}
	return r;
}

int
local_exec_import_table(struct local *l, struct call *c, const struct import_table_in *in,
			struct import_table_out *out)
{
	struct schema *s = arena_new(&c->arena, struct schema, 1);
	struct request rq = {.local = l, .in = in, .schema = s, .transfer = &out->import};
	struct table_info info;
	struct job *room = NULL;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no buckets");
	}
	int r = table_check(c, &in->table, s);

	if (r == 0) {
		r = jobs_enter(l->jobs, sizeof(struct job), &(struct job_needs){0}, c, &room);
	}
	if (r < 0) {
		return r;
	}
	struct schema creating = *s;

	creating.creating = true;
	r = table_create(l, c, &creating, before_creation, &rq, &info);
	if (r == 0) {
		struct transfer_job *j = transfer_job_new(l, room, c, TRANSFER_IMPORT, &out->import,
							  s, import_run_import);

		jobs_add(l->jobs, &j->work);
	} else {
		jobs_leave(room);
	}
	return r == AGAIN ? 0 : r;
}

int
import_begin_again(struct local *l, struct call *c, const struct schema *s)
{
	struct transfer t;
	struct job *room;
	int r = transfer_of_table(l, c, s->table, &t);

	if (r == KV_ABSENT) {
		return table_give_up(l, c, s->table);
	}
	if (r == 0) {
		r = jobs_enter(l->jobs, sizeof(struct job), &(struct job_needs){0}, c, &room);
	}
	if (r == 0) {
		struct transfer_job *j = transfer_job_new(l, room, c, TRANSFER_IMPORT, &t, t.schema,
							  import_run_import);

		j->again = true;
		jobs_add(l->jobs, &j->work);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeImport, ListImports */

/* Its record is written a moment before the catalog has the table: who hears of the end looks for that. */
static void
hide_early_end(struct local *l, struct call *c, struct transfer *t)
{
	const struct schema *s = catalog_get(l->catalog, c, t->table);

	if (s != NULL && s->creating && slice_eq(s->uuid, t->uuid)) {
		t->status = TRANSFER_RUNNING;
		t->ended_ms = 0;
		t->failure_code = t->failure = slice_of(NULL, 0);
	}
}

int
local_exec_describe_import(struct local *l, struct call *c, const struct describe_import_in *in,
			   struct describe_import_out *out)
{
	int r = transfer_describe(l, c, TRANSFER_IMPORT, in->arn, &out->import);

	if (r == 0) {
		hide_early_end(l, c, &out->import);
	}
	return r;
}

int
local_exec_list_imports(struct local *l, struct call *c, const struct list_imports_in *in,
			struct list_imports_out *out)
{
	return transfer_list(l, c, TRANSFER_IMPORT, &in->query, &out->page);
}
