/* tty - the terminal that a mount was started on */
#include "fs/saved/tty.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sys/stat.h>
#include <termios.h>

#include "store/base/system/process.h"

enum { TTY_DECIMAL = 10 };

void
tty_put(struct buf *out)
{
	char path[PATH_MAX];
	pid_t session = tcgetsid(STDERR_FILENO); /* fails for other terminals */
	uint64_t started;
	dev_t terminal;

	if (session > 0 && session == getsid(0) && process_terminal(session, &terminal, &started) &&
	    ttyname_r(STDERR_FILENO, path, sizeof(path)) == 0) {
		buf_fmt(out, "%d %" PRIu64 " %s", session, started, path);
	}
}

/* Return: whether @session is still the process that started at @started, and @terminal is its terminal */
static bool
tty_is_had(pid_t session, uint64_t started, dev_t terminal)
{
	uint64_t now_started;
	dev_t now;

	return process_terminal(session, &now, &now_started) && now_started == started &&
	       now == terminal;
}

void
tty_write(const char *name, struct slice text)
{
	char *end;
	pid_t session = (pid_t)strtol(name, &end, TTY_DECIMAL);
	uint64_t started = *end == ' ' ? strtoull(end + 1, &end, TTY_DECIMAL) : 0;
	struct stat st;

	if (*end != ' ') {
		return;
	}
	cleanup(cleanup_fd) int fd = open(end + 1, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && isatty(fd) && fstat(fd, &st) == 0 &&
	    tty_is_had(session, started, st.st_rdev)) {
		(void)!write(fd, text.at, text.len);
	}
}
