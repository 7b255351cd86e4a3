/* progress - see progress.h */
#include "tools/system/progress.h"

#include <math.h>

#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/core/timing.h"

enum {
	PAUSE_MS = 200,  /* between two lines */
	WAITS_MS = 5000, /* before a wait is reported */
	MS_PER_S = 1000,
};

void
progress_begin(struct progress *p, bool quiet, uint64_t total_bytes)
{
	*p = (struct progress){.on = !quiet && isatty(STDERR_FILENO),
			       .quiet = quiet,
			       .began_ms = clock_steady_ms(),
			       .patience_ms = timing_ms(TIMING_PROGRESS),
			       .total_bytes = total_bytes};
}

struct progress_text
progress_count(uint64_t n)
{
	struct progress_text text = {""};
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lu", (unsigned long)n);
	char *to = text.at;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0) {
			*to++ = ',';
		}
		*to++ = digits[i];
	}
	return text;
}

struct progress_text
progress_items(uint64_t n)
{
	struct progress_text text;

	(void)snprintf(text.at, sizeof(text.at), "%.30s item%s", progress_count(n).at,
		       n == 1 ? "" : "s");
	return text;
}

double
progress_seconds(const struct progress *p)
{
	return (double)(clock_steady_ms() - p->began_ms) / 1000;
}

/* Append percentage and remaining time; nothing if the estimate @total was too low. */
static void
put_share(struct buf *out, double seconds, uint64_t done, uint64_t total)
{
	if (done < total) {
		buf_fmt(out, ", %.0f %%", floor(100 * (double)done / (double)total));
	}
	if (done < total && done > 0) {
		buf_fmt(out, ", %.0f s left", seconds * (double)(total - done) / (double)done);
	}
}

void
progress_line(struct buf *out, const struct progress *p, double seconds, uint64_t items,
	      uint64_t bytes)
{
	const char *what = p->what == NULL ? "items" : p->what;

	if (items > 0) {
		buf_fmt(out, "%s %s, ", progress_count(items).at, what);
	}
	if (bytes > 0) {
		buf_fmt(out, "%.1f MB, ", (double)bytes / 1e6);
	}
	if (items > 0 || bytes == 0) {
		buf_fmt(out, "%s %s/s", progress_count((uint64_t)round((double)items / seconds)).at,
			what);
	} else {
		buf_fmt(out, "%.1f MB/s", (double)bytes / 1e6 / seconds);
	}
	if (p->total_items > 0) {
		put_share(out, seconds, items, p->total_items);
	} else {
		put_share(out, seconds, bytes, p->total_bytes);
	}
}

void
progress_show(struct progress *p, uint64_t items, uint64_t bytes)
{
	if (!p->on) {
		return;
	}
	uint64_t now = clock_steady_ms();

	if (now - p->began_ms < p->patience_ms || (p->shown && now - p->shown_ms < PAUSE_MS)) {
		return;
	}
	cleanup(buf_release) struct buf line = {0};

	progress_line(&line, p, (double)(now - p->began_ms) / 1000, items, bytes);
	(void)fprintf(stderr, "\r%.*s\033[K", SLICE_ARG(buf_view(&line)));
	p->shown = true;
	p->shown_ms = now;
}

void
progress_waits(struct progress *p, uint64_t moved_ms, const struct error *e)
{
	uint64_t now = clock_steady_ms();

	if (p->quiet || now - moved_ms < WAITS_MS || p->waits_ms == moved_ms) {
		return;
	}
	cleanup(buf_release) struct buf line = {0};
	cleanup(buf_release) struct buf shown = {0};

	p->waits_ms = moved_ms;
	progress_end(p);
	buf_fmt(&line, "no progress for %lu s, trying again: %s: %s",
		(unsigned long)((now - moved_ms) / MS_PER_S), error_wire(e->code), e->message);
	(void)escape_put(&shown, buf_view(&line), SIZE_MAX);
	(void)fprintf(stderr, "%.*s\n", SLICE_ARG(buf_view(&shown)));
}

void
progress_end(struct progress *p)
{
	if (p->shown) {
		(void)fputs("\r\033[K", stderr);
	}
	p->shown = false;
}
