/*
 * times - times that the store does not have: of directories, and of last access where one was set
 *
 * A directory's time is the newest change that may have affected it: an entry of its collection was created, removed or
 * overwritten, by this mount or by another front end. The mount knows the changes since its start, but only a bound for
 * the oldest of them. A directory without an entry shows the bound: never a time before a change, sometimes one after
 * it.
 *
 * A table is bounded: when it is full, the older half of its entries is removed, and the bound rises to the newest of
 * these.
 */
#ifndef FS_CORE_TIMES_H
#define FS_CORE_TIMES_H

#include <stdatomic.h>

#include "store/base/core/base.h"

enum { TIMES_MAX = 32768 }; /* entries per table */

struct times_entry {
	uint64_t ino; /* inode number of stat; 0: free slot */
	uint64_t mtime_ns;
	uint64_t atime_ns;
	uint64_t ctime_ns;
};

/* No other lock is taken under @lock, which guards all members. */
struct times {
	pthread_mutex_t lock;
	struct times_entry *slots; /* on the heap; at most half of them are used */
	size_t n_slots;            /* a power of two, or 0 */
	atomic_size_t n;
	_Atomic uint64_t bound_ns; /* objects without an entry changed then or before */
};

void times_init(struct times *t);
void times_release(struct times *t);

/** times_raise - raise the bound: anything may have changed until @now_ns */
void times_raise(struct times *t, uint64_t now_ns);

/** times_touch - set all three times of @ino to @now_ns */
void times_touch(struct times *t, uint64_t ino, uint64_t now_ns);

/**
 * times_set - set times, as utimensat does
 * @e:        the inode number, ctime_ns (now), and the times to set; 0: keep the present one
 * @since_ns: as for times_get()
 */
void times_set(struct times *t, const struct times_entry *e, uint64_t since_ns);

/**
 * times_get - the times of @ino
 * @since_ns: time of a known change of it
 *
 * Return: false when it has no newer entry: the times are @since_ns or the table's bound
 */
bool times_get(struct times *t, uint64_t ino, uint64_t since_ns, struct times_entry *out);

/** times_forget - remove the times of a file that is new */
void times_forget(struct times *t, uint64_t ino);

/** times_move, times_exchange - move the times of a renamed file from @ino to @to; exchange those of two files */
void times_move(struct times *t, uint64_t ino, uint64_t to);
void times_exchange(struct times *t, uint64_t a, uint64_t b);

/** times_newest - the ctime of @ino in the table; 0: it has none */
uint64_t times_newest(struct times *t, uint64_t ino);

#endif
