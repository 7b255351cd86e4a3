/* why_outside - see why_outside.h */
#include "tools/why/why_outside.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include "store/base/system/mountinfo.h"

#include "tools/text/fmt.h"
#include "tools/why/why_names.h"

enum { WHY_MOUNTS = 5 }; /* mounts that a sentence names */

/*
 * Append @before and the mounts of @store, or of all stores if it is empty; append nothing if there are none.
 *
 * Return: number of mounts
 */
static size_t
why_outside_mounts(struct slice store, const char *before, struct buf *out)
{
	cleanup(mountinfo_close) struct mountinfo_list list;
	struct mountinfo m;
	size_t found = 0;

	mountinfo_open(&list);
	while (found < WHY_MOUNTS && mountinfo_next(&list, &m)) {
		if (m.itemfs && (store.len == 0 || slice_is(store, m.source))) {
			buf_str(out, found == 0 ? before : ", ");
			buf_str(out, m.point);
			found++;
		}
	}
	return found;
}

/* The store directory that @dir is or is in; empty: none */
static struct slice
why_outside_store(struct slice dir)
{
	cleanup(buf_release) struct buf file = {0};
	struct stat st;

	while (dir.len > 0) {
		const char *slash = slice_rchr(dir, '/');

		buf_clear(&file);
		buf_fmt(&file, "%.*s/FORMAT", SLICE_ARG(dir));
		buf_char(&file, '\0');
		if (stat(file.at, &st) == 0 && S_ISREG(st.st_mode)) {
			return dir;
		}
		dir.len = slash == NULL ? 0 : (size_t)(slash - dir.at);
	}
	return dir;
}

static void
why_outside_in_store(struct slice store, bool is_store, struct buf *out)
{
	buf_str(out, is_store ? "this is the directory of a store" : "this is in the store ");
	if (!is_store) {
		buf_slice(out, store);
	}
	buf_str(out, ", not a mount; its items are files where it is mounted: ");
	if (why_outside_mounts(store, "", out) == 0) {
		fmt_shell(out, "itemfs % MOUNTPOINT", store);
	}
}

/*
 * Append a sentence if @path is in a mount whose process has ended; else return false.  The kernel may still have names
 * of such a mount in its cache.
 */
static bool
why_outside_dead(const char *path, struct buf *out)
{
	cleanup(buf_release) struct buf point = {0};
	struct statvfs st;

	for (const char *end = path; *end != '\0';) {
		end = strchrnul(end + 1, '/');
		buf_clear(&point);
		buf_slice(&point, slice_of(path, (size_t)(end - path)));
		buf_char(&point, '\0');
		if (statvfs(point.at, &st) != 0 && errno == ENOTCONN) {
			buf_fmt(out,
				"the process that served %s has ended; to unmount it: fusermount3 "
				"-u ",
				point.at);
			fmt_shell(out, "%", slice_from(point.at));
			return true;
		}
	}
	return false;
}

void
why_outside(const char *path, const char *dir, struct slice name, struct buf *out, struct buf *by)
{
	struct stat st;
	int error = lstat(path, &st) == 0 ? 0 : errno;
	struct slice store = why_outside_store(slice_from(name.len == 0 ? path : dir));

	if (why_outside_dead(path, out)) {
		return;
	}
	if (error != 0 && error != ENOENT && error != ENOTDIR) {
		buf_str(out, strerrordesc_np(error));
		return;
	}
	if (name.len > 0) {
		buf_fmt(out, "there is no %.*s in %s", SLICE_ARG(name), *dir == '\0' ? "/" : dir);
		(void)why_names_nearest(*dir == '\0' ? "/" : dir, name, out, by);
		buf_str(out, "; ");
	}
	if (store.len > 0) {
		why_outside_in_store(store, name.len == 0 && slice_is(store, path), out);
	} else if (why_outside_mounts(SLICE(""),
				      "this is not in a mount of itemfs; there are mounts at ",
				      out) == 0) {
		buf_str(out, "no store is mounted here; to mount one: itemfs STORE MOUNTPOINT");
	}
}
