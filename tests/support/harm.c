/* harm - see harm.h */
#include "tests/support/harm.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "tests/support/crash.h"
#include "tests/support/kv_open.h"

#define NOTE "user.itemfs.durable"

struct harm harm;

void
harm_setup(void)
{
	call_open(&harm.c, 0, 64 << 20);
	unit_make_folder(harm.base, "recover");
	(void)snprintf(harm.made, sizeof(harm.made), "%s/made", harm.base);
	(void)snprintf(harm.copy, sizeof(harm.copy), "%s/copy", harm.base);
}

void
harm_teardown(void)
{
	crash_remove(harm.base);
	call_close(&harm.c);
}

static int
harm_compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

void
harm_find_logs(void)
{
	DIR *d = opendir(harm.made);

	CU_ASSERT_PTR_NOT_NULL_FATAL(d);
	harm.n_logs = 0;
	for (struct dirent *e; (e = readdir(d)) != NULL;) {
		struct stat st;

		if (slice_ends(slice_from(e->d_name), SLICE(".log")) && harm.n_logs < HARM_LOGS &&
		    fstatat(dirfd(d), e->d_name, &st, 0) == 0) {
			(void)snprintf(harm.logs[harm.n_logs].name, sizeof(harm.logs->name),
				       "%.31s", e->d_name);
			harm.logs[harm.n_logs++].size = st.st_size;
		}
	}
	(void)closedir(d);
	qsort(harm.logs, harm.n_logs, sizeof(*harm.logs), harm_compare_names);
}

int
harm_commit(struct kv *kv, unsigned i, size_t bytes, bool durable)
{
	char number[16];
	struct slice key = slice_of(number, (size_t)snprintf(number, sizeof(number), "%u", i));
	struct slice value = slice_of(arena_new(&harm.c.arena, char, bytes), bytes);
	cleanup(kv_batch_freep) struct kv_batch *b = kv->ops->batch_new(kv);

	memset((char *)value.at, (int)i + 1, bytes);
	b->ops->put(b, key, value);
	b->ops->put(b, SLICE("all"), key);
	return kv_commit(kv, &harm.c, b, durable);
}

/* Make @n commits with values of @bytes each. */
struct kv *
harm_make(unsigned n, size_t bytes, bool durable)
{
	struct kv *kv = NULL;
	int r = kv_leveldb_open(&harm.c, harm.made, true, &kv);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	for (unsigned i = 0; i < n; i++) {
		r = harm_commit(kv, i, bytes, durable);
		CU_ASSERT_EQUAL(r, 0);
		harm_find_logs();
		harm.ends[i] = harm.logs[harm.n_logs - 1].size;
	}
	return kv;
}

void
harm_copy(void)
{
	crash_remove(harm.copy);
	CU_ASSERT_EQUAL_FATAL(crash_copy_whole(harm.made, harm.copy), 0);
}

bool
harm_has_notes(void)
{
	if (setxattr(harm.base, "user.itemfs.test", "", 0, 0) == 0) {
		return true;
	}
	(void)printf("\nin part: there are no extended attributes here\n");
	return false;
}

off_t
harm_noted(const char *log)
{
	char path[128];
	char digits[32] = "";

	(void)snprintf(path, sizeof(path), "%s/%s", harm.made, log);
	return getxattr(path, NOTE, digits, sizeof(digits) - 1) < 0 ? -1 : atoll(digits);
}

void
harm_note(const char *in, const char *log, off_t bytes)
{
	char path[128];
	char digits[32];
	off_t known = bytes < 0 ? harm_noted(log) : bytes;

	CU_ASSERT_TRUE_FATAL(known >= 0);
	(void)snprintf(path, sizeof(path), "%s/%s", in, log);
	int n = snprintf(digits, sizeof(digits), "%lld", (long long)known);

	CU_ASSERT_EQUAL(setxattr(path, NOTE, digits, (size_t)n, 0), 0);
}

void
harm_obey(void)
{
	char command[1024];
	const char *from = strchr(harm.c.error.message, '"');
	const char *to = from == NULL ? NULL : strchr(from + 1, '"');

	CU_ASSERT_PTR_NOT_NULL_FATAL(to);
	(void)snprintf(command, sizeof(command), "%.*s", (int)(to - from - 1), from + 1);
	CU_ASSERT_EQUAL(system(command), 0);
}

static int
harm_open(const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", harm.copy, name);
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CU_ASSERT_TRUE_FATAL(fd >= 0);
	return fd;
}

void
harm_cut(const char *name, off_t size)
{
	int fd = harm_open(name);

	CU_ASSERT_EQUAL(ftruncate(fd, size), 0);
	(void)close(fd);
}

void
harm_zero(const char *name, off_t from, off_t bytes)
{
	int fd = harm_open(name);
	char zeros[4096] = {0};

	CU_ASSERT_EQUAL(pwrite(fd, zeros, (size_t)bytes, from), bytes);
	(void)close(fd);
}

void
harm_flip(const char *name, off_t at)
{
	int fd = harm_open(name);
	char byte;

	CU_ASSERT_EQUAL(pread(fd, &byte, 1, at), 1);
	byte = (char)(byte ^ 0x40);
	CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, at), 1);
	(void)close(fd);
}

static bool
harm_there(struct kv *kv, unsigned i)
{
	char key[16];
	struct buf value;

	(void)snprintf(key, sizeof(key), "%u", i);
	buf_init(&value, &harm.c.arena);
	return kv_get(kv, &harm.c, NULL, slice_from(key), &value) == 0;
}

/* Open the copy and count the commits that it has. */
int
harm_survivors(unsigned of)
{
	struct kv *kv = NULL;
	struct buf all;
	unsigned n = 0;
	char last[16] = "";

	harm.c.error = (struct error){0};
	int r = kv_leveldb_open(&harm.c, harm.copy, false, &kv);

	if (r != 0) {
		CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
		return HARM_REFUSED;
	}
	while (n < of && harm_there(kv, n)) {
		n++;
	}
	for (unsigned i = n; i < of; i++) {
		if (harm_there(kv, i)) {
			n = of + 1;
		}
	}
	buf_init(&all, &harm.c.arena);
	if (n > 0) {
		(void)snprintf(last, sizeof(last), "%u", n - 1);
	}
	(void)kv_get(kv, &harm.c, NULL, SLICE("all"), &all);
	kv->ops->close(kv);
	return slice_is(buf_view(&all), last) ? (int)n : HARM_NO_PREFIX;
}

/* Count the commits of @n that end at or before @at in the newest log. */
int
harm_ended_by(off_t at, unsigned n)
{
	unsigned i = 0;

	while (i < n && harm.ends[i] <= at) {
		i++;
	}
	return (int)i;
}

void
harm_expect(int is, int want, off_t at)
{
	if (is != want) {
		printf("\nharm at byte %lld: %d, not %d (%s)", (long long)at, is, want,
		       is == HARM_REFUSED ? harm.c.error.message : "opened");
	}
	CU_ASSERT_EQUAL(is, want);
}
