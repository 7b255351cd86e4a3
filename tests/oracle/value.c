/* make - random numbers and values */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------ random numbers */

/* splitmix64: works with any seed. */
static uint64_t
next(struct make *m)
{
	uint64_t z = m->random += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

size_t
make_pick(struct make *m, size_t n)
{
	return (size_t)(next(m) % n);
}

bool
make_chance(struct make *m, unsigned percent)
{
	return make_pick(m, 100) < percent;
}

/* ------------------------------------------------------------ values */

/* No three neighbours are equal as numbers, because sets are cut out of these lists. */
static const char *const strings[] = {"a", "", "ab", "é", "B", "😀", "a b", "0"};
static const char *const numbers[] = {"1",      "0",     "-1",
				      "1.50",   "10",    "-0",
				      "1e3",    "0.001", "12345678901234567890123456789012345678",
				      "1E-130", "7.0"};
static const char *const binaries[] = {"AA==", "", "AAE=", "/w==", "YQ=="};

void
make_key_value(struct make *m, struct buf *b, char type)
{
	const char *s = type == 'S'   ? strings[make_pick(m, 5)]
			: type == 'N' ? numbers[make_pick(m, 6)]
				      : binaries[make_pick(m, 4)];

	/* An empty key is an error, so it must be rare. */
	if (s[0] == '\0' && make_chance(m, 90)) {
		s = type == 'S' ? "ab" : "AAE=";
	}
	buf_fmt(b, "{\"%c\":\"%s\"}", type, s);
}

static void
put_set(struct make *m, struct buf *b)
{
	size_t kind = make_pick(m, 3);
	const char *const *from = kind == 0 ? strings : kind == 1 ? numbers : binaries;
	size_t n = kind == 0 ? COUNT(strings) : kind == 1 ? COUNT(numbers) : COUNT(binaries);
	size_t first = make_pick(m, n - 2);
	size_t members = 1 + make_pick(m, 3);

	buf_fmt(b, "{\"%cS\":[", "SNB"[kind]);
	for (size_t i = 0; i < members; i++) {
		buf_fmt(b, "%s\"%s\"", i > 0 ? "," : "", from[first + i]);
	}
	buf_str(b, "]}");
}

static void
put_document(struct make *m, struct buf *b, int depth)
{
	bool list = make_chance(m, 50);
	size_t n = make_pick(m, 4);

	buf_str(b, list ? "{\"L\":[" : "{\"M\":{");
	for (size_t i = 0; i < n; i++) {
		buf_str(b, i > 0 ? "," : "");
		if (!list) {
			buf_fmt(b, "\"%c\":", "abcd"[i]);
		}
		make_value(m, b, depth - 1);
	}
	buf_str(b, list ? "]}" : "}}");
}

void
make_value(struct make *m, struct buf *b, int depth)
{
	if (depth > 0 && make_chance(m, 30)) {
		put_document(m, b, depth);
		return;
	}
	switch (make_pick(m, 8)) {
	case 0:
		buf_str(b, make_chance(m, 50) ? "{\"BOOL\":true}" : "{\"NULL\":true}");
		break;
	case 1:
		put_set(m, b);
		break;
	case 2:
		buf_fmt(b, "{\"B\":\"%s\"}", binaries[make_pick(m, COUNT(binaries))]);
		break;
	case 3:
	case 4:
	case 5:
		buf_fmt(b, "{\"N\":\"%s\"}", numbers[make_pick(m, COUNT(numbers))]);
		break;
	default:
		buf_fmt(b, "{\"S\":\"%s\"}", strings[make_pick(m, COUNT(strings))]);
		break;
	}
}

char
make_type(const struct make_table *t, const char *name)
{
	/* "g" and "h" are index keys. */
	return strcmp(name, "pk") == 0   ? t->types[0]
	       : strcmp(name, "sk") == 0 ? t->types[1]
	       : strcmp(name, "g") == 0  ? 'S'
					 : 'N';
}
