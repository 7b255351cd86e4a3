/*
 * waiters - is a thread of a test waiting for a lock?
 *
 * unit-fs is linked with --wrap for the functions that lock: a thread that is watched counts as a waiter from
 * the moment it finds a lock taken until it has it.
 */
#ifndef TESTS_FS_WAITERS_H
#define TESTS_FS_WAITERS_H

#include <stdatomic.h>

/** waiters_watch - count this thread in @n whenever it waits for a lock; NULL: no longer */
void waiters_watch(atomic_uint *n);

#endif
