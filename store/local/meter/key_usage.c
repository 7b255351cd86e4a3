/* key_usage - a table of partition keys with their usage, and the operation DescribeKeyUsage */
#include "store/local/meter/key_usage.h"

#include "store/base/core/clock.h"
#include "store/base/core/max.h"
#include "store/local/records/catalog.h"
#include "store/local/records/hash.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/local_int.h"

enum {
	WAYS = 8, /* entries of a set */
	SETS = KEY_USAGE_KEYS / WAYS,
	KINDS = 2,           /* by enum throttle_kind */
	READS_PER_WRITE = 3, /* a partition provides this many read units for each write unit */
	MS_PER_S = 1000,
	MINUTE_S = 60,
	DECAY = 8,   /* an entry loses this fraction of its weight each minute */
	LATE_S = 10, /* a request that ends this late is counted in its own second alone */
	MINUTES = KEY_USAGE_SINCE_MAX_S / MINUTE_S + 1, /* the running one, too */
	LIMIT = 100,                                    /* default number of keys in an answer */
};

static const uint64_t HASH_FACTOR = 0x9e3779b97f4a7c15U;

/* The usage of a key in one minute. */
struct key_minute {
	uint32_t minute; /* Unix time */
	uint32_t taken;  /* key_entry.taken; if it differs, an earlier key of the entry had it */
	struct key_use use[KINDS];
};

struct key_entry {
	uint64_t place; /* key_usage_place() */
	char *key;      /* the part of the collection's key that follows the index number */
	uint32_t len;   /* 0: the entry is free */
	uint32_t taken; /* number of keys that the entry had before */
	/*
	 * What the key has consumed, with a write as READS_PER_WRITE reads, minus what keys without an entry have
	 * consumed. It loses an eighth each minute, so that a key that was hot long ago does not keep its entry.
	 */
	uint64_t weight;
	uint32_t weighed;          /* the minute up to which it has lost that, Unix time */
	uint64_t second[KINDS];    /* the newest second with usage, Unix time */
	uint64_t in_second[KINDS]; /* halves in that second */
};

struct key_set {
	pthread_mutex_t lock;
	uint64_t hashes[WAYS]; /* of the entries: a search reads one or two lines of the cache */
	struct key_entry entries[WAYS];
};

/* A minute is at its number modulo MINUTES.  The sets and one minute of all keys are small enough for the cache. */
struct key_usage {
	uint64_t started; /* Unix time */
	struct key_set sets[SETS];
	struct key_minute minutes[MINUTES][SETS][WAYS];
};

struct key_usage *
key_usage_new(void)
{
	struct key_usage *u = mem_new(struct key_usage);

	u->started = clock_now_ms() / MS_PER_S;
	for (size_t i = 0; i < SETS; i++) {
		(void)pthread_mutex_init(&u->sets[i].lock, NULL);
	}
	return u;
}

void
key_usage_free(struct key_usage *u)
{
	for (size_t i = 0; i < SETS; i++) {
		(void)pthread_mutex_destroy(&u->sets[i].lock);
		for (size_t k = 0; k < WAYS; k++) {
			free(u->sets[i].entries[k].key);
		}
	}
	free(u);
}

/* The table or GSI as a number; the partitions of a local index are those of the table. */
static uint64_t
key_usage_place(const struct schema *s, const struct index *ix)
{
	return (uint64_t)s->id << 16 | (ix != NULL && ix->global ? ix->id : KEYSPACE_BASE);
}

/* The high bits select the set.  A key of several tables has a set in each, so that they do not compete. */
static uint64_t
key_usage_hash(uint64_t place, struct slice key)
{
	return hash_bytes(key) ^ place * HASH_FACTOR;
}

/* ------------------------------------------------------------ recording */

/* Return the index of the key's entry, or WAYS. */
static size_t
key_usage_find(const struct key_set *set, uint64_t hash, uint64_t place, struct slice key)
{
	size_t i = 0;

	assert(key.len > 0);
	for (; i < WAYS; i++) {
		const struct key_entry *e = &set->entries[i];

		if (set->hashes[i] == hash && e->place == place &&
		    slice_eq(slice_of(e->key, e->len), key)) {
			break;
		}
	}
	return i;
}

