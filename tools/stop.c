/* stop - see stop.h */
#include "tools/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int asked;

static void
wake(int signal)
{
	(void)signal;
	(void)alarm(1);
}

/* A read(2) that begins just now would not notice it: it is woken again each second. */
static void
note(int signal)
{
	asked = signal;
	(void)alarm(1);
}

void
stop_listen(void)
{
	/* The second one has its usual effect; and what waits in read(2) wakes. */
	struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
	struct sigaction again = {.sa_handler = wake};
	struct sigaction hangup; /* ignored under nohup(1) */

	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
		(void)sigaction(SIGHUP, &action, NULL);
	}
	(void)sigaction(SIGALRM, &again, NULL);
}

int
stop_asked(void)
{
	return asked;
}

int
stop_check(struct call *c)
{
	return asked == 0 ? 0 : call_fail(c, ERR_BUSY, "interrupted");
}
