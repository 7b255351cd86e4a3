/* mask_shift - see mask_int.h: numbers and dates moved by a constant */
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

static bool
mask_shift_add(struct masking *mk, struct slice number, const struct number *by, struct slice *out)
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
mask_shift_number(struct masking *mk, const struct mask_rule *r, struct slice number,
		  struct slice *out)
{
	return mask_shift_add(mk, number, &r->shift, out);
}

bool
mask_shift_days_number(struct masking *mk, const struct mask_rule *r, struct slice number,
		       struct slice *out)
{
	size_t whole = 0;
	struct number by;

	while (whole < number.len && number.at[whole] != '.') {
		whole++;
	}
	if (number.at[0] == '-' || whole > MS_DIGITS) {
		return false;
	}
	struct slice b =
		fmt_slice(&mk->c->arena, "%ld",
			  (long)(r->days * DAY_SECONDS * (whole > SECONDS_DIGITS ? 1000 : 1)));

	by = number_read(b);
	return mask_shift_add(mk, number, &by, out);
}

/* ------------------------------------------------------------ YYYY-MM-DD */

/* Convert a date to days since 0000-03-01: years begin in March, so that a leap day is the last day. */
static int64_t
mask_days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

/* The inverse of mask_days_of(). */
static void
mask_date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
	int64_t y = (10000 * days + 14780) / 3652425;
	int64_t rest = days - mask_days_of(y, 3, 1);

	if (rest < 0) {
		y--;
		rest = days - mask_days_of(y, 3, 1);
	}
	int64_t m = (100 * rest + 52) / 3060;

	*month = (m + 2) % 12 + 1;
	*year = y + (m + 2) / 12;
	*day = rest - (m * 306 + 5) / 10 + 1;
}

static bool
mask_digits(struct slice text, size_t at, size_t n, int64_t *out)
{
	*out = 0;
	for (size_t i = at; i < at + n; i++) {
		if (text.at[i] < '0' || text.at[i] > '9') {
			return false;
		}
		*out = *out * 10 + (text.at[i] - '0');
	}
	return true;
}

bool
mask_shift_days_text(struct masking *mk, const struct mask_rule *r, struct slice text,
		     struct slice *out)
{
	int64_t y;
	int64_t m;
	int64_t d;

	if (text.len < DATE || !mask_digits(text, 0, 4, &y) || text.at[4] != '-' ||
	    !mask_digits(text, 5, 2, &m) || text.at[7] != '-' || !mask_digits(text, 8, 2, &d) ||
	    (text.len > DATE && text.at[DATE] >= '0' && text.at[DATE] <= '9') || y == 0 || m < 1 ||
	    m > 12) {
		return false;
	}
	int64_t days = mask_days_of(y, m, d);
	int64_t back[3];

	mask_date_of(days, &back[0], &back[1], &back[2]);
	if (back[0] != y || back[1] != m || back[2] != d) {
		return false; /* the date does not exist */
	}
	mask_date_of(days + r->days, &y, &m, &d);
	if (y < 1 || y > 9999) {
		return false;
	}
	struct buf b = {.arena = &mk->c->arena};
	buf_fmt(&b, "%04d-%02d-%02d", (int)y, (int)m, (int)d);
	buf_slice(&b, slice_skip(text, DATE));
	*out = buf_view(&b);
	return true;
}
