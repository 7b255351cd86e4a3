/* thread - a new thread inherits the mask of the one that makes it */
#include "store/base/thread.h"

#include <signal.h>

int
thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all;
	sigset_t before;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	int e = pthread_create(thread, NULL, run, arg);

	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return e;
}
