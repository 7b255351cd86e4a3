/* descriptors - see descriptors.h */
#include "store/base/system/descriptors.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "store/base/core/base.h"

enum {
	OWN_MAX = 1024,  /* for everything but connections */
	TABLES_PART = 2, /* one in TABLES_PART of those is for table files */
	LIMIT_MAX = 1 << 20,
};

static atomic_uint lent;

void
stdfd_reserve(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		/* open() returns @fd, because all lower descriptors are in use.  Child processes inherit it. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode) != fd) {
			abort();
		}
	}
}

unsigned
descriptors_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > LIMIT_MAX) {
		return LIMIT_MAX;
	}
	return (unsigned)limit.rlim_cur;
}

/* Returns the number of descriptors that connections never get. */
static unsigned
descriptors_own(unsigned limit)
{
	return limit / 2 < OWN_MAX ? limit / 2 : OWN_MAX;
}

void
descriptors_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

unsigned
descriptors_for_tables(unsigned wanted)
{
	unsigned share = descriptors_own(descriptors_limit()) / TABLES_PART;

	return share < wanted ? share : wanted;
}

unsigned
descriptors_lend(unsigned wanted)
{
	unsigned limit = descriptors_limit();
	unsigned all = limit - descriptors_own(limit);
	unsigned before = atomic_load(&lent);
	unsigned n;

	do {
		unsigned half = before < all ? (all - before) / 2 : 0;

		n = half < wanted ? half : wanted;
		n = n > 0 ? n : 1;
	} while (!atomic_compare_exchange_weak(&lent, &before, before + n));
	return n;
}

void
descriptors_return(unsigned n)
{
	assert(n <= atomic_load(&lent));
	(void)atomic_fetch_sub(&lent, n);
}
