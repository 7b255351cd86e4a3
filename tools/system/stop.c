/* stop - see stop.h */
#include "tools/system/stop.h"

#include <signal.h>
#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"

enum { AGAIN_MS = 200 };

static atomic_int asked;
static _Atomic(uint64_t) asked_ms;
static uint64_t (*stop_clock_ms)(void) = clock_steady_ms;

static void
stop_wake(int signal)
{
	(void)signal;
	(void)alarm(1);
}

/*
 * A read(2) that begins just now would not notice the signal, so SIGALRM interrupts it after a second, and then every
 * second.  timeout(1) sends its signal to the process and then to its group: both count as one signal.
 */
static void
stop_note(int signal_no)
{
	uint64_t now = stop_clock_ms();
	uint64_t before = 0;

	if (atomic_compare_exchange_strong(&asked_ms, &before, now)) {
		asked = signal_no;
		(void)alarm(1);
	} else if (now > before + AGAIN_MS) {
		(void)signal(signal_no, SIG_DFL);
		(void)raise(signal_no);
	}
}

void
stop_listen_by(uint64_t (*steady_ms)(void))
{
	assert(steady_ms != NULL);
	stop_clock_ms = steady_ms;
	/* Without SA_RESTART, so that a waiting read(2) returns. */
	struct sigaction action = {.sa_handler = stop_note};
	struct sigaction again = {.sa_handler = stop_wake};
	const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		struct sigaction inherited;

		if (sigaction(signals[i], NULL, &inherited) == 0 &&
		    inherited.sa_handler != SIG_IGN) {
			(void)sigaction(signals[i], &action, NULL);
		}
	}
	(void)sigaction(SIGALRM, &again, NULL);
}

void
stop_listen(void)
{
	stop_listen_by(clock_steady_ms);
}

int
stop_asked(void)
{
	return asked;
}

bool
stop_asked_for_ms(unsigned ms)
{
	return asked != 0 && stop_clock_ms() >= asked_ms + ms;
}

static bool
stop_is_asked(const void *asker)
{
	(void)asker;
	return asked != 0;
}

bool
stop_pause(unsigned ms)
{
	return pause_ms(&(struct call){.given_up = stop_is_asked}, ms);
}

int
stop_check(struct call *c)
{
	return asked == 0 ? 0 : call_fail(c, ERR_BUSY, "interrupted");
}
