/*
 * keyspace - keys of LevelDB, built and read back
 *
 * Above it: everything in this folder that touches the kv.  Below it: the
 * escape of key values and number_to_key().  It knows no records and no kv.
 * Shapes and worked examples: FORMAT.md, "Keys".
 */
#include "store/local/keyspace.h"

#include <assert.h>

#include "store/base/call.h"
#include "store/model/number.h"

/* A byte 00 inside a value is 00 FF, the end of a value is 00 01: so a prefix sorts first. */
enum { ESCAPED_ZERO = 0xFF, ESCAPED_END = 0x01 };

/* number_to_key() writes at most 22 bytes. */
enum { NUMBER_KEY_MAX = 32 };

static void
put_escaped(struct buf *out, struct slice s)
{
	while (s.len > 0) {
		const char *zero = memchr(s.at, 0, s.len);

		if (zero == NULL) {
			buf_slice(out, s);
			return;
		}
		size_t n = (size_t)(zero - s.at) + 1;

		buf_put(out, s.at, n);
		buf_char(out, (char)ESCAPED_ZERO);
		s = slice_skip(s, n);
	}
}

/* Straight into the key; only the rare number with a byte 00 is written twice. */
static void
put_number(struct buf *out, struct slice text)
{
	struct number n = number_read(text);
	size_t from = out->len;

	number_to_key(out, &n);

	size_t len = out->len - from;

	if (memchr(out->at + from, 0, len) != NULL) {
		char raw[NUMBER_KEY_MAX];

		assert(len <= sizeof(raw));
		memcpy(raw, out->at + from, len);
		out->len = from;
		put_escaped(out, slice_of(raw, len));
	}
}

static void
put_value(struct buf *out, const struct value *v)
{
	assert(value_is_ordered(v->type));
	if (v->type == VALUE_N) {
		put_number(out, v->text);
	} else {
		put_escaped(out, v->text);
	}
}

static void
put_closed(struct buf *out, const struct value *v)
{
	put_value(out, v);
	buf_put(out, "\x00\x01", 2);
}

static void
put_head(struct buf *out, enum keyspace space, const struct schema *s, const struct index *ix)
{
	buf_char(out, (char)space);
	buf_u32be(out, s->id);
	buf_u16be(out, ix == NULL ? KEYSPACE_BASE : ix->id);
}

/* What a value and its end take, unless there are bytes 00 in it. */
static size_t
value_room(const struct value *v)
{
	if (v == NULL) {
		return 0;
	}
	return v->type == VALUE_N ? NUMBER_KEY_MAX : v->text.len + 2;
}

void
keyspace_item(struct buf *out, const struct schema *s, const struct index *ix,
	      const struct key_values *k)
{
	(void)buf_room(out, KEYSPACE_HEAD_BYTES + value_room(k->pk) + value_room(k->sk) +
				    value_room(k->base_pk) + value_room(k->base_sk));
	put_head(out, KEYSPACE_ITEM, s, ix);
	put_closed(out, k->pk);
	if (k->sk != NULL) {
		put_closed(out, k->sk);
	}
	if (k->base_pk != NULL) {
		put_closed(out, k->base_pk);
	}
	if (k->base_sk != NULL) {
		put_closed(out, k->base_sk);
	}
}

void
keyspace_collection(struct buf *out, const struct schema *s, const struct index *ix,
		    const struct value *pk)
{
	put_head(out, KEYSPACE_ITEM, s, ix);
	put_closed(out, pk);
}

void
keyspace_table(struct buf *out, const struct schema *s, const struct index *ix)
{
	put_head(out, KEYSPACE_ITEM, s, ix);
}

void
keyspace_sort(struct buf *out, const struct value *sk, bool closed)
{
	if (closed) {
		put_closed(out, sk);
	} else {
		put_value(out, sk);
	}
}

void
keyspace_partition(struct buf *out, const struct schema *s, const struct index *ix,
		   const struct value *pk)
{
	(void)buf_room(out, KEYSPACE_HEAD_BYTES + value_room(pk));
	put_head(out, KEYSPACE_PARTITION, s, ix);
	put_closed(out, pk);
}

void
keyspace_partitions(struct buf *out, const struct schema *s, const struct index *ix)
{
	put_head(out, KEYSPACE_PARTITION, s, ix);
}

void
keyspace_totals(struct buf *out, const struct schema *s, const struct index *ix)
{
	put_head(out, KEYSPACE_TOTALS, s, ix);
}

void
keyspace_after(struct buf *out, struct slice prefix)
{
	while (prefix.len > 0 && (unsigned char)prefix.at[prefix.len - 1] == 0xFF) {
		prefix.len--;
	}
	assert(prefix.len > 0); /* every key begins with a letter */
	buf_slice(out, prefix);
	out->at[out->len - 1]++;
}

