/* patience - see patience.h */
#include "tools/text/patience.h"

#include <sys/random.h>

#include "store/base/core/clock.h"

enum {
	DEFAULT_S = 600,
	FIRST_MS = 50,  /* longest first pause */
	MOST_MS = 5000, /* longest pause */
	MS_PER_S = 1000,
};

static uint64_t
patience_ms(void)
{
	const char *text =
		getenv("ITEMFS_PATIENCE"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
	uint64_t seconds;

	return MS_PER_S * (ascii_count(slice_from(text), &seconds) && seconds <= UINT32_MAX
				   ? seconds
				   : DEFAULT_S);
}

void
patience_begin(struct patience *p)
{
	*p = (struct patience){.moved_ms = clock_steady_ms()};
}

bool
patience_is_over(const struct patience *p)
{
	return clock_steady_ms() - p->moved_ms >= patience_ms();
}

/* At least half of the time, so that pauses grow; the rest is random, so that clients do not retry at the same time. */
unsigned
patience_pause_ms(struct patience *p)
{
	unsigned most = p->tries < 7 ? (unsigned)FIRST_MS << p->tries : MOST_MS;
	uint32_t random = 0;

	p->tries++;
	(void)!getrandom(&random, sizeof(random), 0);
	return most / 2 + random % (most / 2 + 1);
}

bool
patience_may_pass(enum err code, bool once)
{
	if (error_throttled(code) || code == ERR_BUSY) {
		return true; /* it was not carried out */
	}
	return !once && (code == ERR_UNREACHABLE || code == ERR_GONE || code == ERR_IO);
}

int
patience_give_up(struct call *c, const struct patience *p)
{
	uint64_t ms = clock_steady_ms() - p->moved_ms;

	return call_prefix(c, "no progress for %lu s: ", (unsigned long)(ms / MS_PER_S));
}
