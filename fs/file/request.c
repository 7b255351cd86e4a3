/* request - see request.h; fs/ops and fs/made use it */
#include "fs/file/request.h"

#include "store/base/core/clock.h"
#include "store/base/core/throttled.h"
#include "store/engine/feed.h"

#include "fs/core/again.h"
#include "fs/core/backoff.h"
#include "fs/core/deletes.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/core/reopens.h"
#include "fs/core/times.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"
#include "fs/saved/refused.h"

enum { REQUEST_BUDGET = 64 * 1024 * 1024 };

void
request_open(struct request *rq, fuse_req_t req)
{
	rq->fuse = req;
	rq->m = fuse_req_userdata(req);
	call_open(&rq->c, clock_now_ms(), REQUEST_BUDGET);
	arena_lend(&rq->c.arena, &rq->memory);
	rq->c.origin = rq->m;
	rq->c.uid = fuse_req_ctx(req)->uid;
	rq->c.comes_again = again_may();
	request_may_end_early(rq, false);
	rq->newest = rq->m->feed == NULL ? 0 : feed_newest(rq->m->feed);
	rq->index_known = rq->m->index_known;
}

void
request_close(struct request *rq)
{
	call_close(&rq->c);
}

static bool
is_given_up(const void *asker)
{
	const struct request *rq = asker;

	return fuse_req_interrupted(rq->fuse) != 0 || fuse_session_exited(rq->m->session) != 0;
}

void
request_may_end_early(struct request *rq, bool early)
{
	rq->c.patient = early;
	rq->c.given_up = early ? is_given_up : NULL;
	rq->c.asker = early ? rq : NULL;
	if (!early && mount_is_remote(rq->m)) {
		rq->c.given_up = mount_is_out_of_patience;
		rq->c.asker = rq->m;
	}
}

double
request_timeout(const struct request *rq)
{
	const struct mount *m = rq->m;

	return m->feed == NULL || feed_newest(m->feed) == rq->newest ? m->timeout : 0;
}

int
request_errno(int r)
{
	switch (r) {
	case PLACE_ABSENT:
	case PLACE_NO_QUERY:
		return ENOENT;
	case PLACE_INTERRUPTED:
		return EINTR;
	case PLACE_ODD:
	case PLACE_POISONED:
		return EBADMSG;
	case PLACE_TOO_LONG:
		return ENAMETOOLONG;
	case PLACE_EXISTS:
		return EEXIST;
	case PLACE_STALE:
	case PLACE_GONE:
		return ESTALE;
	case PLACE_NOT_EMPTY:
		return ENOTEMPTY;
	case PLACE_APART:
	case PLACE_ONE_BY_ONE:
		return EXDEV;
	default:
		break;
	}
	return error_posix((enum err) - r);
}

struct slice
request_path(struct mount *m, struct arena *a, struct node *node, const char *name)
{
	struct inode_step steps[INODE_DEPTH_MAX];
	size_t depth = inode_way(&m->inodes, a, node, steps);
	struct buf path;

	buf_init(&path, a);
	buf_str(&path, m->mountpoint);
	for (size_t i = 0; i < depth; i++) {
		/* The name of a scratch file starts with a '/'. */
		if (steps[i].kind != NODE_SCRATCH) {
			buf_char(&path, '/');
		}
		buf_slice(&path, steps[i].name);
		if (steps[i].kind == NODE_ITEM) {
			buf_str(&path, m->suffix);
		}
	}
	if (name != NULL) {
		buf_char(&path, '/');
		buf_str(&path, name);
	}
	return buf_view(&path);
}

static void
file_request_note(struct refused *log, struct mount *m, struct call *c, uint32_t uid, int errnum,
		  struct slice path, const char *wire, const char *sentence)
{
	refused_add(log, &(struct refusal){
				 .time_ms = c->now_ms,
				 .mount = m->mountpoint,
				 .uid = uid,
				 .path = path,
				 .errnum = errnum,
				 .name = wire,
				 .sentence = sentence,
			 });
}

static const char *
wire_name(const struct call *c)
{
	return c->error.code == ERR_NONE ? "-" : error_wire(c->error.code);
}

void
request_log(struct mount *m, struct call *c, uint32_t uid, int errnum, struct node *node,
	    const char *sentence)
{
	file_request_note(&m->hub->refused, m, c, uid, errnum,
			  request_path(m, &c->arena, node, NULL), wire_name(c), sentence);
}

/* Settle the open lines of @log about the path; there are seldom any. */
static void
file_request_settle(struct refused *log, struct mount *m, struct call *c, struct node *node,
		    const char *name)
{
	if (log->n_open > 0) {
		refused_settle(log, request_path(m, &c->arena, node, name));
	}
}

void
request_settle(struct mount *m, struct call *c, struct node *node)
{
	file_request_settle(&m->hub->refused, m, c, node, NULL);
	file_request_settle(&m->hub->answers, m, c, node, NULL);
	file_request_settle(&m->hub->remarks, m, c, node, NULL);
	file_request_settle(&m->hub->missed, m, c, node, NULL);
}

