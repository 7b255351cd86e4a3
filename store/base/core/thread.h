/*
 * thread - threads that no signal is delivered to, since signals are for the program's own,
 * conditions that wait by the clock that never goes back, and locks that many hold for reading
 */
#ifndef STORE_BASE_CORE_THREAD_H
#define STORE_BASE_CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/** thread_start - Return: 0 or an errno */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
	__attribute__((warn_unused_result));

/** thread_cond_init - a condition for thread_cond_until() */
void thread_cond_init(pthread_cond_t *cond);

/** thread_rwlock_init - a lock whose writers do not starve; who reads does not take it twice */
void thread_rwlock_init(pthread_rwlock_t *lock);

/* For thread_cond_until(). */
#define THREAD_FOR_EVER UINT64_MAX

/**
 * thread_cond_until - wait for @cond, by thread_cond_init(), whose @lock is held
 * @steady_ns: of clock_steady_ns(), or THREAD_FOR_EVER
 *
 * Return: false when that time has passed.
 */
bool thread_cond_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t steady_ns);

/** struct thread_last - the last thread of a group that has ended, to be joined by the next one that ends */
struct thread_last {
	pthread_t id; /* not joined yet */
	bool any;     /* there is one */
};

/**
 * thread_succeed - the calling thread is the last one that has ended
 * @last:  of its group; the group's lock is held
 *
 * Return: the one before it. The calling thread joins it (thread_join_last()) without the lock, and returns. Whoever ends the group joins
 * @last: then no thread of it runs any more, not even what libraries do when a thread ends, which must not meet exit().
 */
struct thread_last thread_succeed(struct thread_last *last) __attribute__((warn_unused_result));

/** thread_join_last - wait until it is gone; nothing if there is none */
void thread_join_last(struct thread_last last);

#endif
