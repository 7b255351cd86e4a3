/* serve_process - see serve_process.h */
#include "tools/cmd/serve_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"

#include "tools/load/seed.h"
#include "tools/system/scratch_store.h"
#include "tools/text/typed_line.h"

const char *
serve_process_program(struct call *c)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');

		*slash = '\0';
		const char *beside = arena_print(&c->arena, "%s/itemfs", self);
		const char *built = arena_print(&c->arena, "%s/../fs/itemfs", self);

		if (access(beside, X_OK) == 0) {
			return beside;
		}
		if (access(built, X_OK) == 0) {
			return built;
		}
	}
	return "itemfs";
}

/*
 * Append an option in the form that itemfs reads after -o.
 * @name:  "NAME=", or the name of an option without a value
 * @value: "" if there is no value; NULL: append nothing
 */
static void
serve_process_add_option(struct buf *b, const char *name, const char *value)
{
	if (value == NULL) {
		return;
	}
	buf_str(b, b->len == 0 ? "" : ",");
	buf_str(b, name);
	for (; *value != '\0'; value++) {
		if (*value == ',' || *value == '\\') {
			buf_char(b, '\\');
		}
		buf_char(b, *value);
	}
}

/*
 * argv[0] of the server: the typed line, so that ps and pgrep -f find it.  Because of the ":" at the end, itemfs does
 * not take it for the name mount.itemfs.
 */
static const char *
serve_process_title(struct call *c)
{
	struct buf b = {.arena = &c->arena};

	if (!typed_line_with(&b, SLICE(""), SLICE(""))) {
		buf_str(&b, "itemctl serve");
	}
	buf_char(&b, ':');
	return slice_cstr(&c->arena, buf_view(&b));
}

/* Replace this process by itemfs.  Return: only if that fails, -ERR_IO */
static int
serve_process_exec(struct call *c, const struct serve_plan *p, const char *store)
{
	const struct serve_opts *o = &p->o;
	const char *argv[] = {
		serve_process_title(c), store, "--no-mount", "-f", "--create", NULL, NULL, NULL};
	struct buf options = {.arena = &c->arena};

	serve_process_add_option(&options, "listen=", o->at.listen);
	serve_process_add_option(&options, "note=", o->at.listen == NULL ? NULL : p->note);
	serve_process_add_option(&options, "port_file=", o->port_file);
	serve_process_add_option(&options, "credentials=", o->credentials);
	serve_process_add_option(&options, "cors=", o->cors);
	serve_process_add_option(&options, "host=", o->at.names);
	serve_process_add_option(&options, "patterns=", o->patterns);
	serve_process_add_option(&options, "request_log=", o->log);
	serve_process_add_option(&options, "ttl_sweep=", o->ttl_sweep);
	serve_process_add_option(&options, "quiet", o->at.listen != NULL && o->quiet ? "" : NULL);
	serve_process_add_option(&options, "web", o->web ? "" : NULL);
	if (options.len > 0) {
		argv[5] = "-o";
		argv[6] = slice_cstr(&c->arena, buf_view(&options));
	}
	(void)dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	(void)signal(SIGPIPE, SIG_DFL);
	private_umask_end();
	(void)execvp(p->program, (char **)argv);
	return call_fail(c, ERR_IO, "%s cannot be started: %s", p->program, strerrordesc_np(errno));
}

/*
 * Wait until the writing end of the pipe @server is closed in all processes, then remove @dir and end the process.  All
 * signals are blocked and the process has its own session, so only SIGKILL ends it earlier.  It has a name of its own,
 * and its standard descriptors are /dev/null, so that a reader of the server's output sees the end of it.
 */
static void
serve_process_remove(const char *dir, const int server[2])
{
	char nothing;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	typed_line_hide();
	(void)prctl(PR_SET_NAME, "itemfs-remover");
	(void)setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		(void)dup2(null, fd);
	}
	(void)close(server[1]);
	while (read(server[0], &nothing, 1) < 0 && errno == EINTR) {
	}
	folder_remove(dir);
	_exit(0);
}

/* Make a temporary store, start the process that removes it, and become itemfs. */
static int
serve_process_temp(struct call *c, const struct serve_plan *p)
{
	struct scratch scratch;
	int server[2]; /* a pipe; itemfs keeps the writing end open as long as it runs */
	int r = scratch_make(c, &scratch, NULL);

	if (r < 0) {
		return r;
	}
	pid_t child = pipe(server) == 0 ? fork() : -1;

	if (child == 0) {
		serve_process_remove(scratch.at.path, server);
	}
	if (child < 0) {
		r = call_fail(c, ERR_IO,
			      "cannot start the process that removes the temporary store: %s",
			      strerrordesc_np(errno));
		scratch_remove(&scratch);
		return r;
	}
	scratch_leave(&scratch);
	(void)close(server[0]);
	(void)fcntl(scratch.at.fd, F_SETFD, 0); /* itemfs inherits the lock of the directory */
	const char *store = scratch.at.path;

	if (seed_is_wanted(&p->o.seed)) {
		r = seed_fill(p->ctl, c, &p->o.seed, scratch.at.path, &store);
	}
	r = r < 0 ? r : serve_process_exec(c, p, store);
	free(scratch.at.path);
	return r;
}

int
serve_process_become(struct call *c, const void *plan)
{
	const struct serve_plan *p = plan;

	assert(p->program != NULL);
	return p->store == NULL ? serve_process_temp(c, p) : serve_process_exec(c, p, p->store);
}
