/* own - checks a directory before local_open() opens it */
#include "store/own.h"

#include <errno.h>
#include <sys/stat.h>

#include "store/base/core/buf.h"
#include "store/local/local.h"

/* Fails with ERR_VALIDATION if @dir is not a store: programs then exit as for a usage error. */
static int
check_directory(struct call *c, const char *dir, bool create)
{
	struct stat st;

	if (stat(dir, &st) < 0) {
		return errno != ENOENT || create
			       ? 0
			       : call_fail(
					 c, ERR_VALIDATION,
					 "there is no store at %s; to create one: itemctl create-table, or itemfs "
					 "--create",
					 dir);
	}
	if (!S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "%s is not a store: not a directory", dir);
	}
	struct buf format;

	buf_init(&format, &c->arena);
	buf_fmt(&format, "%s/FORMAT", dir);
	if (!create && stat(format.at, &st) < 0 && errno == ENOENT) {
		return call_fail(
			c, ERR_VALIDATION,
			"%s is not a store: it has no file named FORMAT (itemctl create-table, or "
			"itemfs --create, makes a store of an empty directory)",
			dir);
	}
	return 0;
}

int
store_own(struct call *c, const char *dir, bool create, struct engine **out)
{
	int r = check_directory(c, dir, create);

	return r < 0 ? r : local_open(c, dir, create, out);
}

pid_t
store_dead_owner(const char *dir)
{
	return local_dead_owner(dir);
}

pid_t
store_stopped_owner(const char *dir)
{
	return local_stopped_owner(dir);
}

bool
store_put_owner(const char *dir, struct buf *out)
{
	return local_put_owner(dir, out);
}

void
store_opened(const char *dir, struct buf *out)
{
	local_opened(dir, out);
}

int
store_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
{
	return local_restore(c, in, out);
}
