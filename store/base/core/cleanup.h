/*
 * cleanup - macros that release locks, iterators and descriptors at the end of a scope
 *
 *   lock_scope(&db->writer);
 *   read_scope(&m->names_lock);
 *   cleanup(kv_cursor_freep) struct kv_cursor *cur = NULL;
 */
#ifndef STORE_BASE_CORE_CLEANUP_H
#define STORE_BASE_CORE_CLEANUP_H

#include <dirent.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#define cleanup(fn) __attribute__((cleanup(fn)))

/* Defines fn##p(), which calls fn(*p) unless *p is NULL. */
/* NOLINTBEGIN(bugprone-macro-parentheses): the first argument is a type */
#define CLEANUP_DEFINE(type, fn) \
	static inline void fn##p(type *p) \
	{ \
		if (*p != NULL) { \
			fn(*p); \
		} \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/* Moves *pp to a new owner and sets it to NULL, so that the cleanup at the end of the scope does nothing. */
#define steal(pp) \
	({ \
		__typeof__(*(pp)) taken = *(pp); \
		*(pp) = NULL; \
		taken; \
	})

/* Closes *fd unless it is negative. */
static inline void
cleanup_fd(const int *fd)
{
	if (*fd >= 0) {
		(void)close(*fd);
	}
}

/* Closes *d unless it is NULL. */
static inline void
cleanup_dir(DIR **d)
{
	if (*d != NULL) {
		(void)closedir(*d);
	}
}

static inline pthread_mutex_t *
cleanup_lock(pthread_mutex_t *m)
{
	(void)pthread_mutex_lock(m);
	return m;
}

static inline void
cleanup_unlock(pthread_mutex_t **m)
{
	(void)pthread_mutex_unlock(*m);
}

/* Locks @m until the end of the block. Use it at most once in a block. */
#define lock_scope(m) \
	cleanup(cleanup_unlock) __attribute__((unused)) pthread_mutex_t *scope_lock = \
		cleanup_lock(m)

static inline pthread_rwlock_t *
cleanup_read(pthread_rwlock_t *l)
{
	(void)pthread_rwlock_rdlock(l);
	return l;
}

static inline pthread_rwlock_t *
cleanup_write(pthread_rwlock_t *l)
{
	(void)pthread_rwlock_wrlock(l);
	return l;
}

static inline void
cleanup_unlock_both(pthread_rwlock_t **l)
{
	(void)pthread_rwlock_unlock(*l);
}

/* Lock a read-write lock until the end of the block. Use one of them at most once in a block. */
#define read_scope(l) \
	cleanup(cleanup_unlock_both) __attribute__((unused)) pthread_rwlock_t *scope_rwlock = \
		cleanup_read(l)
#define write_scope(l) \
	cleanup(cleanup_unlock_both) __attribute__((unused)) pthread_rwlock_t *scope_rwlock = \
		cleanup_write(l)

#endif
