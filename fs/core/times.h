/*
 * times - times that the store has no place for: of directories, and of last access where one was set
 *
 * A directory's time is that of the newest change that it may have seen: an entry of its collection came, went or was
 * overwritten, by this mount or by another front end.  The mount knows the changes since its start, and of the oldest
 * of those only a bound.  So a directory that is not in the table shows the bound: never a time before a change, at
 * times one after it.
 *
 * A table is bounded: when it is full, the older half of its entries goes and the bound rises to the newest of these.
 */
#ifndef FS_CORE_TIMES_H
#define FS_CORE_TIMES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TIMES_MAX = 32768 }; /* entries of a table */

struct times_entry {
	uint64_t ino; /* what stat shows; 0: none */
	uint64_t mtime_ns;
	uint64_t atime_ns;
	uint64_t ctime_ns;
};

/* One lock, under which no other is taken. */
struct times {
	pthread_mutex_t lock;
	struct times_entry *slots; /* on the heap; at most half of them used */
	size_t n_slots;            /* a power of two, or 0 */
	atomic_size_t n;
	_Atomic uint64_t bound_ns; /* no newer change is known of what is not in the table */
};

void times_init(struct times *t);
void times_release(struct times *t);

/** times_raise - anything may have changed until @now_ns */
void times_raise(struct times *t, uint64_t now_ns);

/** times_touch - it changed at @now_ns: all three times */
void times_touch(struct times *t, uint64_t ino, uint64_t now_ns);

/**
 * times_set - utimensat
 * @e:        its number, ctime_ns: now, and the times to set; 0: the one that it has stays
 * @since_ns: as for times_get()
 */
void times_set(struct times *t, const struct times_entry *e, uint64_t since_ns);

/**
 * times_get - its times
 * @since_ns: a change until then concerned it
 *
 * Return: false when its own entry does not tell: @since_ns holds, or the bound of the table
 */
bool times_get(struct times *t, uint64_t ino, uint64_t since_ns, struct times_entry *out);

/** times_forget - of a file that is new */
void times_forget(struct times *t, uint64_t ino);

/** times_move - of a file that was renamed from @ino to @to; times_exchange - of two that changed places */
void times_move(struct times *t, uint64_t ino, uint64_t to);
void times_exchange(struct times *t, uint64_t a, uint64_t b);

/** times_newest - when it changed, as far as the table has it; 0: it has not */
uint64_t times_newest(struct times *t, uint64_t ino);

#endif
