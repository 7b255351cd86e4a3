/*
 * lock - assertions about locks: assert(lock_held(&x->lock)) says what a comment would say, and is checked
 *
 * Each function tries to take the lock. They do not know which thread holds it: they return true, too, when another thread
 * does. So an assertion can miss a fault, but it never fails by chance.
 */
#ifndef STORE_BASE_CORE_LOCK_H
#define STORE_BASE_CORE_LOCK_H

#include <pthread.h>
#include <stdbool.h>

/** lock_held - Return: whether some thread holds @lock. It takes const locks, so that it can stand in any function. */
static inline bool
lock_held(const pthread_mutex_t *lock)
{
	pthread_mutex_t *l = (pthread_mutex_t *)lock;

	if (pthread_mutex_trylock(l) != 0) {
		return true;
	}
	(void)pthread_mutex_unlock(l);
	return false;
}

/** lock_held_write - Return: whether some thread holds @lock for writing */
static inline bool
lock_held_write(const pthread_rwlock_t *lock)
{
	pthread_rwlock_t *l = (pthread_rwlock_t *)lock;

	if (pthread_rwlock_tryrdlock(l) != 0) {
		return true;
	}
	(void)pthread_rwlock_unlock(l);
	return false;
}

/** lock_held_any - Return: whether some thread holds @lock for reading or writing */
static inline bool
lock_held_any(const pthread_rwlock_t *lock)
{
	pthread_rwlock_t *l = (pthread_rwlock_t *)lock;

	if (pthread_rwlock_trywrlock(l) != 0) {
		return true;
	}
	(void)pthread_rwlock_unlock(l);
	return false;
}

#endif
