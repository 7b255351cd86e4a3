/* mask_shift - see mask_int.h: numbers and dates moved by a constant */
#include <time.h>

#include "store/model/number.h"

#include "tools/mask/mask_int.h"
#include "tools/text/fmt.h"

enum {
	DATE = 10, /* bytes of YYYY-MM-DD */
	DAY_SECONDS = 86400,
	SECONDS_DIGITS =
		11, /* limit of integer digits of a time in seconds; up to 14: milliseconds */
	MS_DIGITS = 14,
};

bool
mask_shift_number(struct masking *mk, struct slice number, const struct number *by,
		  struct slice *out)
{
	struct number n = number_read(number);
	struct number sum;

	if (number_add(mk->c, &n, by, false, &sum) < 0) {
		mk->c->error = (struct error){0}; /* the caller reports it without the value */
		return false;
	}
	struct buf b = {.arena = &mk->c->arena};
	number_print(&b, &sum);
	*out = buf_view(&b);
	return true;
}

bool
mask_shift_days_number(struct masking *mk, const struct mask_rule *r, struct slice number,
		       struct slice *out)
{
	struct slice rest = number;
	size_t whole = slice_take(&rest, '.').len;
	struct number by;

	if (number.at[0] == '-' || whole > MS_DIGITS) {
		return false;
	}
	struct slice b =
		fmt_slice(&mk->c->arena, "%ld",
			  (long)(r->days * DAY_SECONDS * (whole > SECONDS_DIGITS ? 1000 : 1)));

	by = number_read(b);
	return mask_shift_number(mk, number, &by, out);
}

/* ------------------------------------------------------------ YYYY-MM-DD */

bool
mask_shift_days_text(struct masking *mk, const struct mask_rule *r, struct slice text,
		     struct slice *out)
{
	uint64_t y;
	uint64_t m;
	uint64_t d;

	if (text.len < DATE || !ascii_count(slice_of(text.at, 4), &y) || text.at[4] != '-' ||
	    !ascii_count(slice_of(text.at + 5, 2), &m) || text.at[7] != '-' ||
	    !ascii_count(slice_of(text.at + 8, 2), &d) ||
	    (text.len > DATE && ascii_digit(text.at[DATE])) || y == 0) {
		return false;
	}
	struct tm tm = {.tm_year = (int)y - 1900, .tm_mon = (int)m - 1, .tm_mday = (int)d};

	(void)timegm(&tm);
	if (tm.tm_mon != (int)m - 1 || tm.tm_mday != (int)d) {
		return false; /* the date does not exist */
	}
	tm.tm_mday += (int)r->days;
	(void)timegm(&tm);
	if (tm.tm_year < 1 - 1900 || tm.tm_year > 9999 - 1900) {
		return false;
	}
	struct buf b = {.arena = &mk->c->arena};

	buf_fmt(&b, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
	buf_slice(&b, slice_skip(text, DATE));
	*out = buf_view(&b);
	return true;
}
