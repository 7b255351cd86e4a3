/*
 * memory_account - the memory that each user takes in the daemon through one mount
 *
 * If the daemon runs out of memory, it ends, and with it all mounts of the store. So all memory that a user can
 * allocate and keep for as long as he likes is counted in his account, and refused when the account is full: texts of
 * open files, scratch files, listings, handles, answers that are being read, changes that he has not read, empty
 * partitions. Memory that is freed with the request is bounded by the request's budget and not counted.
 *
 * Each object has a usage: a number of bytes of one account.
 *
 *   usage_begin(&x->usage, account_of(&m->accounts, c->uid));
 *   if (!usage_resize(&x->usage, bytes)) return account_full(c);      x now has @bytes
 *   usage_end(&x->usage);                                             x now has none
 */
#ifndef FS_CORE_MEMORY_ACCOUNT_H
#define FS_CORE_MEMORY_ACCOUNT_H

#include <stdatomic.h>

#include "store/base/core/base.h"

enum {
	ACCOUNT_BYTES_MAX = 128 * 1024 * 1024,  /* per user and mount */
	ACCOUNT_SCRATCH_MAX = 64 * 1024 * 1024, /* part of it that scratch files may use */
	ACCOUNT_SPARE = 4 * 1024 * 1024, /* in addition, for .itemfs, which explains the error */
	ACCOUNT_OBJECT_BYTES = 1024,     /* overhead of an object, in addition to its bytes */
};

/* Lives as long as the mount, since users are few. */
struct account {
	struct account *next;
	uint32_t uid;
	atomic_size_t bytes;
	atomic_size_t scratch; /* bytes of scratch files */
};

struct accounts {
	pthread_mutex_t lock; /* guards first and the list */
	struct account *first;
};

/* All zero: it counts in no account, and nothing is refused. */
struct usage {
	struct account *account;
	size_t bytes;
	bool spare; /* may use ACCOUNT_SPARE */
};

void accounts_init(struct accounts *all);
void accounts_release(struct accounts *all);

/** account_of - the account of a user, created if there is none */
struct account *account_of(struct accounts *all, uint32_t uid);

/** accounts_bytes - the sum of all users */
size_t accounts_bytes(struct accounts *all);

/** account_full - fail with -ERR_NO_SPACE and the reason */
int account_full(struct call *c);

/** usage_begin - set the account; no effect while there are bytes */
void usage_begin(struct usage *u, struct account *account);

/**
 * usage_resize - set it to @bytes, more or less than before; false: the account is full, and nothing has changed
 */
bool usage_resize(struct usage *u, size_t bytes) must_check;

/** usage_raise - raise it to @bytes; no effect if it has more */
bool usage_raise(struct usage *u, size_t bytes) must_check;

/** usage_set - set it to @bytes; for memory that cannot be refused any more */
void usage_set(struct usage *u, size_t bytes);

/** usage_end - set it to 0 */
void usage_end(struct usage *u);

#endif
