/* ldb_durable - see ldb_durable.h */
#include "store/kv/ldb_durable.h"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/base/system/folder.h"
#include "store/kv/ldb_files.h"
#include "store/kv/ldb_manifest.h"

#define DURABLE_ATTRIBUTE "user.itemfs.durable"

enum { DURABLE_DIGITS = 24 };

static uint64_t
ldb_names_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_nsec;
}

/*
 * The time after an mtime in which a later change could have the same one. The clock of mtimes ticks every few
 * milliseconds. Some file systems keep only hundredths of a second, whole seconds or even seconds.
 */
static uint64_t
ldb_names_tick(uint64_t mtime)
{
	return mtime % (10 * NS_PER_MS) == 0 ? 2 * NS_PER_S : 1;
}

int
ldb_names_sync(int dir, uint64_t *synced)
{
	struct timespec now;
	struct stat st;

	(void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (fstat(dir, &st) != 0) {
		return -1;
	}
	uint64_t changed = ldb_names_ns(&st.st_mtim);

	if (changed == *synced) {
		return 0;
	}
	if (fsync(dir) != 0) {
		return -1;
	}
	*synced = changed + ldb_names_tick(changed) <= ldb_names_ns(&now) ? changed : *synced;
	return 1;
}

void
ldb_durable_note(int dir)
{
	cleanup(cleanup_dir) DIR *d = folder_list(dir);
	char newest[LDB_NAME_BYTES] = "";
	char digits[DURABLE_DIGITS];
	const char *log;
	uint64_t most = 0;
	uint64_t number;
	struct stat st;

	while ((log = folder_next(d)) != NULL) {
		if (ldb_files_is_log(log, &number) && number >= most) {
			most = number;
			memcpy(newest, log, strlen(log) + 1);
		}
	}
	cleanup(cleanup_fd) int fd = newest[0] == '\0' ? -1 : ldb_open_file(dir, newest);

	if (fd >= 0 && fstat(fd, &st) == 0) {
		int n = snprintf(digits, sizeof(digits), "%lld", (long long)st.st_size);

		/* If the file system has no attributes, nothing is recorded. */
		(void)fsetxattr(fd, DURABLE_ATTRIBUTE, digits, (size_t)n, 0);
	}
}

off_t
ldb_durable_bytes(int dir, const char *name)
{
	cleanup(cleanup_fd) int fd = ldb_open_file(dir, name);
	char digits[DURABLE_DIGITS];
	ssize_t n = fd < 0 ? -1 : fgetxattr(fd, DURABLE_ATTRIBUTE, digits, sizeof(digits) - 1);

	if (n <= 0) {
		return 0;
	}
	digits[n] = '\0';
	return (off_t)strtoll(digits, NULL, 10);
}
