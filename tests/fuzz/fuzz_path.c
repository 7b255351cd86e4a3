/*
 * path - fuzzes file names of each key type and of index entries: a name that is accepted must be the only spelling of
 * its key, and names have at most 255 bytes without '/' and NUL
 */
#include "store/base/core/utf8.h"

#include "fs/format/path.h"

enum { CALL_BUDGET = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_name(struct call *c, struct slice component)
{
	struct buf name;

	buf_init(&name, &c->arena);
	bool hashed = path_put_name(&name, component, SLICE(".json"));

	assert(name.len <= PATH_NAME_MAX);
	assert(memchr(name.at, '/', name.len) == NULL && memchr(name.at, '\0', name.len) == NULL);
	assert(name.at[0] != '.' && utf8_valid(buf_view(&name)));
	name.len -= 5;
	assert(path_is_hashed(buf_view(&name)) == hashed);
	assert(!hashed || slice_starts(component, path_hashed_prefix(buf_view(&name))));
}

static void
check_value(struct slice text, enum value_type type)
{
	struct call c;
	struct value v;
	struct slice why;

	call_open(&c, 0, CALL_BUDGET);
	if (path_read_value(&c, text, type, SLICE(".json"), &v, &why) == 0) {
		struct buf again;

		buf_init(&again, &c.arena);
		path_put_value(&again, &v);
		assert(slice_eq(buf_view(&again), text));
		check_name(&c, text);
	} else {
		assert(why.len > 0);
	}
	call_close(&c);
}

static void
check_entry(struct slice text, const enum value_type *types, size_t n)
{
	struct call c;
	struct value v[PATH_VALUES_MAX];
	struct slice why;

	call_open(&c, 0, CALL_BUDGET);
	if (path_read_entry(&c, text, types, n, SLICE(""), v, &why) == 0) {
		struct buf again;

		buf_init(&again, &c.arena);
		path_put_entry(&again, v, n);
		assert(slice_eq(buf_view(&again), text));
		check_name(&c, text);
	}
	call_close(&c);
}

/* Take the bytes as a key: its name must read back as the same key. */
static void
check_key(struct slice bytes, enum value_type type)
{
	struct call c;
	struct value v = {.type = type, .text = bytes}, back[2];
	struct value pair[2] = {v, v};
	enum value_type types[2] = {type, type};
	struct slice why;
	struct buf name;

	if (bytes.len == 0 || (type == VALUE_S && !utf8_valid(bytes))) {
		return;
	}
	call_open(&c, 0, CALL_BUDGET);
	buf_init(&name, &c.arena);
	path_put_value(&name, &v);
	int r = path_read_value(&c, buf_view(&name), type, SLICE(""), &back[0], &why);

	assert(r == 0 && value_eq(&v, &back[0]));
	buf_clear(&name);
	path_put_entry(&name, pair, 2);
	r = path_read_entry(&c, buf_view(&name), types, 2, SLICE(""), back, &why);
	assert(r == 0 && value_eq(&v, &back[0]) && value_eq(&v, &back[1]));
	check_name(&c, buf_view(&name));
	call_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum value_type types[] = {VALUE_S, VALUE_N, VALUE_B};
	struct slice text = slice_of((const char *)data, size);

	for (size_t i = 0; i < 3; i++) {
		check_value(text, types[i]);
		for (size_t n = 1; n <= 3; n++) {
			enum value_type mixed[3] = {types[i], types[(i + 1) % 3],
						    types[(i + 2) % 3]};

			check_entry(text, mixed, n);
		}
	}
	check_key(text, VALUE_S);
	check_key(text, VALUE_B);
	return 0;
}
