/*
 * number - decimal numbers as text: parsing, printing, the canonical form, size
 *
 * Front ends call number_canonical(). All other code has canonical text, and calls the functions of number.h only to
 * compare and to compute.
 */
#include "store/model/number.h"

#include "store/model/limits.h"
#include "store/model/number_int.h"

enum {
	U64_DIGITS = 19, /* any number with this many digits fits into uint64_t */
};

static const uint64_t tens[U64_DIGITS + 1] = {
	UINT64_C(1),
	UINT64_C(10),
	UINT64_C(100),
	UINT64_C(1000),
	UINT64_C(10000),
	UINT64_C(100000),
	UINT64_C(1000000),
	UINT64_C(10000000),
	UINT64_C(100000000),
	UINT64_C(1000000000),
	UINT64_C(10000000000),
	UINT64_C(100000000000),
	UINT64_C(1000000000000),
	UINT64_C(10000000000000),
	UINT64_C(100000000000000),
	UINT64_C(1000000000000000),
	UINT64_C(10000000000000000),
	UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000),
	UINT64_C(10000000000000000000),
};

u128
number_ten_to(int n)
{
	return n <= U64_DIGITS ? tens[n] : (u128)tens[U64_DIGITS] * tens[n - U64_DIGITS];
}

int
number_digit_count(u128 v)
{
	int n = v >= tens[U64_DIGITS] ? U64_DIGITS + 1 : 0;

	while (n <= LIMIT_DIGITS && v >= number_ten_to(n)) {
		n++;
	}
	return n;
}

/* The parts of a spelling. Digits are numbered from 0, without sign and point. */
struct spelling {
	size_t start;  /* offset of the first digit or point */
	size_t digits; /* number of digits */
	size_t before; /* number of digits before the point */
	size_t first;  /* number of the first digit that is not 0; == digits for zero */
	size_t last;   /* number of the last digit that is not 0 */
	long exponent; /* the number after 'e', from -EXPONENT_MAX to EXPONENT_MAX */
	bool negative;
};

/* A larger exponent has the same effect, and sums with this one do not overflow. */
static const long EXPONENT_MAX = 1L << 40;

/*
 * Reads the exponent at @i, after 'e'. Return: false if it has no digits, something else follows, or it does not fit
 * into 64 bits
 */
static bool
spell_exponent(struct slice text, size_t i, struct spelling *sp)
{
	bool negative = i < text.len && text.at[i] == '-';
	int64_t v = 0;

	i += i < text.len && (text.at[i] == '-' || text.at[i] == '+');
	if (i == text.len) {
		return false;
	}
	for (; i < text.len && ascii_digit(text.at[i]); i++) {
		int digit = text.at[i] - '0';

		/* There is one more negative number than positive ones. */
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, negative ? -digit : digit, &v)) {
			return false;
		}
	}
	sp->exponent = v > EXPONENT_MAX ? EXPONENT_MAX : (v < -EXPONENT_MAX ? -EXPONENT_MAX : v);
	return i == text.len;
}

/* Finds the parts of a decimal spelling; false: it is none. */
static bool
spell(struct slice text, struct spelling *sp)
{
	size_t i = text.len > 0 && (text.at[0] == '-' || text.at[0] == '+');
	bool point = false;
	bool zero = true;

	*sp = (struct spelling){.start = i, .negative = text.len > 0 && text.at[0] == '-'};
	for (; i < text.len; i++) {
		if (text.at[i] == '.' && !point) {
			point = true;
			sp->before = sp->digits;
			continue;
		}
		if (!ascii_digit(text.at[i])) {
			break;
		}
		if (text.at[i] != '0') {
			sp->first = zero ? sp->digits : sp->first;
			sp->last = sp->digits;
			zero = false;
		}
		sp->digits++;
	}
	sp->before = point ? sp->before : sp->digits;
	sp->first = zero ? sp->digits : sp->first;
	if (sp->digits == 0) {
		return false;
	}
	return i == text.len ||
	       ((text.at[i] == 'e' || text.at[i] == 'E') && spell_exponent(text, i + 1, sp));
}

