#include "tests/support/items.h"

#include "store/model/item_json.h"
#include "store/model/number.h"

static const struct json *
json_of(struct call *c, const char *text)
{
	const struct json *json = NULL;

	if (json_parse(c, slice_from(text), JSON_STRICT, &json) < 0) {
		(void)fprintf(stderr, "items: %s: %s\n", text, c->error.message);
		abort();
	}
	return json;
}

struct value
value_of(struct call *c, const char *json)
{
	struct value v;

	if (value_from_json(c, json_of(c, json), &v) < 0) {
		(void)fprintf(stderr, "items: %s: %s\n", json, c->error.message);
		abort();
	}
	return v;
}

struct item
item_of(struct call *c, const char *json)
{
	struct item it;

	if (item_from_json(c, json_of(c, json), &it) < 0) {
		(void)fprintf(stderr, "items: %s: %s\n", json, c->error.message);
		abort();
	}
	return it;
}

static unsigned
below(unsigned *seed, unsigned n)
{
	return (unsigned)rand_r(seed) % n;
}

/* Return a text with characters that need special care; @at distinguishes it from its siblings. */
static struct slice
random_text(struct arena *a, unsigned *seed, unsigned at)
{
	static const char *const parts[] = {"a",
					    "Z",
					    "0",
					    "\"",
					    "\\",
					    "\n",
					    "\t",
					    "\x01",
					    "\x7f",
					    "/",
					    "{",
					    "%",
					    "\xc3\xa9",
					    "\xe2\x82\xac",
					    "\xf0\x9f\x98\x80",
					    "\xe2\x80\xa8",
					    "\xef\xbb\xbf",
					    "\xf4\x8f\xbf\xbf",
					    "\x1f",
					    "\b\f\r",
					    "}{",
					    "null",
					    "plain text of some length"};
	struct buf b;

	buf_init(&b, a);
	for (unsigned n = below(seed, 6); n > 0; n--) {
		buf_str(&b, parts[below(seed, sizeof(parts) / sizeof(parts[0]))]);
	}
	if (below(seed, 8) == 0) {
		buf_char(&b, '\0');
	}
	if (at > 0) {
		buf_fmt(&b, "%u", at);
	}
	return buf_view(&b);
}

/* Return a number of up to 38 digits, anywhere in the range. */
static struct number
large_number(unsigned *seed)
{
	unsigned digits = 1 + below(seed, 38);
	struct number n = {.exponent = (int)below(seed, 257 - digits) - 130,
			   .negative = below(seed, 2) == 0};

	for (unsigned i = 0; i < digits; i++) {
		n.coefficient = 10 * n.coefficient +
				(i == 0 || i == digits - 1 ? 1 + below(seed, 9) : below(seed, 10));
	}
	return n;
}

static struct slice
random_number(struct arena *a, unsigned *seed, unsigned at)
{
	struct number n = {.coefficient = at * 10 + 1 + below(seed, 9),
			   .exponent = (int)below(seed, 40) - 20,
			   .negative = below(seed, 2) == 0};
	struct buf b;

	buf_init(&b, a);
	if (at == 0 && below(seed, 5) == 0) {
		n = (struct number){0};
	} else if (below(seed, 4) == 0) {
		n = large_number(seed);
	}
	number_print(&b, &n);
	return buf_view(&b);
}

static struct slice
random_bytes(struct arena *a, unsigned *seed, unsigned at)
{
	struct buf b;

	buf_init(&b, a);
	for (unsigned n = below(seed, 20); n > 0; n--) {
		buf_char(&b, (char)below(seed, 256));
	}
	if (at > 0) {
		buf_u32be(&b, at);
	}
	return buf_view(&b);
}

static struct value
random_scalar(struct arena *a, unsigned *seed, enum value_type type, unsigned at)
{
	struct value v = {.type = type};

	if (type == VALUE_S) {
		v.text = random_text(a, seed, at);
	} else if (type == VALUE_N) {
		v.text = random_number(a, seed, at);
	} else {
		v.text = random_bytes(a, seed, at);
	}
	return v;
}

static struct values
random_set(struct arena *a, unsigned *seed, enum value_type scalar)
{
	size_t n = 1 + below(seed, below(seed, 10) == 0 ? 40 : 4);
	struct values set = {arena_new(a, struct value, n), n};

	for (size_t i = 0; i < n; i++) {
		/* The index makes the members distinct: numbers by their last digits, other types by their content. */
		set.at[i] = random_scalar(a, seed, scalar, (unsigned)i + 1);
	}
	if (!values_unique(&set)) {
		set.n = 1;
	}
	values_sort(&set);
	return set;
}

struct value
random_value(struct arena *a, unsigned *seed, int depth)
{
	struct value v = {.type = (enum value_type)below(seed, VALUE_TYPES)};

	switch (v.type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return random_scalar(a, seed, v.type, 0);
	case VALUE_BOOL:
		v.truth = below(seed, 2) == 0;
		break;
	case VALUE_L:
		v.list.n = depth > 0 ? below(seed, 4) : 0;
		v.list.at = arena_new(a, struct value, v.list.n);
		for (size_t i = 0; i < v.list.n; i++) {
			v.list.at[i] = random_value(a, seed, depth - 1);
		}
		break;
	case VALUE_M:
		v.map = random_item(a, seed, depth > 0 ? 4 : 0, depth - 1);
		break;
	case VALUE_SS:
		v.list = random_set(a, seed, VALUE_S);
		break;
	case VALUE_NS:
		v.list = random_set(a, seed, VALUE_N);
		break;
	case VALUE_BS:
		v.list = random_set(a, seed, VALUE_B);
		break;
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return v;
}

struct item
random_item(struct arena *a, unsigned *seed, int n, int depth)
{
	struct item it = {arena_new(a, struct attr, (size_t)n), below(seed, (unsigned)n + 1)};

	for (size_t i = 0; i < it.n; i++) {
		/* Sometimes use the name of a type, where it could be misread. */
		enum value_type type = (enum value_type)below(seed, VALUE_TYPES);

		it.at[i].name = i == 0 && below(seed, 3) == 0
					? slice_from(value_type_name(type))
					: random_text(a, seed, (unsigned)i + 1);
		it.at[i].value = random_value(a, seed, depth);
	}
	return it;
}

bool
text_is(struct slice s, const char *expected)
{
	bool same = slice_is(s, expected);

	if (!same) {
		(void)printf("\n    is:       %.*s\n    expected: %s\n", SLICE_ARG(s), expected);
	}
	return same;
}
