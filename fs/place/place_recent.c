/*
 * place_recent - see place_recent.h
 *
 * A key is the table, the index whose view of the item is cached, and the key attributes. A text is the item as typed
 * JSON.
 */
#include "fs/place/place_recent.h"

#include "store/base/core/clock.h"
#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

#include "fs/core/recent.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"

/* Return: whether answers are cached: not for a mount with consistent reads. */
static bool
place_keeps(const struct mount *m)
{
	return mount_is_remote(m) && m->recent.life_ns > 0 && !m->consistent;
}

static bool
place_may_use(const struct mount *m, const struct place *p)
{
	return p->age != PLACE_NEWEST && place_keeps(m);
}

static void
place_begin_key(struct buf *key, char kind, const struct place *p, const struct index *ix)
{
	buf_char(key, kind);
	buf_text(key, p->table);
	buf_text(key, ix == NULL ? slice_of(NULL, 0) : ix->name);
}

static void
place_put_key_value(struct buf *key, const struct value *v)
{
	buf_char(key, (char)v->type);
	buf_text(key, v->text);
}

static bool
place_item_key(struct buf *key, const struct place *p, const struct index *ix,
	       const struct item *at)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, ix, attrs);

	place_begin_key(key, 'i', p, ix);
	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(at, attrs[i]->name);

		if (v == NULL || v->type != attrs[i]->type) {
			return false;
		}
		place_put_key_value(key, v);
	}
	return true;
}

static struct slice
place_partition_key(struct arena *a, const struct place *p, const struct values *pk)
{
	struct buf key;

	buf_init(&key, a);
	place_begin_key(&key, 'p', p, p->index);
	for (size_t i = 0; i < pk->n; i++) {
		place_put_key_value(&key, &pk->at[i]);
	}
	return buf_view(&key);
}

/* Identifies the directory that lists it. If two directories collide, their entries are only cached longer. */
static uint64_t
place_walk(const struct place *p, struct slice partition)
{
	uint64_t dir = place_child_ino(place_child_ino(1, p->table), place_index(p));

	return place_child_ino(dir, partition);
}

/* ------------------------------------------------------------ items */

bool
place_recent_item(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
		  struct item *out)
{
	const struct json *json = NULL;
	struct slice text;
	struct buf key;

	buf_init(&key, &c->arena);
	if (!place_may_use(m, p) || !place_item_key(&key, p, ix, &p->at) ||
	    !recent_text(&m->recent, buf_view(&key), clock_steady_ns(), p->age == PLACE_HANDED,
			 &c->arena, &text)) {
		return false;
	}
	if (json_parse(c, text, JSON_LAST_WINS, &json) == 0 &&
	    item_from_typed_json(c, json, out) == 0) {
		return true;
	}
	c->error = (struct error){0};
	return false;
}

bool
place_recent_size(struct mount *m, struct call *c, const struct place *p, uint64_t *size)
{
	struct buf key;

	buf_init(&key, &c->arena);
	return place_may_use(m, p) && !clauses_any(&p->clauses) &&
	       place_item_key(&key, p, p->index, &p->at) &&
	       recent_size(&m->recent, buf_view(&key), clock_steady_ns(), size);
}

/* Cache the item @it, with @more about it. */
static void
place_put_item(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
	       const struct item *it, struct recent_new more, uint64_t drops)
{
	struct buf key, text;

	buf_init(&key, &c->arena);
	buf_init(&text, &c->arena);
	if (place_item_key(&key, p, ix, it)) {
		item_put_json(&text, it, ITEM_TYPED);
		more.key = buf_view(&key);
		more.dir = place_walk(p, p->partition);
		more.text = buf_view(&text);
		recent_put(&m->recent, &more, drops, clock_steady_ns());
	}
}

void
place_keep_item(struct mount *m, struct call *c, const struct place *p, const struct index *ix,
		const struct item *it, uint64_t drops)
{
	/* A text that is handed to a reader now would be removed from the cache anyway. */
	if (place_may_use(m, p) && p->age != PLACE_HANDED) {
		place_put_item(m, c, p, ix, it, (struct recent_new){0}, drops);
	}
}

void
place_keep_listed(struct mount *m, struct call *c, const struct place *dir, const struct item *it,
		  uint64_t plain_bytes, uint64_t drops)
{
	const struct recent_new listed = {
		.listed = true, .size = m->form.pretty || m->form.typed ? 0 : plain_bytes};

	if (place_keeps(m)) {
		place_put_item(m, c, dir, dir->index, it, listed, drops);
	}
}

/* ------------------------------------------------------------ partitions */

bool
place_recent_partition(struct mount *m, struct call *c, const struct place *p)
{
	uint64_t there;

	return place_may_use(m, p) &&
	       recent_size(&m->recent, place_partition_key(&c->arena, p, &p->pk), clock_steady_ns(),
			   &there);
}

void
place_keep_partition(struct mount *m, struct call *c, const struct place *p,
		     const struct values *pk, bool listed, uint64_t drops)
{
	if (place_keeps(m)) {
		recent_put(&m->recent,
			   &(struct recent_new){.key = place_partition_key(&c->arena, p, pk),
						.dir = place_walk(p, slice_of(NULL, 0)),
						.listed = listed,
						.size = 1},
			   drops, clock_steady_ns());
	}
}
