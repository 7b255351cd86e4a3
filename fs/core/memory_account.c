/* memory_account - see memory_account.h; the callers are handle.c, buffer.c, listing.c ... */
#include "fs/core/memory_account.h"

#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"

void
accounts_init(struct accounts *all)
{
	*all = (struct accounts){.first = NULL};
	(void)pthread_mutex_init(&all->lock, NULL);
}

void
accounts_release(struct accounts *all)
{
	while (all->first != NULL) {
		struct account *a = all->first;

		all->first = a->next;
		free(a);
	}
	(void)pthread_mutex_destroy(&all->lock);
}

struct account *
account_of(struct accounts *all, uint32_t uid)
{
	lock_scope(&all->lock);
	struct account *a = all->first;

	while (a != NULL && a->uid != uid) {
		a = a->next;
	}
	if (a == NULL) {
		a = mem_new(struct account);
		a->uid = uid;
		a->next = all->first;
		all->first = a;
	}
	return a;
}

size_t
accounts_bytes(struct accounts *all)
{
	lock_scope(&all->lock);
	size_t bytes = 0;

	for (const struct account *a = all->first; a != NULL; a = a->next) {
		bytes += a->bytes;
	}
	return bytes;
}

int
account_full(struct call *c)
{
	return call_fail(
		c, ERR_NO_SPACE,
		"the open files of one user in this mount may use at most %d MB of the daemon's "
		"memory: close files, or remove scratch files",
		ACCOUNT_BYTES_MAX >> 20);
}

void
charge_begin(struct charge *ch, struct account *account)
{
	if (ch->bytes == 0) {
		ch->account = account;
	}
}

void
charge_set(struct charge *ch, size_t bytes)
{
	if (ch->account == NULL) {
		return;
	}
	if (bytes > ch->bytes) {
		ch->account->bytes += bytes - ch->bytes;
	} else {
		ch->account->bytes -= ch->bytes - bytes;
	}
	ch->bytes = bytes;
}

bool
charge_to(struct charge *ch, size_t bytes)
{
	if (ch->account == NULL || bytes <= ch->bytes) {
		charge_set(ch, bytes);
		return true;
	}
	size_t more = bytes - ch->bytes;
	size_t most = ACCOUNT_BYTES_MAX + (ch->spare ? ACCOUNT_SPARE : 0);

	/* More than the limit is refused before the sum could overflow. */
	if (more > most) {
		return false;
	}
	if (atomic_fetch_add(&ch->account->bytes, more) + more > most) {
		ch->account->bytes -= more;
		return false;
	}
	ch->bytes = bytes;
	return true;
}

bool
charge_at_least(struct charge *ch, size_t bytes)
{
	return bytes <= ch->bytes || charge_to(ch, bytes);
}

void
charge_end(struct charge *ch)
{
	charge_set(ch, 0);
}
