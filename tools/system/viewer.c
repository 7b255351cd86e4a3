/* viewer - see viewer.h */
#include "tools/system/viewer.h"

#include <fcntl.h>
#include <signal.h>

#include "tools/system/child.h"

const char *
viewer_folder(void)
{
	const char *parent = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */

	return parent == NULL || *parent == '\0' ? "/tmp" : parent;
}

int
viewer_file(struct call *c, const char *name, const char **out)
{
	char *dir = (char *)arena_print(&c->arena, "%s/itemctl-XXXXXX", viewer_folder());

	if (mkdtemp(dir) == NULL) {
		return call_fail(c, ERR_IO, "%s: %s", dir, strerrordesc_np(errno));
	}
	*out = arena_print(&c->arena, "%s/%s", dir, name);
	return 0;
}

bool
viewer_open(const char *path)
{
	const char *const argv[] = {"xdg-open", path, NULL};
	pid_t pid;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets them */
	if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) {
		return false;
	}
	cleanup(cleanup_fd) int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	return null >= 0 &&
	       child_start(argv, (const int[]){null, null, null}, CHILD_APART, &pid) == 0;
}

/* A command for sh, as in git: the editor's name may have arguments. */
static const char *
viewer_editor(struct call *c)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets them */
	const char *named = getenv("VISUAL") != NULL ? getenv("VISUAL") : getenv("EDITOR");

	return arena_print(&c->arena, "%s \"$@\"", named == NULL || *named == '\0' ? "vi" : named);
}

int
viewer_has_editor(struct call *c)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets them */
	bool named = getenv("VISUAL") != NULL || getenv("EDITOR") != NULL;

	if (!named && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
		return call_fail(
			c, ERR_USAGE,
			"without a terminal, set $EDITOR to a program; for a change without an "
			"editor: itemctl update TABLE PK [SK] 'SET a = 1'");
	}
	return 0;
}

int
viewer_edit(struct call *c, const char *path)
{
	const char *const argv[] = {"sh", "-c", viewer_editor(c), "editor", path, NULL};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction interrupt;
	struct sigaction quit;
	pid_t pid = -1;

	/* Ctrl-C and Ctrl-\ are for the editor while it runs. */
	(void)sigaction(SIGINT, &ignore, &interrupt);
	(void)sigaction(SIGQUIT, &ignore, &quit);
	int r = child_start(argv, NULL, CHILD_PLAIN, &pid);
	int status = r == 0 ? child_wait(pid) : 0;

	(void)sigaction(SIGINT, &interrupt, NULL);
	(void)sigaction(SIGQUIT, &quit, NULL);
	if (r != 0) {
		return call_fail(c, ERR_IO, "cannot start an editor: %s", strerrordesc_np(r));
	}
	return status == 0
		       ? 0
		       : call_fail(c, ERR_USAGE, "the editor failed (VISUAL, EDITOR, or else vi)");
}
