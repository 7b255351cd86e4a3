/*
 * thread - threads with all signals blocked, conditions on the steady clock, fair read-write locks
 *
 * So signals are delivered only to threads that are not started here, such as the main thread.
 */
#ifndef STORE_BASE_CORE_THREAD_H
#define STORE_BASE_CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/error.h"

/** thread_start - start a thread with all signals blocked; Return: 0 or an errno */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg) must_check;

/** thread_cond_init - initialize a condition for thread_cond_until() */
void thread_cond_init(pthread_cond_t *cond);

/** thread_rwlock_init - initialize a lock that prefers writers; a thread must not take it for reading twice */
void thread_rwlock_init(pthread_rwlock_t *lock);

/* As @steady_ns of thread_cond_until(): no timeout. */
#define THREAD_FOR_EVER UINT64_MAX

/**
 * thread_cond_until - wait for @cond; the caller holds @lock
 * @cond:      initialized by thread_cond_init()
 * @steady_ns: deadline on the clock of clock_steady_ns(), or THREAD_FOR_EVER
 *
 * Return: false if the deadline has passed.
 */
bool thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns);

/** struct thread_last - the thread of a group that ended last; the next one that ends joins it */
struct thread_last {
	pthread_t id; /* not joined yet */
	bool any;     /* id is set */
};

/**
 * thread_succeed - register the calling thread, which is about to end, as the last one of its group
 * @last: of the group; the caller holds the lock that guards it
 *
 * The calling thread releases the lock, joins the returned thread with thread_join_last(), and returns from its start
 * routine.  The thread that ends the group joins @last.  After that no thread of the group runs any more, not even
 * destructors of libraries, which must not run during exit().
 *
 * Return: the thread that was last before.
 */
struct thread_last thread_succeed(struct thread_last *last) must_check;

/** thread_join_last - join the thread, if there is one */
void thread_join_last(struct thread_last last);

#endif
