/*
 * keyspace - keys of LevelDB, built and read back
 *
 * Above it: everything in this folder that touches the kv.  Below it: the
 * bytes of key values (sort_key.h).  It knows no records and no kv.
 * Shapes and worked examples: FORMAT.md, "Keys".
 */
#include "store/local/keyspace.h"

#include <assert.h>

#include "store/base/call.h"
#include "store/model/sort_key.h"

static void
put_closed(struct buf *out, const struct value *v)
{
	sort_key_put(out, v);
	sort_key_end(out);
}

static void
put_head(struct buf *out, enum keyspace space, const struct schema *s, const struct index *ix)
{
	buf_char(out, (char)space);
	buf_u32be(out, s->id);
	buf_u16be(out, ix == NULL ? KEYSPACE_BASE : ix->id);
}

static size_t
value_room(const struct value *v)
{
	return v == NULL ? 0 : sort_key_room(v);
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
		sort_key_put(out, sk);
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

/* The next value of @rest, which has the type of @attr. */
static int
cut_value(struct call *c, struct slice *rest, const struct key_attr *attr, struct value *out)
{
	return sort_key_cut(&c->arena, rest, attr->type, out) ? 0 : bad_key(c);
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
