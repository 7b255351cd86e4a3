/* heat - usage of partition keys in the running minute, and lines of the minutes before */
#include "store/local/meter/heat.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "store/base/core/clock.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/local/meter/heat_file.h"
#include "store/local/meter/heat_text.h"
#include "store/local/records/hash.h"
#include "store/local/records/keyspace.h"

enum {
	WAYS = 8, /* places of a set: a key is in one of them */
	SETS = HEAT_KEYS / WAYS,
	MILLI = 1000,
	MINUTE_S = 60,
	BACK_S = 10, /* concurrent calls may have times that are out of order by at most this */
};

struct entry {
	uint64_t hash;
	/* Usage, minus that of keys that found no place: one with at least this usage replaces the entry; 0: free */
	uint64_t guard;
	char *key;
	uint32_t len;
	uint32_t room;
	struct heat_rate rate[HEAT_KINDS];
};

/* The usage of a table or GSI. */
struct place {
	uint32_t table;
	uint16_t index;
	struct heat_rate all[HEAT_KINDS];
	struct entry entries[HEAT_KEYS]; /* SETS sets of WAYS entries */
};

struct heat {
	pthread_mutex_t lock;
	int dir;                           /* borrowed; -1: there is none */
	uint64_t second;                   /* the newest second, Unix time */
	struct place *places[HEAT_PLACES]; /* hash table of the places of its minute */
	size_t key_bytes;                  /* allocated for their keys */
	struct buf text;                   /* lines of the minutes before */
};

struct heat *
heat_new(int dir)
{
	struct heat *h = mem_new(struct heat);

	(void)pthread_mutex_init(&h->lock, NULL);
	h->dir = dir;
	return h;
}

/* ------------------------------------------------------------ a minute ends */

struct ranked {
	const struct entry *entry;
	uint64_t degree;
};

static int
hotter(const void *x, const void *y)
{
	const struct ranked *a = x;
	const struct ranked *b = y;

	return a->degree > b->degree ? -1 : a->degree < b->degree;
}

static void
heat_put_line(const struct heat *h, const struct place *p, struct slice key,
	      const struct heat_rate *rate, struct buf *out)
{
	struct heat_key k = {
		.minute = h->second / MINUTE_S, .table = p->table, .index = p->index, .key = key};

	memcpy(k.rate, rate, sizeof(k.rate));
	heat_text_put(out, &k);
}

static void
put_place(const struct heat *h, const struct place *p, struct buf *out)
{
	struct ranked ranked[HEAT_KEYS];
	size_t n = 0;

	for (size_t i = 0; i < HEAT_KEYS; i++) {
		const struct entry *e = &p->entries[i];

		if (e->len > 0) {
			ranked[n++] = (struct ranked){e, heat_degree(e->rate)};
		}
	}
	qsort(ranked, n, sizeof(ranked[0]), hotter);
	heat_put_line(h, p, SLICE(""), p->all, out);
	for (size_t i = 0; i < n && i < HEAT_KEPT; i++) {
		const struct entry *e = ranked[i].entry;

		heat_put_line(h, p, slice_of(e->key, e->len), e->rate, out);
	}
}

static void
put_places(const struct heat *h, struct buf *out)
{
	for (size_t i = 0; i < HEAT_PLACES; i++) {
		if (h->places[i] != NULL) {
			put_place(h, h->places[i], out);
		}
	}
}

static void
forget_places(struct heat *h)
{
	for (size_t i = 0; i < HEAT_PLACES; i++) {
		struct place *p = h->places[i];

		for (size_t k = 0; p != NULL && k < HEAT_KEYS; k++) {
			free(p->entries[k].key);
		}
		free(p);
		h->places[i] = NULL;
	}
	h->key_bytes = 0;
}

/* Advance to the call's time, and end the minute if it is over. Calls that are slightly out of order change nothing. */
static void
tick(struct heat *h, const struct call *c)
{
	assert(lock_held(&h->lock));
	uint64_t second = c->now_ms / MILLI;

	if (second < h->second && h->second - second > BACK_S) {
		/* Either the call began long ago or the clock was set back: ask the clock. */
		second = clock_now_ms() / MILLI;
	}
	if (second == h->second || (second < h->second && h->second - second <= BACK_S)) {
		return;
	}
	if (second / MINUTE_S != h->second / MINUTE_S) {
		put_places(h, &h->text);
		forget_places(h);
		if (h->text.len > HEAT_TEXT) {
			heat_text_shrink(&h->text, second / MINUTE_S, HEAT_TEXT / 2);
		}
	}
	h->second = second;
}