void
request_over(struct request *rq, struct node *dir, const char *name)
{
	file_request_settle(&rq->m->hub->remarks, rq->m, &rq->c, dir, name);
}

void
request_made(struct request *rq, struct node *dir, const char *name)
{
	file_request_settle(&rq->m->hub->missed, rq->m, &rq->c, dir, name);
}

void
request_remark(struct mount *m, struct call *c, uint32_t uid, struct node *node,
	       struct slice sentence)
{
	if (sentence.len > 0) {
		file_request_note(&m->hub->remarks, m, c, uid, 0,
				  request_path(m, &c->arena, node, NULL), "-",
				  slice_cstr(&c->arena, sentence));
	}
}

bool
request_is_by(const struct request *rq, const char *program)
{
	pid_t pid = fuse_req_ctx(rq->fuse)->pid;
	char text[sizeof("/proc//comm") + 3 * sizeof(pid)];

	(void)snprintf(text, sizeof(text), "/proc/%d/comm", (int)pid);
	FILE *f = pid > 0 ? fopen(text, "re") : NULL;
	bool is = f != NULL && fgets(text, sizeof(text), f) != NULL;

	text[strcspn(text, "\n")] = '\0';
	if (f != NULL) {
		(void)fclose(f);
	}
	return is && strcmp(text, program) == 0;
}

void
request_missed(struct request *rq, int errnum, struct node *dir, const char *name,
	       struct slice sentence)
{
	file_request_note(&rq->m->hub->missed, rq->m, &rq->c, rq->c.uid, errnum,
			  request_path(rq->m, &rq->c.arena, dir, name), "-",
			  slice_cstr(&rq->c.arena, sentence));
}

/* The message of the call's error, on one line. */
static const char *
error_said(struct call *c)
{
	const struct error *e = &c->error;
	struct buf b;

	if (e->message == NULL || e->throttled.n == 0) {
		return e->message == NULL ? "" : e->message;
	}
	buf_init(&b, &c->arena);
	buf_str(&b, e->message);
	throttled_put(&b, &e->throttled);
	return slice_cstr(&c->arena, buf_view(&b));
}

void
request_note(struct mount *m, struct call *c, uint32_t uid, int r, struct node *node)
{
	request_log(m, c, uid, request_errno(r), node, error_said(c));
}

/*
 * Return: whether any filesystem returns this error, and programs provoke it on purpose: a name that exists, a
 * directory that is not empty, a place where nothing can be created. A message of the engine says more, unless the name
 * exists; and without @name the error is about the written text.
 */
static bool
is_plain_answer(const struct call *c, int errnum, const char *name)
{
	switch (errnum) {
	case EEXIST:
		return name != NULL;
	case ENOTEMPTY:
	case EXDEV:
	case EPERM:
	case EISDIR:
	case EROFS:
		return c->error.code == ERR_NONE;
	default:
		return false;
	}
}

void
request_refuse(struct request *rq, int errnum, struct node *node, const char *name,
	       const char *sentence)
{
	struct slice path = request_path(rq->m, &rq->c.arena, node, name);

	struct refused *log =
		is_plain_answer(&rq->c, errnum, name) ? &rq->m->hub->answers : &rq->m->hub->refused;

	refused_settle(&rq->m->hub->missed, path); /* this line says more */
	file_request_note(log, rq->m, &rq->c, rq->c.uid, errnum, path, wire_name(&rq->c), sentence);
	(void)fuse_reply_err(rq->fuse, errnum);
}

void
request_refuse_read_only(struct request *rq, struct node *node, const char *name)
{
	request_refuse(rq, EROFS, node, name, mount_read_only(rq->m));
}

bool
request_deny_delete(struct request *rq, struct slice table, struct node *dir, const char *name)
{
	struct mount *m = rq->m;

	if (again_is_done() || deletes_take(&m->deletes, table, clock_steady_ms())) {
		again_done();
		return false;
	}
	file_request_note(
		&m->hub->refused, m, &rq->c, rq->c.uid, EPERM,
		request_path(m, &rq->c.arena, dir, name), "-",
		arena_print(&rq->c.arena,
			    "this would delete more than max_delete=%u items of table %.*s within "
			    "a minute: mount with a larger -o max_delete=N, or -o "
			    "allow_mass_delete for no limit",
			    m->deletes.max, SLICE_ARG(table)));
	(void)fuse_reply_err(rq->fuse, EPERM);
	return true;
}

static const char *
sentence_of(struct request *rq, int r)
{
	switch (r) {
	case PLACE_EXISTS:
		return "the target exists";
	case PLACE_NOT_EMPTY:
		return "the partition has items";
	case PLACE_APART:
		return "one transaction cannot move more than 100 items or 4 MB";
	case PLACE_ONE_BY_ONE:
		return "this server has no transactions: mv copies and deletes";
	default:
		return error_said(&rq->c);
	}
}

