/* target - a temporary name until the file is complete */
#include "tools/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/buf.h"

#include "tools/ctl.h"

int
target_open(struct call *c, const char *name, struct target *t)
{
	struct stat st;

	*t = (struct target){.name = name, .fd = STDOUT_FILENO};
	if (name == NULL || strcmp(name, "-") == 0) {
		t->name = NULL;
		return 0;
	}
	bool there = stat(name, &st) == 0;

	if (there && S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "%s: %s", name, strerrordesc_np(EISDIR));
	}
	if (!there || S_ISREG(st.st_mode)) {
		struct buf part;

		buf_init(&part, &c->arena);
		buf_fmt(&part, "%s.part-%d", name, (int)getpid());
		buf_char(&part, '\0');
		t->part = part.at;
	}
	t->fd = t->part != NULL ? open(t->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
				: open(name, O_WRONLY | O_CLOEXEC);
	return t->fd < 0 ? ctl_no_file(c, name) : 0;
}

int
target_close(struct call *c, struct target *t, int r)
{
	if (t->name == NULL || t->fd < 0) {
		return r;
	}
	if (t->part != NULL && r == 0 && fsync(t->fd) != 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->part, strerrordesc_np(errno));
	}
	if (close(t->fd) != 0 && r == 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->name, strerrordesc_np(errno));
	}
	if (t->part != NULL && r == 0 && rename(t->part, t->name) != 0) {
		r = call_fail(c, ERR_IO, "%s: %s", t->name, strerrordesc_np(errno));
	}
	if (t->part != NULL && r < 0) {
		(void)unlink(t->part);
	}
	return r;
}
