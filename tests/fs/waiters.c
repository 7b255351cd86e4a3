#include "tests/fs/waiters.h"

#include <pthread.h>
#include <stddef.h>

static _Thread_local atomic_uint *waiters;

void
waiters_watch(atomic_uint *n)
{
	waiters = n;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */

#define WAITERS_WRAP(lock, try_lock, type) \
	int __real_##lock(type *l); \
	int __wrap_##lock(type *l); \
	int __wrap_##lock(type *l) \
	{ \
		if (waiters == NULL) { \
			return __real_##lock(l); \
		} \
		int r = try_lock(l); \
\
		if (r != 0) { \
			(void)atomic_fetch_add(waiters, 1); \
			r = __real_##lock(l); \
			(void)atomic_fetch_sub(waiters, 1); \
		} \
		return r; \
	}

WAITERS_WRAP(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
WAITERS_WRAP(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
WAITERS_WRAP(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)

/* NOLINTEND(bugprone-reserved-identifier) */