/* The kernel looks the name up once more: see reopens.h. */
static void
note_gone(struct request *rq, struct node *node)
{
	struct inodes *inodes = &rq->m->inodes;
	struct node *dir = inode_parent(inodes, node);

	reopens_begin(&rq->m->reopens, fuse_req_ctx(rq->fuse)->pid, dir,
		      inode_name(inodes, &rq->c.arena, node), clock_steady_ms());
	inode_unref(inodes, dir);
}

void
request_fail(struct request *rq, int r, struct node *node, const char *name)
{
	int errnum = request_errno(r);

	/* An interrupted wait for an endpoint or a throttled table is not the store's error. */
	bool waited = r == -ERR_UNREACHABLE || backoff_passes(r);

	if (again_ask(rq->m, rq->fuse, r)) {
		again_drop(rq->fuse);
		return;
	}
	if (waited && fuse_req_interrupted(rq->fuse) != 0) {
		(void)fuse_reply_err(rq->fuse, EINTR);
		return;
	}
	/* An absent name needs no explanation, and an explained error no second one. */
	if (r == PLACE_GONE && name == NULL) {
		note_gone(rq, node);
	}
	if (r == PLACE_ABSENT || r == PLACE_POISONED || r == PLACE_INTERRUPTED || r == PLACE_GONE) {
		(void)fuse_reply_err(rq->fuse, errnum);
		return;
	}
	request_refuse(rq, errnum, node, name, sentence_of(rq, r));
}

void
request_end(struct request *rq, int r, struct node *node, const char *name)
{
	if (r == 0) {
		(void)fuse_reply_err(rq->fuse, 0);
	} else {
		request_fail(rq, r, node, name);
	}
}

/* ------------------------------------------------------------ attributes */

/* The C library reads a directory in pieces of its block size: larger blocks mean fewer READDIRs. */
enum { DIRECTORY_BLOCK = 128 * 1024, STREAM_BLOCK = 256 * 1024, FILE_BLOCK = 4096 };

static struct timespec
attr_time(const struct mount *m, uint64_t ns)
{
	ns = ns == 0 ? m->started_ns : ns;
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_nsec = (long)(ns % NS_PER_S)};
}

static void
attr_fill_times(struct mount *m, const struct attributes *attributes, uint64_t ino, struct stat *st)
{
	struct times_entry e,
		own = {ino, attributes->mtime_ns, attributes->mtime_ns, attributes->mtime_ns};

	if (attributes->is_dir) {
		(void)times_get(&m->dir_times, ino, attributes->mtime_ns, &own);
	} else if (times_get(&m->access_times, ino, 0, &e) && e.atime_ns != 0) {
		own.atime_ns = e.atime_ns;
	}
	st->st_atim = attr_time(m, own.atime_ns);
	st->st_mtim = attr_time(m, own.mtime_ns);
	st->st_ctim = attr_time(m, own.ctime_ns);
}

void
attr_fill(struct mount *m, const struct attributes *attributes, uint64_t ino, struct stat *st)
{
	*st = (struct stat){
		.st_ino = ino,
		.st_mode = attributes->is_dir ? S_IFDIR | (0777 & ~m->umask)
					      : S_IFREG | (0666 & ~m->umask),
		/* For a directory, 1 means that its subdirectories are not counted. */
		.st_nlink = attributes->gone ? 0 : 1,
		.st_uid = m->uid,
		.st_gid = m->gid,
		.st_size = (off_t)attributes->size,
		.st_blksize = attributes->is_dir     ? DIRECTORY_BLOCK
			      : attributes->streamed ? STREAM_BLOCK
						     : FILE_BLOCK,
		.st_blocks = (blkcnt_t)((attributes->size + 511) / 512),
	};
	attr_fill_times(m, attributes, ino, st);
	if (attributes->owned) {
		st->st_mode = S_IFREG | attributes->mode;
		st->st_uid = attributes->uid;
		st->st_gid = attributes->gid;
	}
}

int
attr_get(struct request *rq, struct node *n, const struct place *p, struct attributes *out,
	 bool *unstable)
{
	bool file = p->role == ROLE_ITEM || p->role == ROLE_SCRATCH;

	*unstable = file && attr_of_writer(rq->m, n, out);
	if (*unstable) {
		return 0;
	}
	/* An open directory that was removed, or replaced by another one. */
	if (p->role == ROLE_PARTITION && (n->flags & NODE_DETACHED) != 0) {
		*unstable = true;
		*out = (struct attributes){
			.is_dir = true, .gone = true, .mtime_ns = place_time(rq->m, p)};
		return 0;
	}
	*unstable = place_is_fleeting(p);
	int r = place_stat(rq->m, &rq->c, p, NULL, out);

	if (r == PLACE_ABSENT && p->role == ROLE_PARTITION &&
	    (pending_is(n) || file_has_own(rq->m, n))) {
		*out = (struct attributes){.is_dir = true, .mtime_ns = place_time(rq->m, p)};
		return 0;
	}
	return r;
}
