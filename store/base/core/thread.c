/* thread - see thread.h */
#include "store/base/core/thread.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/base/core/lock.h"

int
thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all;
	sigset_t before;

	/* The new thread inherits the signal mask. */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	int e = pthread_create(thread, NULL, run, arg);

	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return e;
}

void
thread_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t steady;

	(void)pthread_condattr_init(&steady);
	(void)pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
	(void)pthread_cond_init(cond, &steady);
	(void)pthread_condattr_destroy(&steady);
}

void
thread_rwlock_init(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t fair;

	(void)pthread_rwlockattr_init(&fair);
	(void)pthread_rwlockattr_setkind_np(&fair, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	(void)pthread_rwlock_init(lock, &fair);
	(void)pthread_rwlockattr_destroy(&fair);
}

bool
thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(steady_ns / NS_PER_S),
		.tv_nsec = (long)(steady_ns % NS_PER_S),
	};

	assert(lock_held(lock));
	return steady_ns == THREAD_FOR_EVER
		       ? pthread_cond_wait(cond, lock) == 0
		       : pthread_cond_timedwait(cond, lock, &until) != ETIMEDOUT;
}

struct thread_last
thread_succeed(struct thread_last *last)
{
	struct thread_last before = *last;

	*last = (struct thread_last){.id = pthread_self(), .any = true};
	return before;
}

void
thread_join_last(struct thread_last last)
{
	if (last.any) {
		(void)pthread_join(last.id, NULL);
	}
}
