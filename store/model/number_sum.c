/* number_sum - order, addition and division of numbers */
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/number_int.h"

/* The power of ten of the first digit of a number that is not zero. */
static int
magnitude(const struct number *n)
{
	return number_digit_count(n->coefficient) + n->exponent - 1;
}

/* Compares the absolute values of two numbers that are not zero. */
static int
cmp_magnitude(const struct number *a, const struct number *b)
{
	int da = number_digit_count(a->coefficient);
	int db = number_digit_count(b->coefficient);
	int pa = da + a->exponent;
	int pb = db + b->exponent;

	if (pa != pb) {
		return pa < pb ? -1 : 1;
	}
	/* The power of ten is equal: bring both to the same number of digits. */
	u128 ca = a->coefficient * (da < db ? number_ten_to(db - da) : 1);
	u128 cb = b->coefficient * (db < da ? number_ten_to(da - db) : 1);

	return (ca > cb) - (ca < cb);
}

int
number_cmp(const struct number *a, const struct number *b)
{
	int sa = a->coefficient == 0 ? 0 : (a->negative ? -1 : 1);
	int sb = b->coefficient == 0 ? 0 : (b->negative ? -1 : 1);

	if (sa != sb) {
		return sa < sb ? -1 : 1;
	}
	return sa == 0 ? 0 : sa * cmp_magnitude(a, b);
}

/* The service has the same message for a sum with too many digits as for one that is too large. */
static int
number_fail_sum(struct call *c)
{
	return number_check_range(c, LIMIT_EXPONENT_MAX + 1, 0);
}

/* Removes trailing zeros, then checks the limits. */
static int
normalise(struct call *c, struct number *n)
{
	if (n->coefficient == 0) {
		*n = (struct number){0};
		return 0;
	}
	for (; n->coefficient % 10 == 0; n->coefficient /= 10) {
		n->exponent++;
	}
	return number_digit_count(n->coefficient) > LIMIT_DIGITS
		       ? number_fail_sum(c)
		       : number_check_range(c, magnitude(n),
					    (size_t)number_digit_count(n->coefficient));
}

int
number_add(struct call *c, const struct number *a, const struct number *b, bool subtract,
	   struct number *out)
{
	struct number high = *a;
	struct number low = *b;

	low.negative = low.coefficient != 0 && low.negative != subtract;
	if (high.coefficient == 0 || low.coefficient == 0) {
		*out = high.coefficient == 0 ? low : high;
		return 0;
	}
	if (high.exponent < low.exponent) {
		struct number swap = high;

		high = low;
		low = swap;
	}
	/*
	 * Bring both to the lower exponent. With a shift, the last digit of the sum is that of the lower one, and not
	 * 0. So if the shifted coefficient has 40 digits, or is not below 2 * 10^38, the sum has more than 38.
	 */
	int shift = high.exponent - low.exponent;

	if (shift >= LIMIT_DIGITS + 1 ||
	    high.coefficient >= 2 * number_ten_to(LIMIT_DIGITS) / number_ten_to(shift)) {
		return number_fail_sum(c);
	}
	u128 x = high.coefficient * number_ten_to(shift);
	u128 y = low.coefficient;

	if (high.negative == low.negative) {
		*out = (struct number){x + y, low.exponent, high.negative};
	} else if (x >= y) {
		*out = (struct number){x - y, low.exponent, high.negative};
	} else {
		*out = (struct number){y - x, low.exponent, low.negative};
	}
	return normalise(c, out);
}

int
number_divide(struct call *c, const struct number *a, uint64_t n, struct number *out)
{
	assert(n != 0);
	u128 rest = a->coefficient % n;

	*out = *a;
	out->coefficient /= n;
	while (rest != 0 && out->coefficient < number_ten_to(LIMIT_DIGITS - 1)) {
		rest *= 10;
		out->coefficient = out->coefficient * 10 + rest / n;
		out->exponent--;
		rest %= n;
	}
	rest *= 2;
	if (rest > n || (rest == n && out->coefficient % 2 == 1)) {
		out->coefficient++;
	}
	return normalise(c, out);
}
