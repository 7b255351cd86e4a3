/* scratch_recover - recovery of scratch files whose process ended without an unmount; see scratch_area.h */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "store/base/system/regular.h"

#include "fs/saved/rejected.h"
#include "fs/saved/scratch_area.h"

enum { COPY_BYTES_MAX = 128 * 1024 * 1024 }; /* header and largest scratch file */

struct scratch_recovery {
	struct scratch_area *area;
	struct rejected *rejected;
	uint64_t now_ms;
	struct buf *said;
};

/* ------------------------------------------------------------ one copy */

static int
scratch_recover_read(int dir, const char *name, struct buf *out)
{
	cleanup(cleanup_fd) int fd = regular_open(dir, name);
	struct stat st;

	if (fd < 0) {
		return fd == REGULAR_FAILED ? errno : EINVAL;
	}
	if (fstat(fd, &st) != 0) {
		return errno;
	}
	if (st.st_size > COPY_BYTES_MAX) {
		return EFBIG;
	}
	char *room = buf_room(out, (size_t)st.st_size);

	while (out->len < (size_t)st.st_size) {
		ssize_t n = read(fd, room + out->len, (size_t)st.st_size - out->len);

		if (n < 0 && errno != EINTR) {
			return errno;
		}
		if (n == 0) {
			return EINVAL;
		}
		out->len += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Take @len bytes of the header and the newline after them.  false: there is no newline */
static bool
scratch_recover_take(struct slice *from, size_t len, struct slice *out)
{
	if (len >= from->len || from->at[len] != '\n') {
		return false;
	}
	*out = slice_of(from->at, len);
	*from = slice_skip(*from, len + 1);
	return true;
}

/* Parse a copy as scratch_area.c writes it.  false: it has another format */
static bool
scratch_recover_parse(struct slice all, struct scratch_text *out, struct slice *mount)
{
	const char *end = slice_chr(all, '\n');
	size_t mount_len, path_len;
	struct slice line;
	char head[128];

	if (end == NULL || (size_t)(end - all.at) >= sizeof(head) ||
	    !scratch_recover_take(&all, (size_t)(end - all.at), &line)) {
		return false;
	}
	(void)snprintf(head, sizeof(head), "%.*s", SLICE_ARG(line));
	/* NOLINTNEXTLINE(cert-err34-c): numbers that are too large are refused below, as all others that do not fit */
	if (sscanf(head, "itemfs-scratch 1 %u %u %zu %zu", &out->uid, &out->mode, &mount_len,
		   &path_len) != 4 ||
	    !scratch_recover_take(&all, mount_len, mount) ||
	    !scratch_recover_take(&all, path_len, &out->path)) {
		return false;
	}
	out->text = all;
	return true;
}

static struct slice
scratch_recover_name(struct slice path)
{
	const char *slash = slice_rchr(path, '/');

	return slash == NULL ? path : slice_skip(path, (size_t)(slash + 1 - path.at));
}

static void
scratch_recover_say(struct scratch_recovery *s, struct slice path, const char *where, int error)
{
	if (error == 0) {
		buf_fmt(s->said,
			"%.*s: the process ended without unmounting; the text of this scratch file is in %s",
			SLICE_ARG(path), where);
	} else {
		buf_fmt(s->said,
			"%.*s: the process ended without unmounting; the text of this scratch file stays in %s: %s",
			SLICE_ARG(path), where, strerrordesc_np(error));
	}
	buf_char(s->said, '\0');
}

/* Return: true if the copy may be removed after rejected_settle() */
static bool
scratch_recover_copy(struct scratch_recovery *s, int dir, const char *process, const char *name)
{
	struct scratch_text t = {.path = slice_from(name)};
	struct slice mount;
	struct buf all, where;

	buf_init(&all, NULL);
	buf_init(&where, NULL);
	int r = scratch_recover_read(dir, name, &all);

	if (r == 0 && !scratch_recover_parse(buf_view(&all), &t, &mount)) {
		r = EINVAL;
	}
	if (r == 0 && t.text.len > 0) {
		const struct rejected_owner owner = {.mount = mount, .uid = t.uid, .mode = t.mode};

		r = rejected_keep_at(s->rejected, s->now_ms, &owner, scratch_recover_name(t.path),
				     t.text, true, &where);
	}
	if (r != 0) {
		buf_clear(&where);
		buf_fmt(&where, "%s/%s/%s", s->area->shown, process, name);
	}
	buf_char(&where, '\0');
	if (r != 0 || t.text.len > 0) {
		scratch_recover_say(s, t.path, where.at, r);
	}
	buf_release(&where);
	buf_release(&all);
	return r == 0;
}

/* ------------------------------------------------------------ the copies of a process */

static int
scratch_recover_is_copy(const struct dirent *entry)
{
	return entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
}

/* Return: whether it is an unfinished copy, which was never reported as durable */
static bool
scratch_recover_is_part(const char *name)
{
	return strchr(name, '.') != NULL;
}

static void
scratch_recover_all(struct scratch_recovery *s, int dir, const char *process)
{
	struct dirent **entries = NULL;
	int n = scandirat(dir, ".", &entries, scratch_recover_is_copy, alphasort);

	for (int i = 0; i < n; i++) {
		if (!scratch_recover_is_part(entries[i]->d_name) &&
		    !scratch_recover_copy(s, dir, process, entries[i]->d_name)) {
			entries[i]->d_name[0] = '\0'; /* stays */
		}
	}
	bool durable = rejected_settle(s->rejected, s->now_ms) == 0;

	for (int i = 0; i < n; i++) {
		if (durable && entries[i]->d_name[0] != '\0') {
			(void)unlinkat(dir, entries[i]->d_name, 0);
		}
		free(entries[i]);
	}
	free(entries);
}

static void
scratch_recover_process(struct scratch_recovery *s, int top, const char *process)
{
	cleanup(cleanup_fd) int dir =
		openat(top, process, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	/* Each mount of an endpoint has its own process.  A living process holds the lock. */
	if (dir < 0 || (flock(dir, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)) {
		return;
	}
	scratch_recover_all(s, dir, process);
	(void)unlinkat(top, process, AT_REMOVEDIR);
}

void
scratch_area_recover(struct scratch_area *a, struct rejected *r, uint64_t now_ms, struct buf *said)
{
	struct scratch_recovery s = {a, r, now_ms, said};
	struct dirent **entries = NULL;
	cleanup(cleanup_fd) int top = open(a->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (top < 0 || flock(top, LOCK_EX) != 0) {
		return;
	}
	int n = scandirat(top, ".", &entries, scratch_recover_is_copy, alphasort);

	for (int i = 0; i < n; i++) {
		scratch_recover_process(&s, top, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}
