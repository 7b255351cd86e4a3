#include "tests/support/replay_stream.h"

#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"

enum { PRINTED = 5 };

/* The items that result from the records so far. */
struct replay {
	struct call *c;
	const struct schema *s;
	struct item *items;
	size_t n;
	size_t cap;
	size_t differences;
};

static void
differ(struct replay *r, uint64_t seq, const char *what)
{
	if (r->differences++ < PRINTED) {
		printf("record %llu: %s\n", (unsigned long long)seq, what);
	}
}

static bool
same_key(const struct key_schema *k, const struct item *a, const struct item *b)
{
	struct key_values x = {0};
	struct key_values y = {0};
	size_t i = 0;

	if (key_from_item(k, a, &x) != 0 || key_from_item(k, b, &y) != 0) {
		return false;
	}
	while (i < x.n && value_eq(x.at[i], y.at[i])) {
		i++;
	}
	return i == x.n;
}

static struct item *
find(struct replay *r, const struct item *key)
{
	for (size_t i = 0; i < r->n; i++) {
		if (same_key(&r->s->key, &r->items[i], key)) {
			return &r->items[i];
		}
	}
	return NULL;
}

static struct item
body(struct replay *r, struct slice bytes)
{
	struct item it = {0};
	size_t size;

	if (record_body_decode(r->c, slice_copy(&r->c->arena, bytes), &it, &size) != 0) {
		differ(r, 0, "an image cannot be read");
	}
	return it;
}

static void
apply(struct replay *r, uint64_t seq, const struct stream_entry *e)
{
	struct item key = body(r, e->keys);
	struct item *now = find(r, &key);

	if ((now != NULL) != e->had_old) {
		differ(r, seq, "tells wrongly whether there was an item");
		return;
	}
	if (now != NULL) {
		struct item old = body(r, e->old_image);

		if (!item_eq(now, &old)) {
			differ(r, seq, "has another old image than the record before left");
		}
		*now = r->items[--r->n];
	}
	if (e->has_new) {
		r->items = arena_room(&r->c->arena, r->items, r->n, &r->cap);
		r->items[r->n++] = body(r, e->new_image);
	}
}

static void
replay(struct replay *r, struct kv *kv)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	struct buf prefix;

	buf_init(&prefix, &r->c->arena);
	buf_slice(&prefix, stream_record_key(prefix.arena, r->s->stream.id, NULL));
	for (cur->ops->seek(cur, buf_view(&prefix)); kv_cursor_in(cur, buf_view(&prefix));
	     cur->ops->next(cur)) {
		struct stream_entry e;
		uint64_t seq = 0;

		if (stream_record_seq(r->c, cur->ops->key(cur), &seq) != 0 ||
		    stream_entry_decode(r->c, cur->ops->value(cur), &e) != 0) {
			differ(r, seq, "cannot be read");
		} else {
			apply(r, seq, &e);
		}
	}
}

static void
compare(struct replay *r, struct kv *kv)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(kv, NULL);
	struct buf prefix;
	size_t stored = 0;

	buf_init(&prefix, &r->c->arena);
	buf_slice(&prefix, keyspace_head(prefix.arena, KEYSPACE_ITEM, r->s, NULL));
	for (cur->ops->seek(cur, buf_view(&prefix)); kv_cursor_in(cur, buf_view(&prefix));
	     cur->ops->next(cur)) {
		struct item it = body(r, record_body(cur->ops->value(cur)));
		const struct item *told = find(r, &it);

		stored++;
		if (told == NULL || !item_eq(told, &it)) {
			differ(r, 0, "an item is another one than its records tell");
		}
	}
	if (stored != r->n) {
		differ(r, 0, "there are more items or fewer than the records tell");
	}
}

size_t
replay_stream_differences(struct call *c, struct kv *kv, const struct schema *s)
{
	struct replay r = {.c = c, .s = s};

	replay(&r, kv);
	compare(&r, kv);
	return r.differences;
}
