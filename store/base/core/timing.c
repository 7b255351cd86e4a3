/* timing - parses the environment at each call, so callers that wait in a loop call it once */
#include "store/base/core/timing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *word;
	unsigned ms;
} timings[] = {
#define TIMING(name, word, ms) [TIMING_##name] = {word, ms},
#include "store/base/core/timing.def"
#undef TIMING
};

/* Returns the row of a word of @len bytes; TIMING_COUNT if there is none. */
static enum timing
timing_known(const char *word, size_t len)
{
	enum timing t = 0;

	while (t < TIMING_COUNT &&
	       (strlen(timings[t].word) != len || memcmp(timings[t].word, word, len) != 0)) {
		t++;
	}
	return t;
}

unsigned
timing_ms(enum timing t)
{
	assert(t < TIMING_COUNT);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it */
	const char *at = getenv("ITEMFS_TIMING");
	unsigned ms = timings[t].ms;

	while (at != NULL && *at != '\0') {
		size_t len = strcspn(at, "=");
		enum timing known = timing_known(at, len);
		char *end;
		unsigned long n = strtoul(at + len + (at[len] == '='), &end, 10);

		if (known == TIMING_COUNT || (*end != ',' && *end != '\0')) {
			(void)fprintf(stderr, "ITEMFS_TIMING: not NAME=MILLISECONDS: \"%s\"\n", at);
			abort();
		}
		if (known == t) {
			ms = (unsigned)n;
		}
		at = *end == ',' ? end + 1 : end;
	}
	return ms;
}
