#include "tests/support/rng.h"

#include "store/model/number.h"

uint32_t
rng_roll(struct rng *d, uint32_t sides)
{
	/* splitmix64 */
	uint64_t z = d->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (uint32_t)(((z >> 32) * sides) >> 32);
}

static struct slice
bytes(struct rng *d, struct arena *a, const char *from, uint32_t n_from, uint32_t min)
{
	uint32_t n = min + rng_roll(d, 4);
	char *at = arena_new(a, char, n + 1);

	for (uint32_t i = 0; i < n; i++) {
		at[i] = from[rng_roll(d, n_from)];
	}
	return slice_of(at, n);
}

static struct slice
number(struct rng *d, struct arena *a)
{
	struct call c;
	struct buf b;
	struct slice canonical;

	buf_init(&b, a);
	if (rng_roll(d, 2) == 0) {
		buf_char(&b, '-');
	}
	buf_fmt(&b, "%u", rng_roll(d, 4) == 0 ? rng_roll(d, UINT32_MAX) : rng_roll(d, 12));
	if (rng_roll(d, 2) == 0) {
		buf_fmt(&b, ".%u", rng_roll(d, 1000));
	}
	if (rng_roll(d, 3) == 0) {
		buf_fmt(&b, "e%d", (int)rng_roll(d, 200) - 100);
	}
	call_open(&c, 0, SIZE_MAX);
	if (number_canonical(&c, buf_view(&b), &canonical) != 0) {
		abort();
	}
	canonical = slice_copy(a, canonical);
	call_close(&c);
	return canonical;
}

static struct value
scalar(struct rng *d, struct arena *a, enum value_type type, uint32_t min)
{
	static const char text[] = "ab#\0\x01~";
	static const char raw[] = {0, 1, 2, 'a', (char)0xfe, (char)0xff};

	if (type == VALUE_N) {
		return (struct value){.type = VALUE_N, .text = number(d, a)};
	}
	if (type == VALUE_B) {
		return (struct value){.type = VALUE_B, .text = bytes(d, a, raw, sizeof(raw), min)};
	}
	return value_string(bytes(d, a, text, sizeof(text) - 1, min));
}

struct value
rng_key(struct rng *d, struct arena *a, enum value_type type)
{
	return scalar(d, a, type, 1);
}

static bool
holds(const struct values *set, const struct value *v)
{
	for (size_t i = 0; i < set->n; i++) {
		if (value_eq(&set->at[i], v)) {
			return true;
		}
	}
	return false;
}

static struct value
set_of(struct rng *d, struct arena *a, enum value_type set, enum value_type member)
{
	struct value v = {.type = set};
	uint32_t n = 1 + rng_roll(d, 4);

	v.list.at = arena_new(a, struct value, n);
	while (v.list.n < n) {
		struct value m = scalar(d, a, member, 1);

		if (holds(&v.list, &m)) {
			n--;
		} else {
			v.list.at[v.list.n++] = m;
		}
	}
	values_sort(&v.list);
	return v;
}

static struct value
list_of(struct rng *d, struct arena *a, unsigned depth)
{
	struct value v = {.type = VALUE_L};

	v.list.n = rng_roll(d, 4);
	v.list.at = arena_new(a, struct value, v.list.n);
	for (size_t i = 0; i < v.list.n; i++) {
		v.list.at[i] = rng_value(d, a, depth - 1);
	}
	return v;
}

static struct item
attributes(struct rng *d, struct arena *a, uint32_t most, unsigned depth)
{
	struct item it = {.n = rng_roll(d, most + 1)};

	it.at = arena_new(a, struct attr, it.n);
	for (size_t i = 0; i < it.n; i++) {
		struct buf name;

		buf_init(&name, a);
		buf_fmt(&name, "a%zu", i);
		it.at[i] = (struct attr){.name = buf_view(&name), .value = rng_value(d, a, depth)};
	}
	return it;
}

struct value
rng_value(struct rng *d, struct arena *a, unsigned depth)
{
	switch ((enum value_type)rng_roll(d, depth == 0 ? VALUE_L : VALUE_TYPES)) {
	case VALUE_S:
		return scalar(d, a, VALUE_S, 0);
	case VALUE_N:
		return scalar(d, a, VALUE_N, 0);
	case VALUE_B:
		return scalar(d, a, VALUE_B, 0);
	case VALUE_BOOL:
		return (struct value){.type = VALUE_BOOL, .truth = rng_roll(d, 2) == 0};
	case VALUE_L:
		return list_of(d, a, depth);
	case VALUE_M:
		return (struct value){.type = VALUE_M, .map = attributes(d, a, 4, depth - 1)};
	case VALUE_SS:
		return set_of(d, a, VALUE_SS, VALUE_S);
	case VALUE_NS:
		return set_of(d, a, VALUE_NS, VALUE_N);
	case VALUE_BS:
		return set_of(d, a, VALUE_BS, VALUE_B);
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return (struct value){.type = VALUE_NULL};
}

struct item
rng_item(struct rng *d, struct arena *a, uint32_t most)
{
	return attributes(d, a, most, 3);
}