/* ------------------------------------------------------------ reading back */

static int
bad_key(struct call *c)
{
	return call_fail(c, ERR_CORRUPT, "The store is damaged: a key cannot be read");
}

/* Cut one escaped value with its end off @rest; @escaped counts the zero bytes in it. */
static bool
cut_escaped(struct slice *rest, struct slice *raw, size_t *escaped)
{
	size_t from = 0;

	*escaped = 0;
	while (from + 1 < rest->len) {
		const char *zero = memchr(rest->at + from, 0, rest->len - 1 - from);

		if (zero == NULL) {
			return false;
		}
		size_t at = (size_t)(zero - rest->at);
		unsigned char next = (unsigned char)zero[1];

		if (next == ESCAPED_END) {
			*raw = slice_of(rest->at, at);
			*rest = slice_skip(*rest, at + 2);
			return true;
		}
		if (next != ESCAPED_ZERO) {
			return false;
		}
		++*escaped;
		from = at + 2;
	}
	return false;
}

static struct slice
unescape(struct arena *a, struct slice raw, size_t escaped)
{
	char *to = arena_new(a, char, raw.len - escaped);
	size_t n = 0;

	for (size_t i = 0; i < raw.len; i++) {
		to[n++] = raw.at[i];
		i += raw.at[i] == 0;
	}
	return slice_of(to, n);
}

static bool
read_number(struct arena *a, struct slice key, struct slice *text)
{
	struct number n;
	struct buf b;

	if (!number_from_key(key, &n)) {
		return false;
	}
	buf_init(&b, a);
	number_print(&b, &n);
	*text = buf_view(&b);
	return true;
}

/* The next value of @rest, which has the type of @attr. */
static int
cut_value(struct call *c, struct slice *rest, const struct key_attr *attr, struct value *out)
{
	struct slice text;
	size_t escaped;

	if (!cut_escaped(rest, &text, &escaped) || text.len == 0) {
		return bad_key(c);
	}
	if (escaped > 0) {
		text = unescape(&c->arena, text, escaped);
	}
	if (attr->type == VALUE_N && !read_number(&c->arena, text, &text)) {
		return bad_key(c);
	}
	*out = (struct value){.type = attr->type, .text = text};
	return 0;
}

static int
cut_key(struct call *c, struct slice *rest, const struct key_schema *k, struct value *pk,
	struct value *sk)
{
	int r = cut_value(c, rest, &k->pk, pk);

	if (r < 0 || !key_schema_has_sort(k)) {
		return r;
	}
	return cut_value(c, rest, &k->sk, sk);
}

/* Check and cut the fixed part of a key. */
static int
cut_head(struct call *c, enum keyspace space, const struct schema *s, const struct index *ix,
	 struct slice *key)
{
	char head[KEYSPACE_HEAD_BYTES];
	struct buf b = {.at = head, .cap = sizeof(head)};

	put_head(&b, space, s, ix);
	if (!slice_starts(*key, buf_view(&b))) {
		return bad_key(c);
	}
	*key = slice_skip(*key, b.len);
	return 0;
}

int
keyspace_parse_item(struct call *c, const struct schema *s, const struct index *ix,
		    struct slice key, struct key_parts *out)
{
	int r = cut_head(c, KEYSPACE_ITEM, s, ix, &key);

	if (r < 0) {
		return r;
	}
	struct value pk;

	r = cut_value(c, &key, &schema_key(s, ix)->pk, &pk);
	if (r < 0) {
		return r;
	}
	r = keyspace_parse_entry(c, s, ix, key, out);
	out->pk = pk;
	return r;
}

int
keyspace_parse_entry(struct call *c, const struct schema *s, const struct index *ix,
		     struct slice rest, struct key_parts *out)
{
	const struct key_schema *k = schema_key(s, ix);
	int r = 0;

	*out = (struct key_parts){0};
	if (key_schema_has_sort(k)) {
		r = cut_value(c, &rest, &k->sk, &out->sk);
	}
	if (r == 0 && ix != NULL) {
		r = cut_key(c, &rest, &s->key, &out->base_pk, &out->base_sk);
	}
	if (r == 0 && rest.len > 0) {
		r = bad_key(c);
	}
	return r;
}

int
keyspace_parse_partition(struct call *c, const struct schema *s, const struct index *ix,
			 struct slice key, struct value *pk)
{
	int r = cut_head(c, KEYSPACE_PARTITION, s, ix, &key);

	if (r < 0) {
		return r;
	}
	r = cut_value(c, &key, &schema_key(s, ix)->pk, pk);
	if (r == 0 && key.len > 0) {
		r = bad_key(c);
	}
	return r;
}
