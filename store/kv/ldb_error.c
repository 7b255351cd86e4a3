/* ldb_error - see ldb_error.h */
#include "store/kv/ldb_error.h"

#include <errno.h>
#include <leveldb/c.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store/base/core/buf.h"
#include "store/base/core/slice.h"

void
ldb_free_text(char **text)
{
	leveldb_free(*text);
}

/* LevelDB tells its errors apart only in their text, which ends in that of errno. */
static enum err
error_code(const char *text)
{
	struct slice t = slice_from(text);

	if (slice_starts(t, SLICE("Corruption"))) {
		return ERR_CORRUPT;
	}
	return slice_ends(t, slice_from(strerrordesc_np(ENOSPC))) ||
			       slice_ends(t, slice_from(strerrordesc_np(EDQUOT)))
		       ? ERR_NO_SPACE
		       : ERR_IO;
}

/* The directory by the name that it has for everybody. */
static void
put_why(struct buf *out, const char *why)
{
	const char *at = strstr(why, LDB_PINNED);
	char link[LDB_PINNED_BYTES];
	char name[PATH_MAX];

	if (at != NULL) {
		size_t n = strlen(LDB_PINNED) + strspn(at + strlen(LDB_PINNED), "0123456789");

		(void)snprintf(link, sizeof(link), "%.*s", (int)n, at);
		ssize_t len = readlink(link, name, sizeof(name));

		if (len > 0) {
			buf_put(out, why, (size_t)(at - why));
			buf_put(out, name, (size_t)len);
			why = at + n;
		}
	}
	buf_str(out, why);
}

/*
 * LevelDB's own repair would lose the newest version of a key whose block is damaged
 * and bring back an older one, or what was deleted: so none is offered.
 */
int
ldb_failed(struct call *c, const char *why)
{
	return ldb_failed_for(c, why,
			      "a file of the database is damaged or missing: restore a backup");
}

int
ldb_failed_for(struct call *c, const char *why, const char *what)
{
	enum err code = error_code(why);
	bool damage = code == ERR_CORRUPT;
	struct buf b;

	buf_init(&b, &c->arena);
	put_why(&b, why);
	return call_fail(c, code, "%.*s%s%s", SLICE_ARG(buf_view(&b)), damage ? ": " : "",
			 damage ? what : "");
}

int
ldb_fail_errno(struct call *c, const char *name)
{
	const char *why = strerrordesc_np(errno);

	return call_fail(c, error_code(why), "IO error: %s: %s", name, why);
}
