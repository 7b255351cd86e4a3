/* import - ImportTable, DescribeImport, ListImports */
#include "store/local/archive/bucket.h"
#include "store/local/archive/loader.h"
#include "store/local/archive/transfer.h"
#include "store/local/jobs/jobs.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"

/* Write the end state of the import, in the commit that makes the table visible. */
static int
import_end(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	struct transfer_job *j = arg;

	(void)s;
	j->transfer.status = j->transfer.errors > 0 ? TRANSFER_FAILED : TRANSFER_DONE;
	j->transfer.ended_ms = transfer_job_now(j);
	transfer_put(t, c, TRANSFER_IMPORT, &j->transfer);
	return 0;
}

/* Delete what an earlier process has imported, because the files may have changed. */
static int
empty_table(struct transfer_job *j)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS, '\0'};
	const struct schema *s = catalog_get(j->job.local->catalog, &j->job.c, j->transfer.table);
	const struct time_slice time_slice = {jobs_stopping(j->job.local->jobs), UINT64_MAX};
	struct ranges_walk walk = {0};
	struct buf head = {.arena = &j->job.c.arena};
	int r = RANGES_MORE;

	assert(s != NULL && s->creating);
	buf_u32be(&head, s->id);
	while (r == RANGES_MORE && !time_slice_over(&time_slice)) {
		r = ranges_delete(j->job.local, &time_slice, spaces, buf_view(&head), &walk);
	}
	ranges_walk_release(&walk);
	return r == RANGES_MORE ? call_fail(&j->job.c, ERR_BUSY, "the store is being closed") : r;
}

/* Import all files, and set the counts of j->transfer and the reason of the first bad item.  Return: 0; < 0 */
static int
import_files(struct transfer_job *j)
{
	struct call *c = &j->job.c;
	const struct bucket_place *place = &j->transfer.place;
	const struct loader loader = {.local = j->job.local, .c = c, .transfer = &j->transfer};
	cleanup(cleanup_fd) int bucket = bucket_open(j->job.local, c, place->bucket, NULL);
	const struct slice *names = NULL;
	size_t n = 0;
	int r = bucket < 0 ? bucket : bucket_list(c, bucket, place->prefix, &names, &n);

	for (size_t i = 0; i < n && r == 0; i++) {
		int fd = bucket_file(c, bucket, names[i]);

		r = fd < 0 ? fd : loader_file(&loader, fd, names[i]);
	}
	return r;
}

/*
 * If some items are bad, the table keeps the others, as with the service.  If the import fails for another reason, the
 * table is dropped.  When the store is being closed, nothing is changed: the import begins again at the next open.
 */
static void
import_run_import(struct work *w)
{
	struct transfer_job *j = (struct transfer_job *)w;
	int r = j->again ? empty_table(j) : 0;

	r = r < 0 ? r : import_files(j);
	r = loader_end(&j->job, j->transfer.table, r, import_end, j);
	if (r < 0) {
		transfer_job_end(j, r);
	} else {
		transfer_job_free(j);
	}
}

/* ------------------------------------------------------------ the request */

/* The token belongs to an earlier import. */
enum { AGAIN = 1 };

struct request {
	struct local *local;
	const struct import_table_in *in;
	const struct schema *schema; /* as returned by table_check() */
	struct transfer *transfer;
};

/*
 * As with the service, an existing table is reported before the token is compared, unless the table is still being
 * created.
 */
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
	int r = there == NULL || there->creating
			? transfer_of_token(t, c, TRANSFER_IMPORT, &asked, rq->transfer)
			: KV_ABSENT;

	if (r != KV_ABSENT) {
		return r < 0 ? r : AGAIN;
	}
	if (there == NULL) {
		*rq->transfer = asked;
		transfer_begin(t, c, TRANSFER_IMPORT, rq->transfer);
	}
	return 0;
}

int
local_exec_import_table(struct local *l, struct call *c, const struct import_table_in *in,
			struct import_table_out *out)
{
	struct schema *s = arena_new(&c->arena, struct schema, 1);
	struct request rq = {.local = l, .in = in, .schema = s, .transfer = &out->import};
	struct table_info info;
	struct job *job = NULL;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no buckets");
	}
	int r = table_check(c, &in->table, s);

	if (r == 0) {
		r = jobs_enter(l, sizeof(struct transfer_job), &(struct job_needs){0}, c, &job);
	}
	if (r < 0) {
		return r;
	}
	struct schema creating = *s;

	creating.creating = true;
	r = table_create(l, c, &creating, before_creation, &rq, &info);
	if (r == 0) {
		transfer_job_run(job, &out->import, s, NULL, false, import_run_import);
	} else {
		jobs_leave(job);
	}
	return r == AGAIN ? 0 : r;
}

int
import_begin_again(struct local *l, struct call *c, const struct schema *s)
{
	struct transfer t;
	struct job *job;
	int r = transfer_of_table(l, c, s->table, &t);

	if (r == KV_ABSENT) {
		return table_give_up(l, c, s->table);
	}
	if (r == 0) {
		r = jobs_enter(l, sizeof(struct transfer_job), &(struct job_needs){0}, c, &job);
	}
	if (r == 0) {
		transfer_job_run(job, &t, t.schema, NULL, true, import_run_import);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeImport, ListImports */

int
local_exec_describe_import(struct local *l, struct call *c, const struct describe_import_in *in,
			   struct describe_import_out *out)
{
	return transfer_describe(l, c, TRANSFER_IMPORT, in->arn, &out->import);
}

int
local_exec_list_imports(struct local *l, struct call *c, const struct list_imports_in *in,
			struct list_imports_out *out)
{
	return transfer_list(l, c, TRANSFER_IMPORT, &in->query, &out->page);
}
