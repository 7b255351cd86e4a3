/* rebuild - a simple and slow second implementation of index.c and write.c */
#include "tests/support/rebuild.h"

#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"
#include "store/op/op.h"

#include "tests/support/kv_mem.h"

struct rebuild {
	struct call *c;
	const struct schema *s;
	struct kv *want;              /* expected keys and values */
	struct record_counts *totals; /* of the table, then of its indexes */
};

static void
want_put(struct rebuild *b, struct slice key, struct slice value)
{
	struct kv_batch *batch = b->want->ops->batch_new(b->want);

	batch->ops->put(batch, key, value);
	if (kv_commit(b->want, b->c, batch, false) != 0) {
		abort();
	}
	kv_batch_free(batch);
}

static bool
want_get(struct rebuild *b, struct slice key, struct slice *value)
{
	struct buf out;

	buf_init(&out, &b->c->arena);
	bool found = kv_get(b->want, b->c, NULL, key, &out) == 0;

	*value = buf_view(&out);
	return found;
}

static void
want_counts(struct rebuild *b, const struct index *ix, const struct key_values *k,
	    const struct item *it, struct record_counts *totals)
{
	struct buf key;
	struct buf value;
	struct slice before;
	struct record_counts n = {0};

	buf_init(&key, &b->c->arena);
	buf_init(&value, &b->c->arena);
	buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, b->s, ix, k));
	if (!want_get(b, buf_view(&key), &before)) {
		totals->partitions++;
	} else if (record_counts_decode(b->c, before, &n) != 0) {
		abort();
	}
	n.items++;
	n.item_bytes += item_size(it);
	n.rendered_bytes += item_json_length(it) + 1;
	totals->items++;
	totals->item_bytes += item_size(it);
	record_counts_encode(&value, &n);
	want_put(b, buf_view(&key), buf_view(&value));
}

static void
want_entry(struct rebuild *b, const struct index *ix, const struct item *it,
	   struct record_counts *totals)
{
	struct key_values k = {.n = 0};
	struct buf key;
	struct buf value;
	struct item projected = *it;

	if (ix != NULL) {
		if (index_key(ix, it, &k) != 0) {
			return;
		}
		projected = item_project(&b->c->arena, b->s, ix, it);
	}
	if (key_from_item(&b->s->key, it, &k) != 0) {
		abort();
	}
	buf_init(&key, &b->c->arena);
	buf_init(&value, &b->c->arena);
	buf_slice(&key, keyspace_item(key.arena, b->s, ix, &k));
	record_encode(&value, &(struct record_head){item_json_length(&projected) + 1, 0},
		      &projected);
	want_put(b, buf_view(&key), buf_view(&value));
	want_counts(b, ix, &k, &projected, totals);
}

static void
want_all(struct rebuild *b, struct kv *kv)
{
	struct buf prefix;

	buf_init(&prefix, &b->c->arena);
	buf_slice(&prefix, keyspace_head(prefix.arena, KEYSPACE_ITEM, b->s, NULL));
	struct kv_cursor *cur = kv_cursor_new(kv, NULL);

	for (cur->ops->seek(cur, buf_view(&prefix)); kv_cursor_in(cur, buf_view(&prefix));
	     cur->ops->next(cur)) {
		struct item it;

		if (record_decode(b->c, slice_copy(&b->c->arena, cur->ops->value(cur)), NULL,
				  &it) != 0) {
			abort();
		}
		want_entry(b, NULL, &it, &b->totals[0]);
		for (size_t i = 0; i < b->s->n_index; i++) {
			want_entry(b, &b->s->index[i], &it, &b->totals[i + 1]);
		}
	}
	kv_cursor_free(cur);
	for (size_t i = 0; i <= b->s->n_index; i++) {
		struct buf key;
		struct buf value;

		buf_init(&key, &b->c->arena);
		buf_init(&value, &b->c->arena);
		buf_slice(&key, keyspace_head(key.arena, KEYSPACE_TOTALS, b->s,
					      i == 0 ? NULL : &b->s->index[i - 1]));
		record_counts_encode(&value, &b->totals[i]);
		if (b->totals[i].items > 0) {
			want_put(b, buf_view(&key), buf_view(&value));
		}
	}
}

static bool
same_value(struct rebuild *b, struct slice key, struct slice have, struct slice want)
{
	struct record_head have_head;
	struct record_head want_head;
	struct item have_item;
	struct item want_item;

	if (key.at[0] != KEYSPACE_ITEM) {
		return slice_eq(have, want);
	}
	return record_decode(b->c, have, &have_head, &have_item) == 0 &&
	       record_decode(b->c, want, &want_head, &want_item) == 0 &&
	       have_head.rendered_bytes == want_head.rendered_bytes &&
	       item_eq(&have_item, &want_item);
}

static void
print_key(const char *what, struct slice key)
{
	printf("%s: ", what);
	for (size_t i = 0; i < key.len; i++) {
		printf(key.at[i] > ' ' && key.at[i] < 127 ? "%c" : "\\%02x", key.at[i] & 0xff);
	}
	printf("\n");
}

static bool
of_table(const struct rebuild *b, struct slice key)
{
	char id[] = {(char)(b->s->id >> 24), (char)(b->s->id >> 16), (char)(b->s->id >> 8),
		     (char)b->s->id};

	return key.len >= KEYSPACE_HEAD_BYTES && memchr("ipc", key.at[0], 3) != NULL &&
	       memcmp(key.at + 1, id, sizeof(id)) == 0;
}

/* Count the keys of @a that @b lacks or has with another value. */
static size_t
differences(struct rebuild *b, struct kv *a, struct kv *other, const char *what)
{
	struct kv_cursor *cur = kv_cursor_new(a, NULL);
	size_t n = 0;

	for (cur->ops->seek(cur, SLICE("")); cur->ops->valid(cur); cur->ops->next(cur)) {
		struct slice key = cur->ops->key(cur);
		struct buf value;

		buf_init(&value, &b->c->arena);
		if (of_table(b, key) &&
		    (kv_get(other, b->c, NULL, key, &value) != 0 ||
		     !same_value(b, key, cur->ops->value(cur), buf_view(&value)))) {
			if (n++ < 5) {
				print_key(what, key);
			}
		}
	}
	kv_cursor_free(cur);
	return n;
}

size_t
rebuild_differences(struct call *c, struct kv *kv, const struct schema *s)
{
	struct rebuild b = {.c = c, .s = s, .want = kv_mem_new()};

	b.totals = arena_new(&c->arena, struct record_counts, s->n_index + 1);
	want_all(&b, kv);
	size_t n = differences(&b, kv, b.want, "not to be there, or wrong");

	n += differences(&b, b.want, kv, "missing, or wrong");
	b.want->ops->close(b.want);
	return n;
}
