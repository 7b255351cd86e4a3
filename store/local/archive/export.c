/* export - ExportTableToPointInTime, DescribeExport, ListExports */
#include "store/local/archive/export_files.h"
#include "store/local/archive/transfer.h"
#include "store/local/archive/transfer_job.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog_int.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"

/* A time that is no longer ago than this is meant as "now": clients cut it to seconds. */
enum { NOW_MS = 60 * 1000 };

static void
export_run_export(struct work *w)
{
	struct transfer_job *j = (struct transfer_job *)w;
	struct kv *kv = j->local->kv;
	int r = export_files(j);

	kv->ops->snapshot_free(kv, j->at);
	jobs_need_nothing(j->room);
	transfer_job_end(j, r);
}

/* ------------------------------------------------------------ the request */

struct request {
	struct local *local;
	const struct export_table_in *in;
	struct transfer *transfer;
	const struct schema *schema; /* NULL: it has been asked for before */
	struct kv_snapshot *at;
};

/* In the service's words. */
static int
check_time(struct call *c, const struct schema *s, uint64_t ms)
{
	if (ms == 0 || (ms <= c->now_ms && ms + NOW_MS >= c->now_ms)) {
		return 0;
	}
	return call_fail(c, ERR_EXPORT_TIME, "%s",
			 ms > c->now_ms || ms < s->recovery_ms
				 ? "Export Time is invalid"
				 : "Point in Time Recovery is not available for specified export "
				   "time");
}

/* What is committed before this is exported: the group ends here. */
static int
export_run_request(struct txn *t, struct call *c, void *arg)
{
	struct request *rq = arg;
	const struct export_table_in *in = rq->in;
	struct transfer asked = {
		.table = arn_table(in->arn),
		.token = in->token,
		.place = in->place,
		.typed = in->typed,
		.time_ms = in->time_ms,
	};
	int r = transfer_of_token(t, c, TRANSFER_EXPORT, in->token, rq->transfer);

	if (r != KV_ABSENT) {
		return r < 0 ? r : transfer_check_same(c, TRANSFER_EXPORT, &asked, rq->transfer);
	}
	const struct schema *s = catalog_get(rq->local->catalog, c, in->arn);

	if (s == NULL || s->creating) {
		return fail_no_such_table(c, in->arn);
	}
	if (s->recovery_ms == 0) {
		return call_fail(c, ERR_NO_RECOVERY,
				 "Point in time recovery is not enabled for table '%.*s'",
				 SLICE_ARG(s->table));
	}
	r = check_time(c, s, in->time_ms);
	if (r < 0) {
		return r;
	}
	rq->schema = s;
	asked.uuid = s->uuid;
	*rq->transfer = asked;
	transfer_begin(t, c, TRANSFER_EXPORT, rq->transfer);
	return 0;
}

static void
request_committed(void *arg)
{
	struct request *rq = arg;

	if (rq->schema != NULL) {
		rq->at = rq->local->kv->ops->snapshot_new(rq->local->kv);
	}
}

int
local_exec_export_table(struct local *l, struct call *c, const struct export_table_in *in,
			struct export_table_out *out)
{
	struct request rq = {.local = l, .in = in, .transfer = &out->export};
	struct job *room = NULL;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no buckets");
	}
	int r = jobs_enter(l->jobs, sizeof(struct job), &(struct job_needs){.snapshot = true}, c,
			   &room);

	if (r < 0) {
		return r;
	}
	r = txn_run_last(l->queue, c, export_run_request, request_committed, &rq);
	if (r == 0 && rq.schema != NULL) {
		struct transfer_job *j = transfer_job_new(l, room, c, TRANSFER_EXPORT, &out->export,
							  rq.schema, export_run_export);

		j->at = rq.at;
		jobs_add(l->jobs, &j->work);
	} else {
		jobs_leave(room);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeExport, ListExports */

int
local_exec_describe_export(struct local *l, struct call *c, const struct describe_export_in *in,
			   struct describe_export_out *out)
{
	return transfer_describe(l, c, TRANSFER_EXPORT, in->arn, &out->export);
}

int
local_exec_list_exports(struct local *l, struct call *c, const struct list_exports_in *in,
			struct list_exports_out *out)
{
	return transfer_list(l, c, TRANSFER_EXPORT, &in->query, &out->page);
}
