/* serve_keeper - see serve_keeper.h */
#include "tools/cmd/serve_keeper.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/folder.h"

#include "tools/text/typed_line.h"

/* Like pidfd_open(2), which glibc declares since 2.36 */
static int
serve_keeper_open(pid_t process)
{
	return (int)syscall(SYS_pidfd_open, process, 0);
}

int
serve_keeper_watch(struct call *c, const struct opt_count *process, int *out)
{
	*out = -1;
	if (!process->given) {
		return 0;
	}
	if (process->n == 0 || process->n > INT_MAX) {
		return call_fail(c, ERR_USAGE, "--ends-with must be the ID of a process, 1 to %d",
				 INT_MAX);
	}
	int fd = serve_keeper_open((pid_t)process->n);
	int error = errno;
	struct pollfd ended = {.fd = fd, .events = POLLIN};

	/* A process that has ended exists until its parent has waited for it. */
	if (fd < 0 ? error == ESRCH : poll(&ended, 1, 0) > 0) {
		cleanup_fd(&fd);
		return call_fail(c, ERR_USAGE, "--ends-with %lu: there is no such process",
				 (unsigned long)process->n);
	}
	/* ENOENT since Linux 6.14 */
	if (fd < 0 && (error == EINVAL || error == ENOENT)) {
		return call_fail(c, ERR_USAGE, "--ends-with %lu is a thread, not a process",
				 (unsigned long)process->n);
	}
	if (fd < 0) {
		return call_fail(c, ERR_IO, "--ends-with %lu: %s", (unsigned long)process->n,
				 strerrordesc_np(error));
	}
	*out = fd;
	return 0;
}

/* Wait until the writing end of the pipe is closed in all processes; pass on the end of the process @watched meanwhile. */
static void
serve_keeper_wait(int pipe_end, int watched, int server)
{
	struct pollfd fds[] = {{.fd = pipe_end, .events = POLLIN},
			       {.fd = watched, .events = POLLIN}};

	while (fds[0].revents == 0) {
		if (poll(fds, 2, -1) > 0 && fds[1].revents != 0) {
			(void)syscall(SYS_pidfd_send_signal, server, SIGTERM, NULL, 0);
			fds[1] = (struct pollfd){.fd = -1};
		}
	}
}

/*
 * The keeper's process.  It has its own session, so Ctrl-C does not reach it, and its own name.  Its standard descriptors
 * are /dev/null, so that a reader of the server's output sees the end of it.
 */
static _Noreturn void
serve_keeper_be(const int ends[2], int watched, int server, const char *dir)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	typed_line_hide();
	(void)prctl(PR_SET_NAME, "itemfs-keeper");
	(void)setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		(void)dup2(null, fd);
	}
	(void)close(ends[1]);
	serve_keeper_wait(ends[0], watched, server);
	if (dir != NULL) {
		folder_remove(dir);
	}
	_exit(0);
}

int
serve_keeper_start(struct call *c, int watched, const char *dir)
{
	int ends[2] = {-1, -1}; /* the server keeps the writing end open as long as it runs */
	cleanup(cleanup_fd) int server = watched < 0 ? -1 : serve_keeper_open(getpid());
	pid_t child = (watched < 0) == (server < 0) && pipe(ends) == 0 ? fork() : -1;

	if (child == 0) {
		serve_keeper_be(ends, watched, server, dir);
	}
	if (child < 0) {
		int error = errno;

		cleanup_fd(&ends[0]);
		cleanup_fd(&ends[1]);
		return call_fail(c, ERR_IO, "cannot start the process that ends the server: %s",
				 strerrordesc_np(error));
	}
	(void)close(ends[0]);
	return 0;
}
