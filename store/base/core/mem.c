#include "store/base/core/mem.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"

void
mem_out(void)
{
	(void)fputs("itemfs: out of memory\n", stderr);
	abort();
}

/* ------------------------------------------------------------ the reserve */

/*
 * An allocation that fails frees one piece and retries.  The pieces are ordinary blocks of malloc(), so the reserve can
 * be refilled with memory that was freed but that malloc() has not returned to the kernel.
 */
enum { PIECES = 8 };

static struct {
	pthread_mutex_t lock;
	size_t bytes;        /* of a piece; 0: there is no reserve */
	void *piece[PIECES]; /* the first n are allocated */
	int n;
	int most;        /* n of a full reserve */
	atomic_bool low; /* n < most */
	bool limited;    /* malloc() may fail, so can_be_had() has to try */
} reserve = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Frees one piece. Returns false if only @kept are left. */
static bool
reserve_give(int kept)
{
	lock_scope(&reserve.lock);
	if (reserve.n <= kept) {
		return false;
	}
	atomic_store(&reserve.low, true);
	free(reserve.piece[--reserve.n]);
	return true;
}

static void
reserve_fill(void)
{
	lock_scope(&reserve.lock);
	while (reserve.n < reserve.most &&
	       (reserve.piece[reserve.n] = malloc(reserve.bytes)) != NULL) {
		reserve.n++;
	}
	atomic_store(&reserve.low, reserve.n < reserve.most);
}

/*
 * Release a piece of the reserve so that the caller can retry an allocation; mem_out() if none is left.
 * C++'s operator new calls it, too, and retries when it returns.
 */
static void
mem_again(void)
{
	if (!reserve_give(0)) {
		mem_out();
	}
}

/*
 * Returns true if there is a limit at which malloc() fails.  By default, the kernel hands out address space without
 * counting it.
 */
static bool
is_limited(void)
{
	static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
	int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
	char counts = '0';
	struct rlimit limit;
	bool limited = false;

	if (fd >= 0) {
		limited = read(fd, &counts, 1) == 1 && counts == '2';
		(void)close(fd);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		limited = limited ||
			  (getrlimit(kinds[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY);
	}
	return limited;
}

void
mem_reserve(size_t bytes)
{
	/* std::set_new_handler(), if the program contains C++. */
	void *(*set_new_handler)(void (*)(void)) = NULL;

	*(void **)&set_new_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
	if (set_new_handler != NULL) {
		(void)set_new_handler(mem_again);
	}
	reserve.limited = is_limited();
	reserve.bytes = bytes / PIECES;
	reserve.most = PIECES;
	reserve_fill();
	/* Under a low limit the reserve is smaller. */
	reserve.most = reserve.n;
	atomic_store(&reserve.low, false);
}

bool
mem_low(void)
{
	if (atomic_load_explicit(&reserve.low, memory_order_relaxed)) {
		reserve_fill();
	}
	return atomic_load_explicit(&reserve.low, memory_order_relaxed);
}

static bool
can_be_had(size_t bytes)
{
	if (!reserve.limited) {
		return true;
	}
	/* Volatile: otherwise the compiler removes the allocation and assumes success. */
	void *volatile at = malloc(bytes);

	free(at);
	return at != NULL;
}

bool
mem_enough(size_t bytes)
{
	return !mem_low() && (bytes == 0 || can_be_had(bytes));
}

void
mem_ready(size_t bytes)
{
	while (!can_be_had(bytes)) {
		mem_again();
	}
}

bool
mem_spare(size_t bytes)
{
	while (!can_be_had(bytes)) {
		if (!reserve_give(reserve.most / 4)) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ the heap */

void *
mem_zeroed(size_t n, size_t bytes)
{
	void *at;

	while ((at = calloc(n, bytes)) == NULL) {
		mem_again();
	}
	return at;
}

void *
mem_resized(void *at, size_t n, size_t bytes)
{
	void *more;

	/* For 0 bytes, reallocarray() would free @at and return NULL without a failure. */
	if (n == 0 || bytes == 0) {
		n = bytes = 1;
	}
	while ((more = reallocarray(at, n, bytes)) == NULL) {
		mem_again();
	}
	return more;
}

void *
mem_for_zlib(void *arg, unsigned n, unsigned bytes)
{
	(void)arg;
	return mem_zeroed(n, bytes);
}

void
mem_free_for_zlib(void *arg, void *at)
{
	(void)arg;
	free(at);
}

char *
mem_string(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(mem_resized(NULL, size, 1), s, size);
}

void
mem_few_heaps(void)
{
#ifdef M_ARENA_MAX
	(void)mallopt(M_ARENA_MAX, 2); /* NOLINT(concurrency-mt-unsafe): before any thread */
#endif
}
