/*
 * cmd_backup - backup, restore
 *
 * A backup is written by whoever owns the store, be it this process or a mount; this one looks on
 * how the file grows.  Who interrupts it takes the unfinished directory away, and that ends it there.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/base/folder.h"
#include "store/open.h"
#include "store/own.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/progress.h"
#include "tools/stop.h"

enum { LOOK_MS = 10 };

/* ------------------------------------------------------------ backup */

struct backing_up {
	struct engine *engine;
	struct call c; /* of the thread */
	struct backup_store_in in;
	struct backup_store_out out;
	int r;
	atomic_bool ended;
};

static void *
run_engine(void *arg)
{
	struct backing_up *b = arg;

	b->r = engine_backup_store(b->engine, &b->c, &b->in, &b->out);
	b->ended = true;
	return NULL;
}

/* An absolute path, since the owner may work in another directory; the last part is not there yet. */
static int
absolute(struct call *c, const char *name, struct slice *out)
{
	struct slice whole = slice_from(name);
	struct buf path;
	char parent[PATH_MAX];

	while (whole.len > 1 && whole.at[whole.len - 1] == '/') {
		whole.len--;
	}
	const char *slash = memrchr(whole.at, '/', whole.len);
	struct slice last =
		slash == NULL ? whole : slice_skip(whole, (size_t)(slash - whole.at) + 1);

	if (whole.len == 0) {
		return call_fail(c, ERR_VALIDATION, "backup wants the name of a new directory");
	}
	if (last.len == 0 || slice_is(last, ".") || slice_is(last, "..")) {
		errno = EEXIST;
		return call_fail(c, ERR_VALIDATION, "%s: %s", name, strerrordesc_np(EEXIST));
	}
	if (realpath(slash == NULL
			     ? "."
			     : slice_cstr(&c->arena, slice_of(whole.at, whole.len - last.len)),
		     parent) == NULL) {
		return ctl_no_file(c, name);
	}
	buf_init(&path, &c->arena);
	buf_fmt(&path, "%s/%.*s", strcmp(parent, "/") == 0 ? "" : parent, SLICE_ARG(last));
	*out = buf_view(&path);
	return 0;
}

/* Look on until it has ended. */
static void
look_on(struct backing_up *b, struct progress *p, const char *part)
{
	struct buf file;

	buf_init(&file, NULL);
	buf_fmt(&file, "%s/BACKUP", part);
	buf_char(&file, '\0');
	while (!b->ended) {
		struct stat st;

		(void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
		if (stat(file.at, &st) == 0) {
			progress_show(p, 0, (uint64_t)st.st_size);
			if (stop_asked() != 0) {
				folder_remove(part);
			}
		}
	}
	buf_release(&file);
}

static int
run_backup(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct backing_up b = {.engine = ctl->engine, .in.mark = (uint64_t)getpid()};
	struct progress progress;
	struct buf part;
	pthread_t thread;

	(void)opts;
	int r = absolute(c, words->at[0], &b.in.dir);
	if (r < 0) {
		return r;
	}
	buf_init(&part, &c->arena);
	buf_fmt(&part, "%.*s.part-%lu", SLICE_ARG(b.in.dir), (unsigned long)b.in.mark);
	call_open(&b.c, c->now_ms, CTL_BUDGET);
	stop_listen();
	progress_begin(&progress, ctl->quiet, 0);
	if (pthread_create(&thread, NULL, run_engine, &b) != 0) {
		return call_fail(c, ERR_IO, "no thread can be made");
	}
	look_on(&b, &progress, slice_cstr(&c->arena, buf_view(&part)));
	(void)pthread_join(thread, NULL);
	progress_end(&progress);
	if (b.r == 0) {
		ctl_note(ctl, "%lu records, %.1f MB, in %.2f s", (unsigned long)b.out.records,
			 (double)b.out.bytes / 1e6, progress_seconds(&progress));
	} else {
		r = stop_check(c);
		r = r < 0 ? r : ctl_adopt(c, &b.c);
	}
	call_close(&b.c);
	return r;
}

const struct command cmd_backup = {
	.name = "backup",
	.usage = "DIR",
	.summary = "write the whole store to a new directory, as it is at one moment",
	.details =
		"While others write, too. DIR must not be there; it has its name when it is complete.\n"
		"A mounted or served store is written by the process that owns it. What is in\n"
		"STORE/buckets and STORE/rejected is no part of it.",
	.min_words = 1,
	.max_words = 1,
	.run = run_backup,
};

/* ------------------------------------------------------------ restore */

static int
step(void *arg, struct call *c, uint64_t bytes)
{
	progress_show(arg, 0, bytes);
	return stop_check(c);
}

static int
run_restore(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct progress progress;
	uint64_t records = 0;
	struct stat st;
	struct buf file;

	(void)opts;
	int r = ctl_named_store(ctl, c);
	if (r < 0) {
		return r;
	}
	if (store_is_remote(ctl->store)) {
		return call_fail(c, ERR_VALIDATION, "restore makes a store directory, not %s",
				 ctl->store);
	}
	buf_init(&file, &c->arena);
	buf_fmt(&file, "%s/BACKUP", words->at[0]);
	progress_begin(&progress, ctl->quiet,
		       stat(slice_cstr(&c->arena, buf_view(&file)), &st) == 0 ? (uint64_t)st.st_size
									      : 0);
	stop_listen();
	r = store_restore(c, ctl->store, words->at[0], step, &progress, &records);
	progress_end(&progress);
	if (r == 0) {
		ctl_note(ctl, "%lu records in %.2f s", (unsigned long)records,
			 progress_seconds(&progress));
	}
	return r;
}

const struct command cmd_restore = {
	.name = "restore",
	.usage = "DIR",
	.summary = "make a store of what backup has written",
	.details =
		"The store's directory must not be there, or be empty. Every checksum is looked at;\n"
		"when something is wrong, or it is interrupted, no store is made.",
	.min_words = 1,
	.max_words = 1,
	.no_store = true,
	.run = run_restore,
};