/* The digits from the first to the last that is not 0; the caller has checked that there are at most 38. */
static u128
spelled_coefficient(struct slice text, const struct spelling *sp)
{
	u128 v = 0;
	size_t digit = 0;

	for (size_t i = sp->start; digit <= sp->last; i++) {
		if (text.at[i] != '.') {
			v = digit < sp->first ? 0 : v * 10 + (unsigned)(text.at[i] - '0');
			digit++;
		}
	}
	return v;
}

static struct number
spelled_number(struct slice text, const struct spelling *sp)
{
	if (sp->first == sp->digits) {
		return (struct number){0};
	}
	return (struct number){
		.coefficient = spelled_coefficient(text, sp),
		.exponent = (int)((long)sp->before - 1 - (long)sp->last + sp->exponent),
		.negative = sp->negative,
	};
}

/* The power of ten of the first digit that is not 0. */
static long
number_spelled_power(const struct spelling *sp)
{
	return (long)sp->before - 1 - (long)sp->first + sp->exponent;
}

/* A damaged record may have any digits, but buffers have room only for those of a valid number. */
static bool
number_is_storable(const struct spelling *sp)
{
	long power = number_spelled_power(sp);

	return sp->first == sp->digits ||
	       (power >= LIMIT_EXPONENT_MIN && power <= LIMIT_EXPONENT_MAX &&
		sp->last - sp->first < LIMIT_DIGITS);
}

int
number_check_range(struct call *c, long power, size_t digits)
{
	if (power > LIMIT_EXPONENT_MAX) {
		return call_fail(c, ERR_VALIDATION,
				 "Number overflow. Attempting to store a number with magnitude "
				 "larger than supported range");
	}
	if (power < LIMIT_EXPONENT_MIN) {
		return call_fail(c, ERR_VALIDATION,
				 "Number underflow. Attempting to store a number with magnitude "
				 "smaller than supported range");
	}
	if (digits > LIMIT_DIGITS) {
		return call_fail(c, ERR_VALIDATION,
				 "Attempting to store more than %d significant digits in a Number",
				 LIMIT_DIGITS);
	}
	return 0;
}

static int
number_fail_text(struct call *c, struct slice text)
{
	if (c->older && text.len == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "The parameter cannot be converted to a numeric value");
	}
	return call_fail(c, ERR_VALIDATION,
			 "The parameter cannot be converted to a numeric value: %.*s",
			 SLICE_ARG(text));
}

/* The older layer of the service computes with 32 bits; false: the exponent or the scale does not fit. */
static bool
number_older_power(const struct spelling *sp, long *power)
{
	long scale = (long)(sp->digits - sp->before) - sp->exponent;

	*power = (long)(int32_t)(uint32_t)(*power + 1) - 1; /* it wraps around */
	return sp->exponent == (int32_t)sp->exponent && scale == (int32_t)scale;
}

int
number_parse(struct call *c, struct slice text, struct number *out)
{
	struct spelling sp;

	if (!spell(text, &sp)) {
		return number_fail_text(c, text);
	}
	bool zero = sp.first == sp.digits;
	/* The limits apply to the power of the first digit, and for zero to the exponent that is written. */
	long power = zero ? sp.exponent : number_spelled_power(&sp);

	if (c->older && !number_older_power(&sp, &power)) {
		return number_fail_text(c, text);
	}
	int r = number_check_range(c, power, zero ? 0 : sp.last - sp.first + 1);

	if (r < 0) {
		return r;
	}
	*out = spelled_number(text, &sp);
	return 0;
}

/* Reads a whole number of at most 18 digits; false: @text is none. */
static bool
read_small(struct slice text, uint64_t *v, bool *negative)
{
	size_t i = text.len > 0 && text.at[0] == '-';

	*negative = i == 1;
	*v = 0;
	if (text.len - i == 0 || text.len - i >= U64_DIGITS) {
		return false;
	}
	for (; i < text.len; i++) {
		if (!ascii_digit(text.at[i])) {
			return false;
		}
		*v = *v * 10 + (uint64_t)(text.at[i] - '0');
	}
	return true;
}

struct number
number_read(struct slice canonical)
{
	struct number n = {0};
	struct spelling sp;
	uint64_t v;

	if (read_small(canonical, &v, &n.negative)) {
		for (; v != 0 && v % 10 == 0; v /= 10) {
			n.exponent++;
		}
		n.coefficient = v;
		return n;
	}
	if (!spell(canonical, &sp) || !number_is_storable(&sp)) {
		return (struct number){0};
	}
	return spelled_number(canonical, &sp);
}

