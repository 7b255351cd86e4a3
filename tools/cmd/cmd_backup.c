/*
 * cmd_backup - backup, restore
 *
 * The owner of the store writes the backup: this process, a mount or a server.  A second thread waits for the owner,
 * while the main thread shows how the files grow.  After an interruption the main thread removes the unfinished
 * directory, so that the owner fails and stops writing.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

#include "store/base/system/folder.h"
#include "store/engine/engine.h"
#include "store/mark.h"
#include "store/open.h"
#include "store/own.h"

#include "tools/cmd/cmd.h"
#include "tools/session/ctl.h"
#include "tools/system/no_file.h"
#include "tools/system/progress.h"
#include "tools/system/source_form.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

enum { LOOK_MS = 10, LOOKS_SHOWN = 20 };

/* ------------------------------------------------------------ shared */

/* Bytes of a backup that are written so far */
static uint64_t
backup_bytes(const char *path)
{
	cleanup(cleanup_fd) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? 0 : folder_bytes(dir, ".") + folder_bytes(dir, "backups");
}

/* A line for each broken backup of a table; in the call's arena */
static struct slice
lines_of(struct call *c, const struct slice *broken, size_t n)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < n; i++) {
		buf_fmt(&b, "\n  %.*s", SLICE_ARG(broken[i]));
	}
	return buf_view(&b);
}

/* ------------------------------------------------------------ backup */

struct backing_up {
	struct engine *engine;
	struct call c; /* of the second thread */
	struct backup_store_in in;
	struct backup_store_out out;
	int r;
	atomic_bool ended;
	const char *part;    /* name of the directory until it is complete */
	const char *stopped; /* its name after an interruption */
	uint64_t bytes;      /* bytes that were written at that time */
};

static void *
run_engine(void *arg)
{
	struct backing_up *b = arg;

	b->r = engine_backup_store(b->engine, &b->c, &b->in, &b->out);
	b->ended = true;
	return NULL;
}

/* Refuse the name of an archive or "-"; suggest a backup to a directory, and the command that packs it. */
static int
backup_packed(struct call *c, const char *name)
{
	static const char *const packers[][2] = {
		{".tar.gz", "tar -czf % %"},  {".tgz", "tar -czf % %"},
		{".tar.zst", "tar -caf % %"}, {".tar.xz", "tar -cJf % %"},
		{".tar.bz2", "tar -cjf % %"}, {".tar", "tar -cf % %"},
		{".zip", "zip -qr % %"},      {".gz", "tar -czf % %"},
	};
	struct slice file = slice_from(name);
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		struct slice dir = file;

		if (!slice_ends(file, slice_from(packers[i][0]))) {
			continue;
		}
		dir.len -= strlen(packers[i][0]);
		if (dir.len > 0 && typed_line_with(&b, file, dir)) {
			buf_str(&b, " && ");
			fmt_shell(&b, packers[i][1], file, dir);
			return call_fail(c, ERR_USAGE, "a backup is a directory; to pack it: %.*s",
					 SLICE_ARG(buf_view(&b)));
		}
	}
	return slice_is(file, "-") ? call_fail(c, ERR_USAGE,
					       "a backup is a directory, not standard output: "
					       "itemctl backup monday && tar -c monday")
				   : 0;
}

/*
 * Set @out to the absolute path of the new directory, because the owner may have another working directory.  Missing
 * parent directories are created.
 */
static int
cmd_backup_absolute(const struct ctl *ctl, struct call *c, const char *name, struct slice *out)
{
	struct slice whole = slice_from(name);
	char parent[PATH_MAX];

	while (whole.len > 1 && whole.at[whole.len - 1] == '/') {
		whole.len--;
	}
	const char *slash = slice_rchr(whole, '/');
	struct slice last =
		slash == NULL ? whole : slice_skip(whole, (size_t)(slash - whole.at) + 1);

	if (whole.len == 0) {
		return call_fail(c, ERR_USAGE, "backup needs the name of a new directory");
	}
	if (last.len == 0 || slice_is(last, ".") || slice_is(last, "..")) {
		return call_fail(c, ERR_USAGE, "%s: %s", name, strerrordesc_np(EEXIST));
	}
	char *dir = (char *)(slash == NULL ? "."
					   : slice_cstr(&c->arena,
							slice_of(whole.at, whole.len - last.len)));

	if (realpath(dir, parent) == NULL && errno == ENOENT && slash != NULL) {
		folder_parents(dir, 0700);
		if (realpath(dir, parent) != NULL) {
			ctl_note(ctl, "created the folder %.*s",
				 SLICE_ARG(slice_of(dir, (size_t)(slash - whole.at))));
		}
	}
	if (realpath(dir, parent) == NULL) {
		return no_file_made(c, name);
	}
	*out = fmt_slice(&c->arena, "%s/%.*s", strcmp(parent, "/") == 0 ? "" : parent,
			 SLICE_ARG(last));
	return 0;
}

