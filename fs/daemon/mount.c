/*
 * mount - the life of one mount, and the table of its requests
 */
#include "fs/daemon/mount.h"

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/system/say.h"
#include "store/base/text/near.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "fs/core/deletes.h"
#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"
#include "fs/core/opened.h"
#include "fs/core/pending.h"
#include "fs/core/recent.h"
#include "fs/core/schemas.h"
#include "fs/core/shed.h"
#include "fs/core/times.h"
#include "fs/daemon/allowance.h"
#include "fs/daemon/inval.h"
#include "fs/daemon/options.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/made/follow.h"
#include "fs/made/generated.h"
#include "fs/made/producer.h"
#include "fs/made/table_file.h"
#include "fs/ops/ops.h"
#include "fs/place/place_known.h"
#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"
#include "fs/saved/unstored.h"

/* Seconds of kernel caching: with a feed, the kernel is notified of all changes; without one, it must ask again. */
static const double timeout_exact = 24 * 60 * 60;
static const double timeout_blind = 1;

enum { MINOR_OF_EPOCHS = 44 }; /* FUSE protocol 7.44, Linux 6.16 */

/* FUSE_INIT, before any other request. */
static void
mount_init(void *userdata, struct fuse_conn_info *conn)
{
	struct mount *m = userdata;

	m->has_epochs = conn->proto_major == 7 && conn->proto_minor >= MINOR_OF_EPOCHS;
}

/*
 * The defaults of libfuse are kept: READDIRPLUS when the caller needs it, parallel lookups, O_TRUNC with OPEN, no
 * write-back cache.
 */
const struct fuse_lowlevel_ops mount_ops = {
	.init = mount_init,
	.lookup = ops_lookup,
	.forget = ops_forget,
	.forget_multi = ops_forget_multi,
	.getattr = ops_getattr,
	.setattr = ops_setattr,
	.statfs = ops_statfs,
	.unlink = ops_unlink,
	.link = ops_link,
	.symlink = ops_symlink,
	.mknod = ops_mknod,
	.opendir = ops_opendir,
	.readdir = ops_readdir,
	.readdirplus = ops_readdirplus,
	.releasedir = ops_releasedir,
	.fsyncdir = ops_fsyncdir,
	.mkdir = ops_mkdir,
	.rmdir = ops_rmdir,
	.open = ops_open,
	.create = ops_create,
	.read = ops_read,
	.write = ops_write,
	.flush = ops_flush,
	.fsync = ops_fsync,
	.release = ops_release,
	.poll = ops_poll,
	.rename = ops_rename,
};

/* ------------------------------------------------------------ options */

static char *
mount_copy(const char *option, const char *otherwise)
{
	return mem_string(option == NULL ? otherwise : option);
}

static int
mount_check_options(struct call *c, const struct options *o)
{
	bool table = o->table != NULL && o->table[0] != '\0';
	bool index = o->index != NULL && o->index[0] != '\0';
	const char *suffix = o->suffix == NULL ? "" : o->suffix;

	if (index && !table) {
		return call_fail(c, ERR_VALIDATION, "index=%s needs table=", o->index);
	}
	if (strchr(suffix, '/') != NULL || strlen(suffix) > PATH_SUFFIX_MAX) {
		return call_fail(c, ERR_VALIDATION,
				 "suffix=%s: a suffix has at most %d bytes and no '/'", suffix,
				 PATH_SUFFIX_MAX);
	}
	return 0;
}

enum { MOUNT_LIST_BUDGET = 4 * 1024 * 1024 }; /* bytes for a list of tables */

/* Add the name of a similar table to the error of a missing table. */
static int
mount_no_table(struct call *c, struct mount *m)
{
	struct near near = near_start(slice_from(m->table));
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	struct call own;
	struct buf b;

	call_open(&own, c->now_ms, MOUNT_LIST_BUDGET);
	if (engine_list_tables(m->engine, &own, &in, &out) == 0) {
		for (size_t i = 0; i < out.n_names; i++) {
			near_try(&near, out.names[i]);
		}
	}
	buf_init(&b, &c->arena);
	buf_str(&b, c->error.message);
	near_put(&b, &near, "");
	buf_char(&b, '\0');
	c->error.message = b.at;
	call_close(&own);
	return -ERR_NO_TABLE;
}

