/* scratch - see scratch.h */
#include "tools/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/folder.h"

int
scratch_make(struct call *c, struct scratch *s)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &s->before);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		(void)snprintf(s->path, sizeof(s->path), "%s/itemfs-XXXXXX", places[i]);
		if (mkdtemp(s->path) != NULL) {
			return 0;
		}
	}
	int e = errno;

	scratch_leave(s);
	return call_fail(c, ERR_IO, "no place for a temporary store: %s", strerrordesc_np(e));
}

void
scratch_leave(const struct scratch *s)
{
	(void)pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}

void
scratch_remove(const struct scratch *s)
{
	folder_remove(s->path);
	scratch_leave(s);
}
