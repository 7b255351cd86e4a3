/* progress - one line that overwrites itself */
#include "tools/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "store/base/clock.h"

enum {
	PATIENCE_MS = 1000, /* before the first line */
	PAUSE_MS = 200,     /* between two */
};

void
progress_begin(struct progress *p, bool quiet, uint64_t total_bytes)
{
	*p = (struct progress){.on = !quiet && isatty(STDERR_FILENO),
			       .began_ms = clock_steady_ms(),
			       .total_bytes = total_bytes};
}

double
progress_seconds(const struct progress *p)
{
	return (double)(clock_steady_ms() - p->began_ms) / 1000;
}

static void
show_rest(double seconds, uint64_t done, uint64_t total)
{
	if (total > done && done > 0) {
		(void)fprintf(stderr, ", %.0f s left",
			      seconds * (double)(total - done) / (double)done);
	}
}

void
progress_show(struct progress *p, uint64_t items, uint64_t bytes)
{
	if (!p->on) {
		return;
	}
	uint64_t now = clock_steady_ms();

	if (now - p->began_ms < PATIENCE_MS || (p->shown && now - p->shown_ms < PAUSE_MS)) {
		return;
	}
	double seconds = (double)(now - p->began_ms) / 1000;

	const char *what = p->what == NULL ? "items" : p->what;

	(void)fputc('\r', stderr);
	if (items > 0) {
		(void)fprintf(stderr, "%lu %s, ", (unsigned long)items, what);
	}
	if (bytes > 0) {
		(void)fprintf(stderr, "%.1f MB, ", (double)bytes / 1e6);
	}
	if (items > 0 || bytes == 0) {
		(void)fprintf(stderr, "%.0f %s/s", (double)items / seconds, what);
	} else {
		(void)fprintf(stderr, "%.1f MB/s", (double)bytes / 1e6 / seconds);
	}
	show_rest(seconds, bytes, p->total_bytes);
	show_rest(seconds, items, p->total_items);
	(void)fputs("\033[K", stderr);
	p->shown = true;
	p->shown_ms = now;
}

void
progress_end(struct progress *p)
{
	if (p->shown) {
		(void)fputs("\r\033[K", stderr);
	}
	p->shown = false;
}
