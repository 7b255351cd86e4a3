/*
 * memory_account - the memory that a user takes of the daemon through one mount
 *
 * Out of memory is the end of the daemon, and with it of all mounts of the store.  So whatever a user can have made and keep
 * for as long as he likes is charged to his account, and refused when that is full: texts of open
 * files, scratch files, listings, handles, answers that are being read, changes that he has not read, empty partitions.
 * What lives no longer than a request is bounded by the request's budget, and not charged.
 *
 * An object has a charge: so many bytes of one account.
 *
 *   charge_begin(&x->charge, account_of(&m->accounts, c->uid));
 *   if (!charge_to(&x->charge, bytes)) return account_full(c);        now it has so many
 *   charge_end(&x->charge);                                           now it has none
 */
#ifndef FS_CORE_MEMORY_ACCOUNT_H
#define FS_CORE_MEMORY_ACCOUNT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/base/core/call.h"

enum {
	ACCOUNT_BYTES_MAX = 128 * 1024 * 1024,  /* of one user in one mount */
	ACCOUNT_SCRATCH_MAX = 64 * 1024 * 1024, /* of these, in scratch files */
	ACCOUNT_SPARE = 4 * 1024 * 1024, /* beyond that, for the files of .itemfs: they say why */
	ACCOUNT_OBJECT_BYTES = 1024,     /* what an object costs beside its bytes */
};

/* It lives as long as the mount: users are few. */
struct account {
	struct account *next;
	uint32_t uid;
	atomic_size_t bytes;
	atomic_size_t scratch; /* bytes of scratch files */
};

struct accounts {
	pthread_mutex_t lock; /* of first */
	struct account *first;
};

/* Zero: nobody is charged, and nothing is refused. */
struct charge {
	struct account *account;
	size_t bytes;
	bool spare; /* it may have of ACCOUNT_SPARE */
};

void accounts_init(struct accounts *all);
void accounts_release(struct accounts *all);

/** account_of - a user's, made when there is none */
struct account *account_of(struct accounts *all, uint32_t uid);

/** accounts_bytes - of all users together */
size_t accounts_bytes(struct accounts *all);

/** account_full - why something is refused: -ERR_NO_SPACE */
int account_full(struct call *c);

/** charge_begin - who pays from now on; one that has bytes stays with who pays for them */
void charge_begin(struct charge *ch, struct account *account);

/** charge_to - have @bytes in all, more or less than before; false: the account is full, and nothing has changed */
bool charge_to(struct charge *ch, size_t bytes) __attribute__((warn_unused_result));

/** charge_at_least - the same, but never less than before */
bool charge_at_least(struct charge *ch, size_t bytes) __attribute__((warn_unused_result));

/** charge_set - the same as charge_to() for what cannot be refused any more */
void charge_set(struct charge *ch, size_t bytes);

/** charge_end - give back all */
void charge_end(struct charge *ch);

#endif