/* Writes the last @count digits of @v. */
static void
put_u64(char *to, uint64_t v, int count)
{
	while (count > 0) {
		to[--count] = (char)('0' + v % 10);
		v /= 10;
	}
}

int
number_digits(char *to, u128 v)
{
	int n = number_digit_count(v);

	assert(n <= LIMIT_DIGITS);
	if (n <= U64_DIGITS) {
		put_u64(to, (uint64_t)v, n);
	} else {
		put_u64(to, (uint64_t)(v / tens[U64_DIGITS]), n - U64_DIGITS);
		put_u64(to + n - U64_DIGITS, (uint64_t)(v % tens[U64_DIGITS]), U64_DIGITS);
	}
	return n;
}

void
number_print(struct buf *out, const struct number *n)
{
	char digits[LIMIT_DIGITS + 1];
	int count = number_digits(digits, n->coefficient);
	int before = count + n->exponent; /* digits before the point; <= 0: zeros after the point */

	if (count == 0) {
		buf_char(out, '0');
		return;
	}
	if (n->negative) {
		buf_char(out, '-');
	}
	if (before <= 0) {
		buf_put(out, "0.", 2);
		memset(buf_room(out, (size_t)-before), '0', (size_t)-before);
		out->len += (size_t)-before;
		buf_put(out, digits, (size_t)count);
		return;
	}
	if (before >= count) {
		buf_put(out, digits, (size_t)count);
		memset(buf_room(out, (size_t)n->exponent), '0', (size_t)n->exponent);
		out->len += (size_t)n->exponent;
		return;
	}
	buf_put(out, digits, (size_t)before);
	buf_char(out, '.');
	buf_put(out, digits + before, (size_t)(count - before));
}

/* Whether @text is certainly canonical. False for a few texts that are, such as 39 digits with zeros at the end. */
static bool
is_canonical(struct slice text)
{
	size_t start = text.len > 0 && text.at[0] == '-';
	size_t i = ascii_digits_end(text, start);
	size_t before = i - start;

	if (before == 0 || text.len - start > LIMIT_DIGITS) {
		return false;
	}
	if (i == text.len) {
		return text.at[start] != '0' || (before == 1 && start == 0);
	}
	if (text.at[i] != '.' || (text.at[start] == '0' && before > 1) || i + 1 == text.len) {
		return false;
	}
	return ascii_digits_end(text, i + 1) == text.len && text.at[text.len - 1] != '0';
}

int
number_canonical(struct call *c, struct slice text, struct slice *out)
{
	if (is_canonical(text)) {
		*out = text;
		return 0;
	}
	struct number n = {0};
	int r = number_parse(c, text, &n);

	if (r < 0) {
		return r;
	}
	struct buf b;

	buf_init(&b, &c->arena);
	number_print(&b, &n);
	*out = buf_view(&b);
	return 0;
}

/* The number of digits of @text without zeros at the beginning and at the end. */
static size_t
number_significant(struct slice text)
{
	size_t first = 0;
	size_t end = text.len;

	while (end > 0 && text.at[end - 1] == '0') {
		end--;
	}
	while (first < end && text.at[first] == '0') {
		first++;
	}
	return end - first;
}

/* Two digits count as a byte on each side of the point. Zeros beside the point count if both sides have digits. */
size_t
number_size(struct slice canonical)
{
	size_t sign = canonical.len > 0 && canonical.at[0] == '-';
	struct slice digits = slice_skip(canonical, sign);
	const char *point = slice_chr(digits, '.');

	if (point == NULL) {
		return 1 + (number_significant(digits) + 1) / 2 + sign;
	}
	struct slice whole = slice_of(digits.at, (size_t)(point - digits.at));
	struct slice fraction = slice_skip(digits, whole.len + 1);

	if (number_significant(whole) == 0) {
		return 1 + (number_significant(fraction) + 1) / 2 + sign;
	}
	return 1 + (whole.len + 1) / 2 + (fraction.len + 1) / 2 + sign;
}
