/* ldb_names - see ldb_names.h */
#include "store/kv/ldb_names.h"

#include <sys/stat.h>
#include <unistd.h>

static int
ldb_names_compare(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
				      : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

int
ldb_names_sync(struct ldb_names *n, int dir)
{
	struct timespec now;
	struct stat st;

	/* The clock of mtimes ticks every few milliseconds, so a later change could have the same mtime. */
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (fstat(dir, &st) != 0) {
		return -1;
	}
	if (ldb_names_compare(&st.st_mtim, &n->synced) == 0) {
		return 0;
	}
	if (fsync(dir) != 0) {
		return -1;
	}
	if (ldb_names_compare(&st.st_mtim, &now) < 0) {
		n->synced = st.st_mtim;
	}
	return 1;
}