/*
 * Remove the unfinished backup.  It is renamed first, so that the owner cannot complete it.  Files that the owner
 * writes at the same time may remain, so this is called until the owner has ended.
 */
static void
cmd_backup_take_away(struct backing_up *b)
{
	if (rename(b->part, b->stopped) == 0) {
		b->bytes = backup_bytes(b->stopped);
	}
	folder_remove(b->stopped);
}

/* Show progress until the backup has ended. */
static void
look_on(struct backing_up *b, struct progress *p)
{
	for (unsigned turn = 0; !b->ended; turn++) {
		(void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
		if (stop_asked() != 0) {
			cmd_backup_take_away(b);
		} else if (p->on && turn % LOOKS_SHOWN == 0) {
			progress_show(p, 0, backup_bytes(b->part));
		}
	}
}

static int
end_backup(struct ctl *ctl, struct call *c, const struct backing_up *b, double seconds)
{
	const struct backup_store_out *out = &b->out;

	assert(b->ended);
	if (b->r < 0 && stop_asked() != 0) {
		folder_remove(b->stopped);
		return call_fail(c, ERR_BUSY, "interrupted after %.1f MB; nothing was kept",
				 (double)b->bytes / 1e6);
	}
	if (b->r < 0) {
		return ctl_adopt(c, &b->c);
	}
	ctl_note(ctl, "%lu records, %.1f MB, in %.2f s", (unsigned long)out->records,
		 (double)out->bytes / 1e6, seconds);
	if (out->n_broken == 0) {
		return 0;
	}
	return call_fail(c, ERR_CORRUPT,
			 "%.*s is complete except for these broken backups of tables:%.*s",
			 SLICE_ARG(b->in.dir), SLICE_ARG(lines_of(c, out->broken, out->n_broken)));
}

static const char *
part_name(struct call *c, const struct backup_store_in *in, const char *end)
{
	return arena_print(&c->arena, "%.*s.part-%lu%s", SLICE_ARG(in->dir),
			   (unsigned long)in->mark, end);
}

static int
run_backup(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct backing_up b = {.engine = ctl->engine, .in.mark = (uint64_t)getpid()};
	struct progress progress;
	pthread_t thread;

	(void)opts;
	const struct schema *table = NULL;
	int r = backup_packed(c, words->at[0]);

	r = r < 0 ? r : cmd_backup_absolute(ctl, c, words->at[0], &b.in.dir);
	if (r < 0) {
		return r;
	}
	bool named = ctl_schema(ctl, c, slice_from(words->at[0]), &table) == 0;

	c->error = (struct error){0};
	b.part = part_name(c, &b.in, "");
	b.stopped = part_name(c, &b.in, "-stopped");
	call_open(&b.c, c->now_ms, CALL_BUDGET);
	stop_listen();
	(void)rmdir(b.in.dir.at); /* an empty directory is replaced */
	progress_begin(&progress, ctl->quiet, 0);
	if (pthread_create(&thread, NULL, run_engine, &b) != 0) {
		call_close(&b.c);
		return call_fail(c, ERR_IO, "cannot start a thread");
	}
	look_on(&b, &progress);
	(void)pthread_join(thread, NULL);
	progress_end(&progress);
	r = end_backup(ctl, c, &b, progress_seconds(&progress));
	call_close(&b.c);
	if (r == 0 && named) {
		ctl_note(ctl,
			 "the directory %s has the whole store; for this table only: itemctl "
			 "export %s FILE",
			 words->at[0], words->at[0]);
	}
	return r;
}

const struct command cmd_backup = {
	.id = COMMAND_BACKUP,
	.name = "backup",
	.no_dry = "backup changes nothing in the store: it takes no --dry-run",
	.at_home = "to back up a table at the endpoint: itemctl create-backup; to copy all tables "
		   "into a store here: itemctl copy --all --to ./copy",
	.usage = "DIR",
	.instead = "for one table: itemctl export TABLE FILE",
	.summary = "write the whole store, as of one moment, to a new directory",
	.details =
		"The store can be written during a backup. DIR must not exist; it appears when it is\n"
		"complete; missing parent directories are created. If the store is mounted or served,\n"
		"the process that owns it writes the backup. STORE/buckets and STORE/rejected are not\n"
		"included. Each table's own backups are verified; a broken one is reported and left out,\n"
		"and the exit status is 70.",
	.examples = "itemctl backup monday\n"
		    "itemctl -s STORE backup tuesday\n",
	.min_words = 1,
	.max_words = 1,
	.run = run_backup,
};

/* ------------------------------------------------------------ restore */

struct restore_opts {
	bool without_broken;
};

static const struct opt restore_opts[] = {
	{"without-broken", 0, OPT_FLAG, NULL, offsetof(struct restore_opts, without_broken),
	 "leave out broken backups of tables; each is reported"},
	OPTS_END(struct restore_opts),
};

static int
cmd_backup_step(void *arg, struct call *c, uint64_t bytes)
{
	progress_show(arg, 0, bytes);
	return stop_asked() == 0
		       ? 0
		       : call_fail(c, ERR_BUSY, "interrupted after %.1f MB; no store was created",
				   (double)bytes / 1e6);
}

static int
run_restore(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct restore_opts *o = opts;
	struct progress progress;
	struct restore_in in = {.dir = ctl->store,
				.from = words->at[0],
				.without_broken = o->without_broken,
				.step = cmd_backup_step,
				.arg = &progress};
	struct restore_out out = {0};
	struct stat st;
	int r = ctl_named_store(ctl, c);

	if (r < 0) {
		return r;
	}
	if (stat(in.from, &st) == 0 && S_ISREG(st.st_mode) && strstr(in.from, ".t") != NULL) {
		struct buf b = {.arena = &c->arena};

		fmt_shell(&b, "tar -xf % && itemctl restore %", slice_from(in.from),
			  source_stem(in.from));
		return call_fail(c, ERR_USAGE, "%s is a file; a backup is a directory: %.*s",
				 in.from, SLICE_ARG(buf_view(&b)));
	}
	if (store_is_remote(ctl->store)) {
		return call_fail(c, ERR_USAGE, "restore creates a store directory, not %s",
				 ctl->store);
	}
	if (in.from[0] == '\0') {
		return call_fail(c, ERR_USAGE, "restore needs the directory of a backup");
	}
	if (!ctl_store_is_new(ctl, c)) {
		return call_fail(c, ERR_USAGE, "%s: Directory not empty: it is a store",
				 ctl->store);
	}
	const char *why = store_mark(c, ctl->store);

	if (why != NULL) {
		return call_fail(c, ERR_GUARDED, "%s", why);
	}
	progress_begin(&progress, ctl->quiet, backup_bytes(in.from));
	stop_listen();
	r = store_restore(c, &in, &out);
	progress_end(&progress);
	if (r == RESTORE_REFUSED) {
		return call_fail(c, ERR_CORRUPT,
				 "no store was created, because these backups of tables are "
				 "broken (--without-broken restores everything else):%.*s",
				 SLICE_ARG(lines_of(c, out.broken, out.n_broken)));
	}
	for (size_t i = 0; r == 0 && i < out.n_broken; i++) {
		ctl_note(ctl, "left out: %.*s", SLICE_ARG(out.broken[i]));
	}
	if (r == 0) {
		ctl_note(ctl, "%lu records in %.2f s", (unsigned long)out.records,
			 progress_seconds(&progress));
	}
	return r;
}

const struct command cmd_restore = {
	.id = COMMAND_RESTORE,
	.name = "restore",
	.no_dry = "restore only creates a new store: it takes no --dry-run",
	.usage = "DIR [--without-broken]",
	.summary = "create a store from a backup",
	.details = "The store's directory must not exist, or must be empty. All checksums are "
		   "verified, also\n"
		   "those of the tables' own backups. If one is wrong, or the command is "
		   "interrupted, no\n"
		   "store is created.",
	.examples = "itemctl -s restored restore monday\n"
		    "itemctl -s again restore monday --without-broken\n",
	.opts = restore_opts,
	.min_words = 1,
	.max_words = 1,
	.no_store = true,
	.run = run_restore,
};