/* Reduce the weight by an eighth, rounded up, for each minute that has passed. */
static void
key_usage_decay(struct key_entry *e, uint32_t minute)
{
	for (; e->weighed < minute && e->weight > 0; e->weighed++) {
		e->weight -= e->weight / DECAY + (e->weight % DECAY > 0);
	}
	e->weighed = minute; /* the clock may have been set back */
}

static size_t
key_usage_least(struct key_set *set, uint32_t minute)
{
	size_t least = 0;

	for (size_t i = 0; i < WAYS; i++) {
		key_usage_decay(&set->entries[i], minute);
		if (set->entries[i].weight < set->entries[least].weight) {
			least = i;
		}
	}
	return least;
}

static void
key_usage_take(struct key_entry *e, uint64_t place, struct slice key)
{
	char *copy = mem_resized(e->key, key.len, 1);

	memcpy(copy, key.at, key.len);
	*e = (struct key_entry){
		.place = place, .key = copy, .len = (uint32_t)key.len, .taken = e->taken + 1};
}

static void
key_usage_count(struct key_entry *e, struct key_minute *m, enum throttle_kind kind, uint64_t second,
		uint64_t halves)
{
	uint32_t minute = (uint32_t)(second / MINUTE_S);
	struct key_use *use = &m->use[kind];

	if (m->minute != minute || m->taken != e->taken) {
		*m = (struct key_minute){.minute = minute, .taken = e->taken};
	}
	use->halves += halves;
	if (second < e->second[kind] && second + LATE_S >= e->second[kind]) {
		use->peak_halves = max_of(use->peak_halves, halves);
		return;
	}
	if (e->second[kind] != second) {
		e->second[kind] = second;
		e->in_second[kind] = 0;
	}
	e->in_second[kind] += halves;
	use->peak_halves = max_of(use->peak_halves, e->in_second[kind]);
}

void
key_usage_add(struct key_usage *u, const struct call *c, const struct throttle_place *place,
	      uint64_t halves)
{
	if (place->collection.len == 0 || halves == 0) {
		return;
	}
	/* The keys of items and those of counts differ in their first bytes only. */
	struct slice key = slice_skip(place->collection, KEYSPACE_HEAD_BYTES);
	uint64_t of = key_usage_place(place->schema, place->ix);
	uint64_t weight = place->kind == THROTTLE_WRITE ? READS_PER_WRITE * halves : halves;
	uint64_t second = c->now_ms / MS_PER_S;
	uint32_t minute = (uint32_t)(second / MINUTE_S);
	uint64_t hash = key_usage_hash(of, key);
	size_t n = (hash >> 32) % SETS;
	struct key_set *set = &u->sets[n];

	lock_scope(&set->lock);
	size_t i = key_usage_find(set, hash, of, key);

	if (i == WAYS) {
		i = key_usage_least(set, minute);
		if (set->entries[i].weight > weight) {
			set->entries[i].weight -= weight;
			return;
		}
		key_usage_take(&set->entries[i], of, key);
		set->hashes[i] = hash;
	}
	struct key_entry *e = &set->entries[i];

	key_usage_decay(e, minute);
	e->weight += weight;
	key_usage_count(e, &u->minutes[minute % MINUTES][n][i], place->kind, second, halves);
}

/* ------------------------------------------------------------ DescribeKeyUsage */

/* The request, bound. */
struct key_usage_asked {
	const struct schema *schema;
	const struct index *ix; /* NULL: the table */
	uint32_t from;          /* minutes, inclusive */
	uint32_t to;
};

struct key_found {
	struct slice key;
	struct key_use use[KINDS];
	uint64_t load; /* of a partition in the busiest second; it provides 6,000 at most */
};