void
heat_free(struct heat *h)
{
	put_places(h, &h->text);
	if (h->dir >= 0 && h->text.len > 0) {
		heat_file_append(h->dir, buf_view(&h->text), h->second / MINUTE_S);
	}
	forget_places(h);
	buf_release(&h->text);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
}

/* ------------------------------------------------------------ noting */

/* The place of a table or GSI, made at first use; NULL if there are too many. */
static struct place *
heat_place_of(struct heat *h, const struct throttle_place *at)
{
	assert(lock_held(&h->lock));
	uint32_t table = at->schema->id;
	uint16_t index = at->ix != NULL && at->ix->global ? at->ix->id : KEYSPACE_BASE;

	for (size_t i = 0; i < HEAT_PLACES; i++) {
		struct place **p = &h->places[(table * 7 + index + i) % HEAT_PLACES];

		if (*p == NULL) {
			*p = mem_new(struct place);
			(*p)->table = table;
			(*p)->index = index;
		}
		if ((*p)->table == table && (*p)->index == index) {
			return *p;
		}
	}
	return NULL;
}

/* Give the place @e to @key.  Return: @e, or NULL if the keys would take too much memory */
static struct entry *
heat_take(struct heat *h, struct entry *e, uint64_t hash, struct slice key, uint64_t weight)
{
	if (key.len > e->room) {
		if (h->key_bytes - e->room + key.len > HEAT_BYTES) {
			return NULL;
		}
		h->key_bytes += key.len - e->room;
		e->room = (uint32_t)key.len;
		e->key = mem_resized(e->key, key.len, 1);
	}
	memcpy(e->key, key.at, key.len);
	e->len = (uint32_t)key.len;
	e->hash = hash;
	e->guard = weight;
	memset(e->rate, 0, sizeof(e->rate));
	return e;
}

/* The entry of @key.  Return: NULL if the other keys of its set have consumed more, or as heat_take() */
static struct entry *
heat_entry_of(struct heat *h, struct place *p, struct slice key, uint64_t weight)
{
	assert(lock_held(&h->lock));
	assert(key.len > 0);
	uint64_t hash = hash_bytes(key);
	struct entry *set = &p->entries[(hash >> 32) % SETS * WAYS];
	struct entry *least = set;

	for (size_t i = 0; i < WAYS; i++) {
		struct entry *e = &set[i];

		if (e->hash == hash && slice_eq(slice_of(e->key, e->len), key)) {
			e->guard += weight;
			return e;
		}
		least = e->guard < least->guard ? e : least;
	}
	if (least->guard > weight) {
		least->guard -= weight;
		return NULL;
	}
	return heat_take(h, least, hash, key, weight);
}

void
heat_note(struct heat *h, const struct call *c, const struct throttle_place *place, uint64_t halves)
{
	/* The part that the key of a collection's counts and the keys of its items have in common. */
	struct slice key =
		slice_skip(place->collection, place->collection.len == 0 ? 0 : KEYSPACE_HEAD_BYTES);
	uint64_t weight = place->kind == THROTTLE_WRITE ? 3 * halves : halves;
	struct entry *e = NULL;

	if (halves == 0) {
		return;
	}
	(void)pthread_mutex_lock(&h->lock);
	tick(h, c);
	struct place *p = heat_place_of(h, place);

	if (p != NULL) {
		heat_rate_add(&p->all[place->kind], h->second, halves);
		e = key.len == 0 ? NULL : heat_entry_of(h, p, key, weight);
	}
	if (e != NULL) {
		heat_rate_add(&e->rate[place->kind], h->second, halves);
	}
	(void)pthread_mutex_unlock(&h->lock);
}

uint64_t
heat_lines(struct heat *h, const struct call *c, struct buf *out)
{
	if (h->dir >= 0) {
		heat_file_read(h->dir, out);
	}
	(void)pthread_mutex_lock(&h->lock);
	tick(h, c);
	buf_slice(out, buf_view(&h->text));
	put_places(h, out);
	uint64_t second = h->second;
	(void)pthread_mutex_unlock(&h->lock);
	return second;
}
