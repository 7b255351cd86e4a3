/*
 * keyspace - construction and parsing of LevelDB keys
 *
 * All rooms of store/local that use the kv use it. The bytes of key values are in sort_key.h. It depends neither on
 * records nor on the kv. Shapes and worked examples: FORMAT.md, "Keys".
 */
#include "store/local/records/keyspace.h"

#include "store/model/sort_key.h"

static void
put_closed(struct buf *out, const struct value *v)
{
	sort_key_put(out, v);
	sort_key_end(out);
}

static void
keyspace_put_head(struct buf *out, enum keyspace space, const struct schema *s,
		  const struct index *ix)
{
	buf_char(out, (char)space);
	buf_u32be(out, s->id);
	buf_u16be(out, ix == NULL ? KEYSPACE_BASE : ix->id);
}

struct slice
keyspace_name(struct arena *a, enum keyspace space, struct slice name)
{
	struct buf out = {.arena = a};

	buf_char(&out, (char)space);
	buf_slice(&out, name);
	return buf_view(&out);
}

struct slice
keyspace_head(struct arena *a, enum keyspace space, const struct schema *s, const struct index *ix)
{
	struct buf out = {.arena = a};

	keyspace_put_head(&out, space, s, ix);
	return buf_view(&out);
}

/* The head and the first @n values. */
static struct slice
keyspace_key(struct arena *a, enum keyspace space, const struct schema *s, const struct index *ix,
	     const struct value *const *v, size_t n)
{
	struct buf out = {.arena = a};
	size_t room = KEYSPACE_HEAD_BYTES;

	for (size_t i = 0; i < n; i++) {
		room += sort_key_room(v[i]);
	}
	(void)buf_room(&out, room);
	keyspace_put_head(&out, space, s, ix);
	for (size_t i = 0; i < n; i++) {
		put_closed(&out, v[i]);
	}
	return buf_view(&out);
}

struct slice
keyspace_item(struct arena *a, const struct schema *s, const struct index *ix,
	      const struct key_values *k)
{
	return keyspace_key(a, KEYSPACE_ITEM, s, ix, k->at, k->n);
}

struct slice
keyspace_collection(struct arena *a, enum keyspace space, const struct schema *s,
		    const struct index *ix, const struct key_values *k)
{
	size_t n = key_part_n(schema_key(s, ix)->pk);

	assert(k->n >= n);
	return keyspace_key(a, space, s, ix, k->at, n);
}

void
keyspace_sort(struct buf *out, const struct value *sk, bool closed)
{
	if (closed) {
		put_closed(out, sk);
	} else {
		sort_key_put(out, sk);
	}
}

struct slice
keyspace_after(struct arena *a, struct slice prefix)
{
	struct buf out = {.arena = a};

	while (prefix.len > 0 && (unsigned char)prefix.at[prefix.len - 1] == 0xFF) {
		prefix.len--;
	}
	assert(prefix.len > 0); /* every key begins with a letter */
	buf_put(&out, prefix.at, prefix.len - 1);
	buf_char(&out, (char)(prefix.at[prefix.len - 1] + 1));
	return buf_view(&out);
}

/* ------------------------------------------------------------ reading back */

/* Return: position after the 00 01 that ends the escaped value at @from; 0: there is no 00 01. */
static size_t
keyspace_value_end(struct slice key, size_t from)
{
	for (size_t i = from; i + 1 < key.len; i++) {
		if (key.at[i] == 0) {
			if (key.at[i + 1] == 1) {
				return i + 2;
			}
			i++;
		}
	}
	return 0;
}

size_t
keyspace_collection_bytes(const struct schema *s, const struct index *ix, struct slice key)
{
	size_t end = KEYSPACE_HEAD_BYTES;

	for (size_t n = key_part_n(schema_key(s, ix)->pk); n > 0 && end > 0; n--) {
		end = keyspace_value_end(key, end);
	}
	return end;
}

static int
bad_key(struct call *c)
{
	return call_fail(c, ERR_CORRUPT, "The store is damaged: a key cannot be read");
}

/* Cut the values of one part of the key off the front of @rest, and append them to @out. */
static int
cut_part(struct call *c, struct slice *rest, const struct key_attr part[KEY_PART_MAX],
	 struct values *out)
{
	for (size_t i = 0; i < KEY_PART_MAX && part[i].name.len > 0; i++) {
		if (!sort_key_cut(&c->arena, rest, part[i].type, &out->at[out->n])) {
			return bad_key(c);
		}
		out->n++;
	}
	return 0;
}

/* Check the fixed part of a key and cut it off. */
static int
cut_head(struct call *c, enum keyspace space, const struct schema *s, const struct index *ix,
	 struct slice *key)
{
	char head[KEYSPACE_HEAD_BYTES];
	struct buf b = {.at = head, .cap = sizeof(head)};

	keyspace_put_head(&b, space, s, ix);
	if (!slice_starts(*key, buf_view(&b))) {
		return bad_key(c);
	}
	*key = slice_skip(*key, b.len);
	return 0;
}

int
keyspace_parse_item(struct call *c, const struct schema *s, const struct index *ix,
		    struct slice key, struct values *out)
{
	int r = cut_head(c, KEYSPACE_ITEM, s, ix, &key);

	if (r == 0) {
		r = cut_part(c, &key, schema_key(s, ix)->pk, out);
	}
	return r < 0 ? r : keyspace_parse_entry(c, s, ix, key, out);
}

int
keyspace_parse_entry(struct call *c, const struct schema *s, const struct index *ix,
		     struct slice rest, struct values *out)
{
	int r = cut_part(c, &rest, schema_key(s, ix)->sk, out);

	if (r == 0 && ix != NULL) {
		r = cut_part(c, &rest, s->key.pk, out);
		if (r == 0) {
			r = cut_part(c, &rest, s->key.sk, out);
		}
	}
	if (r == 0 && rest.len > 0) {
		r = bad_key(c);
	}
	return r;
}

int
keyspace_parse_partition(struct call *c, const struct schema *s, const struct index *ix,
			 struct slice key, struct values *out)
{
	int r = cut_head(c, KEYSPACE_PARTITION, s, ix, &key);

	if (r < 0) {
		return r;
	}
	r = cut_part(c, &key, schema_key(s, ix)->pk, out);
	if (r == 0 && key.len > 0) {
		r = bad_key(c);
	}
	return r;
}
