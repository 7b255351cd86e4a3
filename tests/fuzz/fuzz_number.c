/* number - fuzzes two numbers, one per line: text, key and arithmetic must agree; the bytes are also read as a key */
#include "store/model/number.h"

enum { CALL_BUDGET = 1 << 20, KEY_MAX = 22, SIZE_MAX_BYTES = 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
same(const struct number *a, const struct number *b)
{
	return a->coefficient == b->coefficient && a->exponent == b->exponent &&
	       a->negative == b->negative;
}

static struct slice
key_of(struct call *c, const struct number *n)
{
	struct buf key;

	buf_init(&key, &c->arena);
	number_to_key(&key, n);
	assert(key.len <= KEY_MAX);
	return buf_view(&key);
}

static void
check_one(struct call *c, struct slice text, const struct number *n)
{
	struct slice canonical;
	struct slice again;
	struct number back;
	int r = number_canonical(c, text, &canonical);

	assert(r == 0);
	r = number_canonical(c, canonical, &again);
	assert(r == 0 && slice_eq(canonical, again));
	assert(number_size(canonical) >= 1 && number_size(canonical) <= SIZE_MAX_BYTES);
	back = number_read(canonical);
	assert(same(n, &back));
	assert(number_from_key(key_of(c, n), &back) && same(n, &back));
}

static void
check_two(struct call *c, const struct number *a, const struct number *b)
{
	int keys = slice_cmp(key_of(c, a), key_of(c, b));
	int numbers = number_cmp(a, b);
	struct number sum;
	struct number other;

	assert((keys > 0) - (keys < 0) == numbers && number_cmp(b, a) == -numbers);
	int r = number_add(c, a, b, false, &sum);
	int s = number_add(c, b, a, false, &other);

	assert(r == s && (r < 0 || same(&sum, &other)));
	r = number_add(c, a, b, true, &sum);
	if (r == 0) {
		assert((sum.coefficient == 0) == (numbers == 0));
		assert(sum.coefficient == 0 || sum.negative == (numbers < 0));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice all = {(const char *)data, size};
	const char *line = size == 0 ? NULL : memchr(data, '\n', size);
	struct slice first = line == NULL ? all : slice_of(all.at, (size_t)(line - all.at));
	struct slice second = line == NULL ? all : slice_skip(all, first.len + 1);
	struct number a;
	struct number b;
	struct call c;

	call_open(&c, 0, CALL_BUDGET);
	if (number_from_key(all, &a)) {
		assert(slice_eq(key_of(&c, &a), all));
	}
	bool both = number_parse(&c, first, &a) == 0 && number_parse(&c, second, &b) == 0;

	if (both) {
		check_one(&c, first, &a);
		check_one(&c, second, &b);
		check_two(&c, &a, &b);
	}
	call_close(&c);
	return 0;
}
