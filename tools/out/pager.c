/* pager - see pager.h */
#include "tools/out/pager.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "tools/out/show.h"
#include "tools/system/call_scope.h"
#include "tools/system/child.h"
#include "tools/text/fmt.h"
#include "tools/text/text_lines.h"

bool
pager_is_needed(struct slice text, int fd)
{
	struct text_lines t = {.rest = text};
	struct winsize size = {0};
	size_t lines = 0;

	if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_row == 0 || size.ws_col == 0) {
		return false;
	}
	while (t.rest.len > 0 && lines < size.ws_row) {
		lines += text_lines_next(&t).len / size.ws_col + 1;
	}
	return lines >= size.ws_row;
}

static int
pager_spawn(const char *chosen, int reads, pid_t *pid)
{
	const char *const named[] = {"sh", "-c", chosen, NULL};
	const char *const usual[] = {"less", NULL};
	const int fds[] = {reads, STDOUT_FILENO, STDERR_FILENO};

	(void)setenv("LESS", "FRX", 0); /* NOLINT(concurrency-mt-unsafe): nobody else does */
	return child_start(chosen == NULL ? usual : named, fds, CHILD_PLAIN, pid);
}

/*
 * Return true if the program exists; else print a message. Text with special characters of a shell is assumed to be
 * right.
 */
static bool
pager_is_there(const char *chosen)
{
	size_t n = strcspn(chosen, " \t");
	pid_t pid;

	call_scope(own, 0);
	const char *word = slice_cstr(&own.arena, slice_of(chosen, n));
	const char *const probe[] = {"sh", "-c", "command -v -- \"$0\" >/dev/null", word, NULL};
	bool there = strcspn(chosen, "='\"$`\\()|;&<>{}") < n ||
		     child_start(probe, NULL, CHILD_PLAIN, &pid) != 0 || child_wait(pid) == 0;

	if (!there) {
		show_lines(fmt_slice(
			&own.arena,
			"the pager %s was not found: the answer is printed without it\n", word));
	}
	return there;
}

static pid_t pager_running;
static struct sigaction pager_before; /* the action of SIGINT before the pager was started */

/* Ignore SIGINT while the pager runs.  After it, do what SIGINT did before. */
static void
pager_interrupted(int signal_no)
{
	siginfo_t ended = {0};
	int before = errno;

	if (waitid(P_PID, (id_t)pager_running, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    ended.si_pid != 0) {
		(void)sigaction(signal_no, &pager_before, NULL);
		(void)raise(signal_no);
	}
	errno = before;
}

bool
pager_start(struct pager *p)
{
	assert(p->pid == 0);
	/* NOLINTBEGIN(concurrency-mt-unsafe): nobody sets them */
	const char *own = getenv("ITEMCTL_PAGER");
	const char *chosen = own != NULL ? own : getenv("PAGER");
	/* NOLINTEND(concurrency-mt-unsafe) */
	int ends[2];

	if ((chosen != NULL &&
	     (*chosen == '\0' || strcmp(chosen, "cat") == 0 || !pager_is_there(chosen))) ||
	    pipe2(ends, O_CLOEXEC) < 0) {
		return false;
	}
	int r = pager_spawn(chosen, ends[0], &p->pid);

	(void)close(ends[0]);
	if (r != 0) {
		(void)close(ends[1]);
		p->pid = 0;
		return false;
	}
	p->fd = ends[1];
	pager_running = p->pid;
	const struct sigaction action = {.sa_handler = pager_interrupted, .sa_flags = SA_RESTART};

	(void)sigaction(SIGINT, &action, &pager_before);
	return true;
}

bool
pager_is_left(const struct pager *p)
{
	struct pollfd pipe = {.fd = p->fd};

	return poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLERR) != 0;
}

void
pager_end(struct pager *p)
{
	if (p->pid > 0) {
		(void)close(p->fd);
		(void)child_wait(p->pid);
		p->pid = 0;
	}
}
