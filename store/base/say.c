/* say - see say.h */
#include "store/base/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

void
say(const char *fmt, ...)
{
	char line[1024];
	char when[32] = "";
	time_t now = time(NULL);
	struct tm tm;
	va_list ap;

	if (gmtime_r(&now, &tm) != NULL) {
		(void)strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	}
	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	(void)fprintf(stderr, "%s itemfs: %s\n", when, line);
}
