/*
 * waiters - counts the threads of a test that wait for a lock
 *
 * unit-fs is linked with --wrap for the locking functions.  A watched thread counts as a waiter from the moment
 * it finds a lock taken until it acquires the lock.
 */
#ifndef TESTS_FS_WAITERS_H
#define TESTS_FS_WAITERS_H

#include <stdatomic.h>

/** waiters_watch - count this thread in @n whenever it waits for a lock; NULL: stop counting */
void waiters_watch(atomic_uint *n);

#endif
