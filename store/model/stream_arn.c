/* stream_arn - see stream_arn.h; a label is Unix time in milliseconds, as a date in UTC */
#include "store/model/stream_arn.h"

#include <time.h>

#include "store/base/core/clock.h"
#include "store/model/arn.h"

#define STREAM "/stream/"

enum { LABEL_CHARS = 23 };

bool
stream_arn_read_label(struct slice label, uint64_t *label_ms)
{
	char text[LABEL_CHARS + 1] = {0};
	struct tm tm = {0};
	struct buf again;

	if (label.len != LABEL_CHARS) {
		return false;
	}
	memcpy(text, label.at, LABEL_CHARS);
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S.", &tm);
	time_t seconds = timegm(&tm);
	uint64_t ms;

	if (rest == NULL || seconds < 0 || !ascii_count(slice_from(rest), &ms)) {
		return false;
	}
	*label_ms = (uint64_t)seconds * 1000 + ms;
	/* Each time has one form: an invalid date, or one with blanks, is written differently. */
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
