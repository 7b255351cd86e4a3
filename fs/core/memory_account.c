/* memory_account - see memory_account.h; the callers are handle.c, buffer.c, listing.c ... */
#include "fs/core/memory_account.h"

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
usage_begin(struct usage *u, struct account *account)
{
	if (u->bytes == 0) {
		u->account = account;
	}
}

void
usage_set(struct usage *u, size_t bytes)
{
	if (u->account == NULL) {
		return;
	}
	if (bytes > u->bytes) {
		u->account->bytes += bytes - u->bytes;
	} else {
		u->account->bytes -= u->bytes - bytes;
	}
	u->bytes = bytes;
}

bool
usage_resize(struct usage *u, size_t bytes)
{
	if (u->account == NULL || bytes <= u->bytes) {
		usage_set(u, bytes);
		return true;
	}
	size_t more = bytes - u->bytes;
	size_t most = ACCOUNT_BYTES_MAX + (u->spare ? ACCOUNT_SPARE : 0);

	/* More than the limit is refused before the sum could overflow. */
	if (more > most) {
		return false;
	}
	if (atomic_fetch_add(&u->account->bytes, more) + more > most) {
		u->account->bytes -= more;
		return false;
	}
	u->bytes = bytes;
	return true;
}

bool
usage_raise(struct usage *u, size_t bytes)
{
	return bytes <= u->bytes || usage_resize(u, bytes);
}

void
usage_end(struct usage *u)
{
	usage_set(u, 0);
}
