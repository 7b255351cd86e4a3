/*
 * local - opens and closes the embedded engine; dispatches operations by a switch that is generated from op.def
 *
 * engine.c calls these functions; they call one local_exec_*() function for each operation.
 */
#include "store/local/local.h"

#include <fcntl.h>

#include "store/base/system/private.h"
#include "store/base/system/say.h"
#include "store/engine/engine.h"
#include "store/engine/feed.h"
#include "store/kv/kv.h"
#include "store/local/check/table_scan.h"
#include "store/local/commit/damage.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/jobs/tasks.h"
#include "store/local/meter/key_usage.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/catalog.h"
#include "store/local/records/format.h"
#include "store/local/records/local_int.h"
#include "store/local/recovery.h"
#include "store/local/tables/index_job.h"
#include "store/local/tables/stream_trim.h"
#include "store/local/write/token.h"
#include "store/op/validate.h"

static int
local_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct local *l = (struct local *)e;
	int r = op_validate(c, in);

	if (r < 0) {
		return r;
	}
	if (in->type == OP_SWEEP) {
		table_scans_forget(l->table_scans, c->now_ms);
	}
	switch (in->type) {
#define OP(NAME, name, Name, kind, group, meter, check) \
	case OP_##NAME: \
		return damage_seen(l, c, local_exec_##name(l, c, &in->name, &out->name));
#include "store/op/op.def"
#undef OP
	case OP_COUNT:
		break;
	}
	return call_fail(c, ERR_UNKNOWN_OPERATION, "there is no such operation");
}

/* Accept operations that take little time, except for the sync of a write. */
static bool
local_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	     engine_done_fn *done, void *arg)
{
	if (in->type == OP_GET_ITEM) {
		done(arg, engine_execute(e, c, in, out));
		return true;
	}
	if (in->type != OP_PUT_ITEM && in->type != OP_UPDATE_ITEM && in->type != OP_DELETE_ITEM) {
		return false;
	}
	int r = op_validate(c, in);

	if (r < 0) {
		done(arg, r);
	} else {
		local_submit_item((struct local *)e, c, in, out, done, arg);
	}
	return true;
}

/* The engine has no rejected items: only the front end that owns the mounts knows them. */
int
local_exec_refused(struct local *l, struct call *c, const struct refused_in *in,
		   struct refused_out *out)
{
	(void)l;
	(void)c;
	(void)in;
	*out = (struct refused_out){0};
	return 0;
}

static struct feed *
local_feed(struct engine *e)
{
	return ((struct local *)e)->feed;
}

static struct view *
local_view_open(struct engine *e)
{
	struct kv *kv = ((struct local *)e)->kv;
	struct view *view = mem_new(struct view);

	view->snapshot = kv->ops->snapshot_new(kv);
	return view;
}

static void
local_view_close(struct engine *e, struct view *view)
{
	struct kv *kv = ((struct local *)e)->kv;

	kv->ops->snapshot_free(kv, view->snapshot);
	free(view);
}

static void
local_close(struct engine *e)
{
	struct local *l = (struct local *)e;

	jobs_free(l->jobs);
	tasks_free(l->tasks);
	txn_queue_free(l->queue);
	feed_free(l->feed);
	table_scans_free(l->table_scans);
	throttle_free(l->throttle);
	key_usage_free(l->key_usage);
	catalog_free(l->catalog);
	l->kv->ops->close(l->kv);
	free(l->dir);
	cleanup_fd(&l->at);
	free(l);
}

static const struct engine_ops local_ops = {
	.execute = local_execute,
	.submit = local_submit,
	.feed = local_feed,
	.view_open = local_view_open,
	.view_close = local_view_close,
	.row_stream_open = local_row_stream_open,
	.close = local_close,
};

/* The engine owns @kv and @at from here on, also on failure. */
static int
local_open_at(struct call *c, struct kv *kv, const char *dir, int at, struct engine **out)
{
	static const struct tasks_work work = {
		.index = index_job_run,
		.trim = stream_trim,
		.token = token_dead,
	};
	struct local *l = mem_new(struct local);

	l->engine.ops = &local_ops;
	l->kv = kv;
	l->dir = dir == NULL ? NULL : mem_string(dir);
	l->at = at;
	l->feed = feed_new();
	l->table_scans = table_scans_new();

	l->throttle = throttle_new();
	l->key_usage = key_usage_new();
	int r = catalog_load(c, kv, &l->catalog);

	if (r == 0) {
		r = txn_queue_new(c, kv, l->feed, &l->queue);
	}
	if (r == 0) {
		r = tasks_new(c, l, &work, &l->tasks);
	}
	if (r == 0) {
		l->jobs = jobs_new();
		recovery_tidy(l, c);
	}
	if (r < 0) {
		local_close(&l->engine);
		return r;
	}
	*out = &l->engine;
	return 0;
}

int
local_open_kv(struct call *c, struct kv *kv, const char *dir, struct engine **out)
{
	int at = dir == NULL ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return local_open_at(c, kv, dir, at, out);
}

/* Remove permissions of other users that earlier versions left on the store's folders. */
static void
local_tighten(const char *dir, int at)
{
	static const char *const names[] = {"db", "backups", "rejected", "scratch", "damaged"};
	struct buf done = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup(cleanup_fd) int fd = private_folder(at, names[i], false);

		if (fd >= 0 && private_tighten(fd)) {
			buf_fmt(&done, "%s%s", done.len == 0 ? "" : ", ", names[i]);
		}
	}
	if (done.len > 0) {
		say("%s: other users had access to %.*s: now only the owner has", dir,
		    SLICE_ARG(buf_view(&done)));
	}
	buf_release(&done);
}

int
local_open(struct call *c, const char *dir, bool create, struct engine **out)
{
	struct kv *kv = NULL;
	cleanup(cleanup_fd) int at = -1;
	int r = format_check(c, dir, create, &at);

	if (r < 0) {
		return r;
	}
	local_tighten(dir, at);
	r = kv_leveldb_open_at(c, at, "db", arena_print(&c->arena, "%s/db", dir), create, &kv);
	if (r < 0) {
		return r;
	}
	int own = at;

	at = -1;
	return local_open_at(c, kv, dir, own, out);
}
