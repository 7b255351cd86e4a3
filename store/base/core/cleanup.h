/*
 * cleanup - scope end releases what no arena can own: locks, iterators, descriptors
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

/* Define fn##p(), which frees *p unless it is NULL. */
/* NOLINTBEGIN(bugprone-macro-parentheses): the first argument is a type */
#define CLEANUP_DEFINE(type, fn) \
	static inline void fn##p(type *p) \
	{ \
		if (*p != NULL) { \
			fn(*p); \
		} \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/* Hand *pp to a new owner: the cleanup at scope end then finds NULL. */
#define steal(pp) \
	({ \
		__typeof__(*(pp)) taken = *(pp); \
		*(pp) = NULL; \
		taken; \
	})

/* A descriptor; one below 0 is none. */
static inline void
cleanup_fd(const int *fd)
{
	if (*fd >= 0) {
		(void)close(*fd);
	}
}

/* A directory's stream, or NULL. */
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

/* Hold @m until the end of the block; once in a block. */
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

/* The same of a lock that many may hold for reading. */
#define read_scope(l) \
	cleanup(cleanup_unlock_both) __attribute__((unused)) pthread_rwlock_t *scope_rwlock = \
		cleanup_read(l)
#define write_scope(l) \
	cleanup(cleanup_unlock_both) __attribute__((unused)) pthread_rwlock_t *scope_rwlock = \
		cleanup_write(l)

#endif
