/* scratch_store - see scratch_store.h */
#include "tools/system/scratch_store.h"

#include "store/base/system/temporary.h"

int
scratch_make(struct call *c, struct scratch *s, const char *place)
{
	const char *const places[] = {place == NULL ? "/dev/shm" : place, "/tmp"};
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &s->before);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (temporary_make(places[i], "itemfs-temporary-", &s->at)) {
			return 0;
		}
	}
	int e = errno;

	scratch_leave(s);
	return call_fail(c, ERR_IO, "cannot create a temporary store in %s or /tmp: %s", places[0],
			 strerrordesc_np(e));
}

void
scratch_leave(const struct scratch *s)
{
	(void)pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}

void
scratch_remove(struct scratch *s)
{
	temporary_remove(&s->at);
	scratch_leave(s);
}
