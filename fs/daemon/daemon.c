/*
 * daemon - the process in the background: fork, signals, log
 *
 * Standard error becomes the log, so that the log also has the messages of libraries, assertions and sanitizers.
 */
#include "fs/daemon/daemon.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "store/base/system/regular.h"
#include "store/base/system/say.h"

static _Noreturn void
daemon_wait_for(pid_t child, int ready)
{
	char byte;
	int status;
	ssize_t n;

	do {
		n = read(ready, &byte, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1) {
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
		(void)fputs("itemfs: the daemon died while it started\n", stderr);
		_exit(1);
	}
	_exit(WEXITSTATUS(status));
}

void
daemon_signals(sigset_t *out)
{
	(void)sigemptyset(out);
	(void)sigaddset(out, SIGTERM);
	(void)sigaddset(out, SIGINT);
	(void)sigaddset(out, SIGHUP);
}

void
daemon_block_signals(void)
{
	sigset_t set;

	daemon_signals(&set);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

bool
daemon_is_told_to_end(const void *nobody)
{
	sigset_t set;

	(void)nobody;
	return sigpending(&set) == 0 &&
	       (sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGINT) == 1);
}

void
daemon_let_signals_end_it(void)
{
	sigset_t set;

	daemon_signals(&set);
	(void)sigdelset(&set, SIGHUP);
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGINT, SIG_DFL);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Close inherited descriptors but two, so that the daemon does not hold locks and pipes of a shell.  -1: only one */
static void
drop_inherited(int one, int other)
{
	const int kept[] = {one < other ? one : other, one < other ? other : one};
	int next = STDERR_FILENO + 1;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (kept[i] > next) {
			(void)close_range((unsigned)next, (unsigned)kept[i] - 1, 0);
		}
		next = kept[i] < next ? next : kept[i] + 1;
	}
	(void)close_range((unsigned)next, ~0U, 0);
}

int
daemon_fork(int device)
{
	const pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		(void)fprintf(stderr, "itemfs: %m\n");
		return -1;
	}
	pid_t child = fork();

	if (child < 0) {
		(void)fprintf(stderr, "itemfs: %m\n");
		(void)close(ends[0]);
		(void)close(ends[1]);
		return -1;
	}
	if (child > 0) {
		(void)close(ends[1]);
		daemon_wait_for(child, ends[0]);
	}
	(void)close(ends[0]);
	(void)setsid();
	/* Until the mount is ready, a user who interrupts the parent wants to end the daemon. */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* A parent that died before prctl() causes no signal. */
	if (getppid() != parent) {
		(void)raise(SIGTERM);
	}
	drop_inherited(ends[1], device);
	return ends[1];
}

void
daemon_reopen(const char *log)
{
	const int flags = O_WRONLY | O_APPEND | O_CREAT;
	struct stat st;

	if (log == NULL) {
		return;
	}
	int fd = regular_open_for(AT_FDCWD, log, flags);

	/* The log belongs to another user who had the store mounted, for instance root. */
	if (fd == REGULAR_FAILED && errno == EACCES && unlink(log) == 0) {
		fd = regular_open_for(AT_FDCWD, log, flags);
	}
	/* The file may be a hard link to a file of another user. */
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 1) {
		(void)dup2(fd, STDERR_FILENO);
	}
	cleanup_fd(&fd);
}

void
daemon_ready(int parent, const char *log)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)fflush(stdout);
	if (chdir("/") != 0) {
		say("cannot leave the working directory: %m");
	}
	if (null >= 0) {
		(void)dup2(null, STDIN_FILENO);
		(void)dup2(null, STDOUT_FILENO);
		(void)dup2(null, STDERR_FILENO);
		(void)close(null);
	}
	daemon_reopen(log);
	(void)prctl(PR_SET_PDEATHSIG, 0);
	/* If the pipe closes without this byte, the parent reports a failure. */
	if (write(parent, "", 1) != 1) {
		say("the process that started this daemon has ended");
	}
	(void)close(parent);
}

/*
 * systemd's readiness protocol is one datagram, and systemd promises not to change it.  libsystemd would add five
 * libraries (DECISIONS.md).
 */
void
daemon_notify(const char *state)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	size_t len = path == NULL ? 0 : strlen(path);

	if (len < 2 || len >= sizeof(to.sun_path) || (path[0] != '/' && path[0] != '@')) {
		return;
	}
	memcpy(to.sun_path, path, len);
	if (path[0] == '@') {
		to.sun_path[0] = '\0';
	}
	cleanup(cleanup_fd) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0) {
		(void)sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	}
}
