/* stream_arn - see stream_arn.h; a label is Unix time in milliseconds, as a date in UTC */
#include "store/model/stream_arn.h"

#include <time.h>

#include "store/base/core/clock.h"
#include "store/model/arn.h"

#define STREAM "/stream/"

enum { LABEL_CHARS = 23 };

/* The number at @from up to @to, exclusive; -1: there is something else than digits. */
static int
stream_arn_digits(struct slice label, size_t from, size_t to)
{
	int n = 0;

	for (; from < to; from++) {
		if (label.at[from] < '0' || label.at[from] > '9') {
			return -1;
		}
		n = n * 10 + (label.at[from] - '0');
	}
	return n;
}

bool
stream_arn_read_label(struct slice label, uint64_t *label_ms)
{
	if (label.len != LABEL_CHARS) {
		return false;
	}
	struct tm tm = {
		.tm_year = stream_arn_digits(label, 0, 4) - 1900,
		.tm_mon = stream_arn_digits(label, 5, 7) - 1,
		.tm_mday = stream_arn_digits(label, 8, 10),
		.tm_hour = stream_arn_digits(label, 11, 13),
		.tm_min = stream_arn_digits(label, 14, 16),
		.tm_sec = stream_arn_digits(label, 17, 19),
	};
	int ms = stream_arn_digits(label, 20, 23);
	time_t seconds = timegm(&tm);
	struct buf again;

	if (seconds < 0 || ms < 0) {
		return false;
	}
	*label_ms = (uint64_t)seconds * 1000 + (uint64_t)ms;
	/* Each time has one form: an invalid date, or other separators, are written differently. */
	buf_init(&again, NULL);
	clock_put(&again, *label_ms);
	bool same = slice_eq(buf_view(&again), label);

	buf_release(&again);
	return same;
}

void
stream_arn_put(struct buf *out, struct slice region, struct slice table, uint64_t label_ms)
{
	arn_put_table(out, region, table);
	buf_str(out, STREAM);
	clock_put(out, label_ms);
}

bool
stream_arn_read(struct slice arn, struct slice *table, uint64_t *label_ms)
{
	struct slice label;

	return arn_read(arn, STREAM, table, &label) && table->len > 0 &&
	       stream_arn_read_label(label, label_ms);
}

struct slice
stream_seq(struct arena *a, uint64_t seq)
{
	return slice_from(arena_print(a, "%021llu", (unsigned long long)seq));
}

bool
stream_read_seq(struct slice text, uint64_t *seq)
{
	*seq = 0;
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned)(text.at[i] - '0');

		if (digit > 9 || *seq > (UINT64_MAX - digit) / 10) {
			return false;
		}
		*seq = *seq * 10 + digit;
	}
	return text.len > 0;
}