static int
mount_no_index(struct call *c, const struct mount *m, const struct schema *schema)
{
	struct near near = near_start(slice_from(m->index));
	struct buf b;

	for (size_t i = 0; i < schema->n_index; i++) {
		near_try(&near, schema->index[i].name);
	}
	buf_init(&b, &c->arena);
	near_put(&b, &near, "");
	return call_fail(c, ERR_NO_INDEX, "table %s has no index %s%.*s", m->table, m->index,
			 SLICE_ARG(buf_view(&b)));
}

static int
check_root(struct call *c, struct mount *m)
{
	const struct schema *schema;

	if (m->table[0] == '\0') {
		return 0;
	}
	int r = schemas_get(&m->schemas, c, slice_from(m->table), &schema);

	if (r == -ERR_NO_TABLE) {
		return mount_no_table(c, m);
	}
	if (r < 0 || m->index[0] == '\0' || schema_view(schema, slice_from(m->index)) != NULL) {
		return r;
	}
	const struct index *ix = schema_index(schema, slice_from(m->index));

	return ix == NULL || ix->state == INDEX_DELETING
		       ? mount_no_index(c, m, schema)
		       : call_fail(c, ERR_NO_INDEX, "index %s of table %s is being filled",
				   m->index, m->table);
}

/* ------------------------------------------------------------ life */

/* How long definitions of an endpoint's tables are used: at least a second, so that a path needs only one request. */
static uint64_t
definitions_ms(double timeout_s)
{
	return timeout_s < 1 ? 1000 : (uint64_t)(timeout_s * 1000);
}

static struct mount *
mount_make(struct hub *hub, const struct options *o, const char *point)
{
	struct mount *m = mem_new(struct mount);

	m->hub = hub;
	m->engine = hub->engine;
	m->stat_table_file = table_file_stat;
	m->feed = engine_feed(hub->engine);
	m->mountpoint = mem_string(point);
	m->table = mount_copy(o->table, "");
	m->index = mount_copy(o->index, "");
	m->suffix = mount_copy(o->suffix, ".json");
	m->ro = o->ro;
	m->ro_why = mount_copy(o->ro ? o->ro_why : NULL, "");
	m->sync = o->sync;
	m->dotdirs = o->dotdirs;
	m->conflict_fail = o->conflict_fail;
	m->consistent = o->consistent;
	m->max_read = allowance_max_read(o);
	m->backoff_ms = allowance_backoff_ms(o);
	m->form = (struct view_form){.pretty = o->pretty, .typed = o->typed};
	m->uid = o->uid;
	m->patience_ns = THREAD_FOR_EVER;
	m->gid = o->gid;
	m->umask = o->umask;
	m->timeout = m->feed != NULL ? timeout_exact : timeout_blind;
	if (o->has_timeout) {
		m->timeout = o->timeout_s;
	}
	recent_init(&m->recent, m->feed == NULL ? m->timeout : 0);
	m->started_ns = clock_now_ms() * NS_PER_MS;
	m->index_known = m->index[0] != '\0';
	(void)pthread_mutex_init(&m->reopens.lock, NULL);
	(void)pthread_mutex_init(&m->scanners.lock, NULL);
	deletes_init(&m->deletes, o->has_max_delete, o->max_delete);
	times_init(&m->dir_times);
	times_init(&m->access_times);
	inodes_init(&m->inodes);
	(void)pthread_mutex_init(&m->known_places.lock, NULL);
	(void)pthread_mutex_init(&m->stored_last.lock, NULL);
	accounts_init(&m->accounts);
	schemas_init(&m->schemas, hub->engine, m->feed == NULL ? definitions_ms(m->timeout) : 0);
	hidden_init(&m->hidden);
	follow_init(&m->follow);
	unstored_init(&m->unstored);
	generated_list_init(&m->generated_list);
	thread_rwlock_init(&m->names_lock);
	(void)pthread_mutex_init(&m->files_lock, NULL);
	(void)pthread_mutex_init(&m->push_lock, NULL);
	shed_init(&m->shed);
	(void)pthread_mutex_init(&m->pending_lock, NULL);
	return m;
}

