/*
 * lock - assertions about locks: assert(lock_held(&x->lock)) states what the caller must hold
 *
 * They are checked in sanitizer builds and with --buildtype=debug (LOCK_CHECKS=1). Other builds do not check them, because
 * each check costs two atomic operations.
 *
 * Each function tries to take the lock. It cannot know which thread holds it, so it returns true when another thread does. An
 * assertion may therefore miss a fault, but it never fails by chance.
 */
#ifndef STORE_BASE_CORE_LOCK_H
#define STORE_BASE_CORE_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "store/base/core/sanitized.h"

#ifndef LOCK_CHECKS
#define LOCK_CHECKS SANITIZED
#endif

/** lock_held - return true if some thread holds @lock; takes const so that any function can call it */
static inline bool
lock_held(const pthread_mutex_t *lock)
{
	pthread_mutex_t *l = (pthread_mutex_t *)lock;

	if (!LOCK_CHECKS || pthread_mutex_trylock(l) != 0) {
		return true;
	}
	(void)pthread_mutex_unlock(l);
	return false;
}

/** lock_held_write - return true if some thread holds @lock for writing */
static inline bool
lock_held_write(const pthread_rwlock_t *lock)
{
	pthread_rwlock_t *l = (pthread_rwlock_t *)lock;

	if (!LOCK_CHECKS || pthread_rwlock_tryrdlock(l) != 0) {
		return true;
	}
	(void)pthread_rwlock_unlock(l);
	return false;
}

/** lock_held_any - return true if some thread holds @lock for reading or writing */
static inline bool
lock_held_any(const pthread_rwlock_t *lock)
{
	pthread_rwlock_t *l = (pthread_rwlock_t *)lock;

	if (!LOCK_CHECKS || pthread_rwlock_trywrlock(l) != 0) {
		return true;
	}
	(void)pthread_rwlock_unlock(l);
	return false;
}

#endif