/* Sum up the minutes of the entry @way of @set.  Return: false if there was no usage */
static bool
key_usage_sum(const struct key_usage *u, const struct key_usage_asked *a, size_t set, size_t way,
	      struct key_found *out)
{
	*out = (struct key_found){0};
	for (size_t i = 0; i < MINUTES; i++) {
		const struct key_minute *m = &u->minutes[i][set][way];
		bool wanted = m->taken == u->sets[set].entries[way].taken && m->minute >= a->from &&
			      m->minute <= a->to;

		for (size_t k = 0; k < KINDS && wanted; k++) {
			struct key_use *use = &out->use[k];

			use->halves += m->use[k].halves;
			use->peak_halves = max_of(use->peak_halves, m->use[k].peak_halves);
		}
	}
	out->load = max_of(out->use[THROTTLE_READ].peak_halves,
			   READS_PER_WRITE * out->use[THROTTLE_WRITE].peak_halves);
	return out->load > 0;
}

static struct key_found *
key_usage_collect(struct key_usage *u, struct arena *arena, const struct key_usage_asked *a,
		  size_t *n)
{
	uint64_t place = key_usage_place(a->schema, a->ix);
	struct key_found *found = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < SETS; i++) {
		lock_scope(&u->sets[i].lock);
		for (size_t k = 0; k < WAYS; k++) {
			const struct key_entry *e = &u->sets[i].entries[k];

			found = arena_room(arena, found, *n, &cap);
			if (e->place == place && key_usage_sum(u, a, i, k, &found[*n])) {
				found[(*n)++].key = slice_copy(arena, slice_of(e->key, e->len));
			}
		}
	}
	return found;
}

/* The highest load first. */
static int
key_usage_order(const void *x, const void *y)
{
	const struct key_found *a = x;
	const struct key_found *b = y;

	if (a->load != b->load) {
		return a->load > b->load ? -1 : 1;
	}
	return slice_cmp(a->key, b->key);
}

static int
key_usage_answer(struct call *c, const struct key_usage_asked *a, const struct key_found *found,
		 struct usage_of_key *out)
{
	struct buf key = {.arena = &c->arena};

	buf_slice(&key, keyspace_head(&c->arena, KEYSPACE_PARTITION, a->schema, a->ix));
	buf_slice(&key, found->key);
	*out = (struct usage_of_key){
		.pk.at = arena_new(&c->arena, struct value, KEY_VALUES_MAX),
		.read = found->use[THROTTLE_READ],
		.write = found->use[THROTTLE_WRITE],
	};
	return keyspace_parse_partition(c, a->schema, a->ix, buf_view(&key), &out->pk);
}

int
local_exec_describe_key_usage(struct local *l, struct call *c,
			      const struct describe_key_usage_in *in,
			      struct describe_key_usage_out *out)
{
	uint64_t since = in->since_s == 0 ? KEY_USAGE_SINCE_S : in->since_s;
	uint64_t now = c->now_ms / MS_PER_S;
	uint64_t from = now < since ? 0 : (now - since) / MINUTE_S;
	struct key_usage_asked a = {.from = (uint32_t)from, .to = (uint32_t)(now / MINUTE_S)};
	uint32_t limit = in->limit == 0 ? LIMIT : in->limit;
	size_t n;

	*out = (struct describe_key_usage_out){0};
	int r = catalog_find_index(l->catalog, c, in->table, in->index, &a.schema, &a.ix);

	if (r == 0 && a.ix != NULL && !a.ix->global) {
		r = call_fail(
			c, ERR_VALIDATION,
			"%.*s is a local index: it has the partitions of the table, ask for that",
			SLICE_ARG(in->index));
	}
	if (r < 0) {
		return r;
	}
	struct key_found *found = key_usage_collect(l->key_usage, &c->arena, &a, &n);
	struct usage_of_key *keys = arena_new(&c->arena, struct usage_of_key, n);
	uint64_t begin = max_of(l->key_usage->started, from * MINUTE_S);

	qsort(found, n, sizeof(*found), key_usage_order);
	*out = (struct describe_key_usage_out){
		.seconds = now < begin ? 1 : now - begin + 1,
		.keys = keys,
		.known = n,
	};
	for (; r == 0 && out->n_keys < n && out->n_keys < limit; out->n_keys++) {
		r = key_usage_answer(c, &a, &found[out->n_keys], &keys[out->n_keys]);
	}
	return r;
}
