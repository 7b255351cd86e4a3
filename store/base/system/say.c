/* say - see say.h */
#include "store/base/system/say.h"

#include <stdarg.h>
#include <time.h>

#include "store/base/core/base.h"
#include "store/base/core/escape.h"

const char *
say_time(char *out)
{
	time_t now = time(NULL);
	struct tm tm;

	*out = '\0';
	if (gmtime_r(&now, &tm) != NULL) {
		(void)strftime(out, SAY_TIME, "%Y-%m-%dT%H:%M:%SZ", &tm);
	}
	return out;
}

void
say(const char *fmt, ...)
{
	char line[1024];
	char when[SAY_TIME];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	cleanup(buf_release) struct buf shown = {0};

	/* The line may contain foreign names and texts: escape them, so that it stays one harmless line. */
	(void)escape_put(&shown, slice_from(line), SIZE_MAX);
	(void)fprintf(stderr, "%s itemfs: %.*s\n", say_time(when), SLICE_ARG(buf_view(&shown)));
}