/* The kernel refuses changes of a read-only mount itself, so log the reason once for .itemfs/errors. */
static void
say_read_only(struct mount *m)
{
	if (m->ro_why[0] != '\0') {
		refused_add(&m->hub->refused, &(struct refusal){.time_ms = clock_now_ms(),
								.mount = m->mountpoint,
								.uid = m->uid,
								.path = slice_from(m->mountpoint),
								.errnum = EROFS,
								.name = "-",
								.sentence = m->ro_why});
	}
}

int
mount_new(struct call *c, struct hub *hub, const struct options *o, const char *point,
	  struct mount **out)
{
	int r = mount_check_options(c, o);

	if (r < 0) {
		return r;
	}
	struct mount *m = mount_make(hub, o, point);

	r = check_root(c, m);
	if (r < 0) {
		mount_free(m);
		return r;
	}
	say_read_only(m);
	*out = m;
	return 0;
}

int
mount_start(struct call *c, struct mount *m, struct fuse_session *se, struct loop *l)
{
	m->session = se;
	m->loop = l;
	int r = inval_start(c, m);

	if (r == 0) {
		hub_add(m->hub, m);
	}
	return r;
}

/* Keep the texts of scratch files.  After opened_end(), no other files are left. */
static void
finish_files(struct mount *m)
{
	struct call c;
	struct file **all;

	mount_call_open(m, &c);
	size_t n = file_all(m, &c.arena, &all);

	for (size_t i = 0; i < n; i++) {
		struct call one;

		mount_call_open(m, &one);
		file_keep_scratch(m, &one, all[i]);
		call_close(&one);
	}
	/* Before hidden items are deleted, because these texts may be their only copies. */
	bool durable = rejected_settle(&m->hub->rejected, c.now_ms) == 0;

	for (size_t i = 0; i < n; i++) {
		struct call one;

		mount_call_open(m, &one);
		file_end_scratch(m, &one, all[i], durable);
		file_put(m, all[i]);
		call_close(&one);
	}
	call_close(&c);
}

void
mount_quiet(struct mount *m)
{
	hub_remove(m->hub, m);
	if (mount_is_remote(m)) {
		mount_renew_patience(m);
	}
	inval_stop(m);
	shed_end(m);
	follow_end(m);
}

/* Closing the store would do this, but it may stay open for other mounts. */
static void
mount_make_durable(struct mount *m)
{
	struct call c;
	struct sync_in in = {0};
	struct sync_out out;

	mount_call_open(m, &c);
	if (engine_sync(m->engine, &c, &in, &out) < 0) {
		say("%s: the last changes may not survive a crash of the machine: %s",
		    m->mountpoint, c.error.message);
	}
	call_close(&c);
}

void
mount_stop(struct mount *m)
{
	mount_quiet(m);
	m->ending = true;
	inval_end(m);
	opened_end(m);
	producers_wait(m);
	tail_wait(m);
	hidden_stop(m);
	finish_files(m);
	hidden_end(m);
	if (!m->ro && !mount_is_remote(m)) {
		mount_make_durable(m);
	}
	unstored_say(&m->unstored);
}

void
mount_free(struct mount *m)
{
	if (m == NULL) {
		return;
	}
	generated_list_release(&m->generated_list);
	hidden_free(&m->hidden);
	unstored_release(&m->unstored);
	follow_release(&m->follow);
	pending_release(m);
	place_known_release(m);
	inodes_release(&m->inodes);
	accounts_release(&m->accounts);
	recent_release(&m->recent);
	times_release(&m->access_times);
	times_release(&m->dir_times);
	schemas_release(&m->schemas);
	free(m->mountpoint);
	free(m->table);
	free(m->index);
	free(m->suffix);
	free(m->ro_why);
	(void)pthread_mutex_destroy(&m->files_lock);
	(void)pthread_rwlock_destroy(&m->names_lock);
	(void)pthread_mutex_destroy(&m->pending_lock);
	(void)pthread_mutex_destroy(&m->push_lock);
	(void)pthread_mutex_destroy(&m->known_places.lock);
	(void)pthread_mutex_destroy(&m->stored_last.lock);
	shed_release(&m->shed);
	deletes_release(&m->deletes);
	(void)pthread_mutex_destroy(&m->reopens.lock);
	(void)pthread_mutex_destroy(&m->scanners.lock);
	free(m);
}
