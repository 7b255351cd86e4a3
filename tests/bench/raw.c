/*
 * raw - a peer for the benchmarks: LevelDB alone, without itemfs
 *
 *   raw load STORE TABLE LINES DIR   writes the pairs of STORE's table into a new LevelDB in DIR, in the order in which
 *                                    the JSON lines of LINES made them, in batches of 1,000 items; prints items/s
 *   raw scan STORE TABLE INDEX LO HI PREFIX
 *                                    iterates over the entries of the number partitions LO..HI of INDEX whose sort key
 *                                    begins with PREFIX; prints items/s
 *   raw walk STORE TABLE PK          iterates over the items of a partition with that key, a string; prints items/s
 *   raw table STORE TABLE            iterates over all items of a table; prints items/s
 *   raw all STORE                    iterates over every record of a store; prints records/s ("items/s")
 *   raw copy STORE DIR               iterates over every record of a store and writes it into a new LevelDB in DIR, in
 *                                    batches of 1,000; prints records/s ("items/s")
 *   raw sync DIR THREADS SECONDS     calls leveldb_put with sync from THREADS threads; prints puts/s
 *
 * STORE must have no owner.  Only LevelDB is timed: pairs are prepared before.
 */
#include <fcntl.h>
#include <leveldb/c.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/clock.h"
#include "store/base/text/json.h"
#include "store/local/records/keyspace.h"
#include "store/model/item_json.h"
#include "store/own.h"

enum {
	BATCH_ITEMS = 1000,
	WRITE_BUFFER = 64 << 20,
	BLOCK_CACHE = 64 << 20,
	BLOOM_BITS = 10,
	VALUE_BYTES = 120
};

struct pair {
	struct slice key;
	struct slice value;
	bool written;
};

struct pairs {
	struct pair *at;
	size_t n;
	size_t cap;
	size_t *slot; /* open addressing: index + 1 */
	size_t slots;
};

static void
die(const char *what, const char *why)
{
	(void)fprintf(stderr, "raw: %s: %s\n", what, why == NULL ? "failed" : why);
	exit(1);
}

/* The same options as kv_leveldb.c. */
static leveldb_t *
open_db(const char *dir, bool create)
{
	leveldb_options_t *o = leveldb_options_create();
	char *err = NULL;

	leveldb_options_set_create_if_missing(o, create);
	leveldb_options_set_write_buffer_size(o, WRITE_BUFFER);
	leveldb_options_set_cache(o, leveldb_cache_create_lru(BLOCK_CACHE));
	leveldb_options_set_filter_policy(o, leveldb_filterpolicy_create_bloom(BLOOM_BITS));
	leveldb_t *db = leveldb_open(o, dir, &err);

	if (db == NULL) {
		die(dir, err);
	}
	return db;
}

static uint64_t
hash(struct slice s)
{
	uint64_t h = 1469598103934665603u;

	for (size_t i = 0; i < s.len; i++) {
		h = (h ^ (unsigned char)s.at[i]) * 1099511628211u;
	}
	return h;
}

static struct pair *
pairs_find(struct pairs *p, struct slice key)
{
	for (size_t i = hash(key) & (p->slots - 1);; i = (i + 1) & (p->slots - 1)) {
		if (p->slot[i] == 0) {
			return NULL;
		}
		if (slice_eq(p->at[p->slot[i] - 1].key, key)) {
			return &p->at[p->slot[i] - 1];
		}
	}
}

static void
pairs_index(struct pairs *p)
{
	for (p->slots = 1024; p->slots < p->n * 2; p->slots *= 2) {
	}
	p->slot = calloc(p->slots, sizeof(*p->slot));
	for (size_t n = 0; n < p->n; n++) {
		size_t i = hash(p->at[n].key) & (p->slots - 1);

		while (p->slot[i] != 0) {
			i = (i + 1) & (p->slots - 1);
		}
		p->slot[i] = n + 1;
	}
}

/* Read every pair of the complete store into memory. */
static struct pairs
pairs_read(const char *store)
{
	char dir[4096];
	struct pairs p = {0};
	static struct arena memory;

	arena_init(&memory, SIZE_MAX);
	(void)snprintf(dir, sizeof(dir), "%s/db", store);
	leveldb_t *db = open_db(dir, false);
	leveldb_readoptions_t *ro = leveldb_readoptions_create();
	leveldb_iterator_t *it = leveldb_create_iterator(db, ro);

	for (leveldb_iter_seek_to_first(it); leveldb_iter_valid(it); leveldb_iter_next(it)) {
		size_t key_len;
		size_t value_len;
		const char *key = leveldb_iter_key(it, &key_len);
		const char *value = leveldb_iter_value(it, &value_len);

		if (p.n == p.cap) {
			p.cap = p.cap == 0 ? 1 << 20 : p.cap * 2;
			p.at = realloc(p.at, p.cap * sizeof(*p.at));
		}
		p.at[p.n++] =
			(struct pair){.key = slice_copy(&memory, slice_of(key, key_len)),
				      .value = slice_copy(&memory, slice_of(value, value_len))};
	}
	leveldb_iter_destroy(it);
	leveldb_readoptions_destroy(ro);
	leveldb_close(db);
	pairs_index(&p);
	return p;
}

static const struct schema *
schema_of(struct call *c, const char *store, const char *table)
{
	struct engine *e;
	struct describe_table_out out = {0};

	if (store_own(c, store, false, &e) < 0 ||
	    engine_describe_table(e, c, &(struct describe_table_in){.table = slice_from(table)},
				  &out) < 0) {
		die(store, c->error.message);
	}
	const struct schema *s = schema_copy(&c->arena, out.table.schema);

	engine_close(e);
	return s;
}

/* The pairs in the order in which the import made them: those of line 1, then those of line 2, ... */
struct order {
	struct pairs pairs;
	struct pair **at;
	size_t *line_end; /* number of pairs up to and including line i */
	size_t n;
	size_t lines;
};

static void
order_take(struct order *o, struct buf *key)
{
	struct pair *p = pairs_find(&o->pairs, buf_view(key));

	if (p != NULL && !p->written) {
		p->written = true;
		o->at[o->n++] = p;
	}
	buf_clear(key);
}

static void
order_line(struct order *o, const struct schema *s, struct slice line, struct call *c)
{
	const struct json *json;
	struct item item;
	struct buf key;
	struct key_values base = {.n = 0};

	if (json_parse(c, line, JSON_STRICT, &json) < 0 || item_from_json(c, json, &item) < 0) {
		die("line", c->error.message);
	}
	buf_init(&key, &c->arena);
	(void)key_from_item(&s->key, &item, &base);
	buf_slice(&key, keyspace_item(key.arena, s, NULL, &base));
	order_take(o, &key);
	buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, s, NULL, &base));
	order_take(o, &key);
	for (size_t i = 0; i < s->n_index; i++) {
		struct key_values entry = {.n = 0};

		if (key_from_item(&s->index[i].key, &item, &entry) == 0) {
			(void)key_from_item(&s->key, &item, &entry);
			buf_slice(&key, keyspace_item(key.arena, s, &s->index[i], &entry));
			order_take(o, &key);
			buf_slice(&key, keyspace_collection(key.arena, KEYSPACE_PARTITION, s,
							    &s->index[i], &entry));
			order_take(o, &key);
		}
	}
	o->line_end[o->lines++] = o->n;
}

static struct slice
map_file(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) != 0) {
		die(path, "cannot be read");
	}
	void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (at == MAP_FAILED) {
		die(path, "cannot be mapped");
	}
	(void)close(fd);
	return slice_of(at, (size_t)st.st_size);
}

static struct order
order_read(const char *store, const char *table, const char *lines)
{
	static struct call schema_call;
	struct slice text = map_file(lines);
	struct order o;

	call_open(&schema_call, 0, SIZE_MAX);
	const struct schema *s = schema_of(&schema_call, store, table);

	o = (struct order){.pairs = pairs_read(store)};
	o.at = calloc(o.pairs.n, sizeof(*o.at));
	o.line_end = calloc(o.pairs.n, sizeof(*o.line_end));
	while (text.len > 0) {
		const char *end = memchr(text.at, '\n', text.len);
		size_t len = end == NULL ? text.len : (size_t)(end - text.at);
		struct call c;

		call_open(&c, 0, SIZE_MAX);
		order_line(&o, s, slice_of(text.at, len), &c);
		call_close(&c);
		text = slice_skip(text, end == NULL ? len : len + 1);
	}
	return o;
}

static void
write_batch(leveldb_t *db, leveldb_writebatch_t *b, bool sync)
{
	leveldb_writeoptions_t *wo = leveldb_writeoptions_create();
	char *err = NULL;

	leveldb_writeoptions_set_sync(wo, sync);
	leveldb_write(db, wo, b, &err);
	if (err != NULL) {
		die("write", err);
	}
	leveldb_writebatch_clear(b);
	leveldb_writeoptions_destroy(wo);
}

static int
load(char **arg)
{
	struct order o = order_read(arg[0], arg[1], arg[2]);
	uint64_t start = clock_steady_ms();
	leveldb_t *db = open_db(arg[3], true);
	leveldb_writebatch_t *b = leveldb_writebatch_create();
	size_t pair = 0;

	for (size_t line = 0; line < o.lines; line++) {
		for (; pair < o.line_end[line]; pair++) {
			leveldb_writebatch_put(b, o.at[pair]->key.at, o.at[pair]->key.len,
					       o.at[pair]->value.at, o.at[pair]->value.len);
		}
		if ((line + 1) % BATCH_ITEMS == 0 || line + 1 == o.lines) {
			write_batch(db, b, line + 1 == o.lines);
		}
	}
	leveldb_close(db);
	double s = (double)(clock_steady_ms() - start) / 1000;

	printf("%.0f items/s: %zu items, %zu pairs in %.2f s\n", (double)o.lines / s, o.lines, o.n,
	       s);
	return 0;
}

/* What iterators have read. */
struct met {
	size_t items;
	size_t bytes;
	uint64_t start_ms;
};

static void
iterate(leveldb_t *db, struct slice prefix, struct met *met)
{
	leveldb_readoptions_t *ro = leveldb_readoptions_create();
	leveldb_iterator_t *it = leveldb_create_iterator(db, ro);

	for (leveldb_iter_seek(it, prefix.at, prefix.len); leveldb_iter_valid(it);
	     leveldb_iter_next(it)) {
		size_t key_len;
		size_t value_len;
		const char *key = leveldb_iter_key(it, &key_len);

		if (!slice_starts(slice_of(key, key_len), prefix)) {
			break;
		}
		(void)leveldb_iter_value(it, &value_len);
		met->items++;
		met->bytes += value_len;
	}
	leveldb_iter_destroy(it);
	leveldb_readoptions_destroy(ro);
}

static void
print_met(const struct met *met)
{
	double s = (double)(clock_steady_ms() - met->start_ms) / 1000;

	printf("%.0f items/s: %zu items, %zu bytes in %.3f s\n", (double)met->items / s, met->items,
	       met->bytes, s);
}

/* Iterate over all keys with the prefix; empty: all keys. */
static int
iterate_all(const char *store, struct slice prefix)
{
	char dir[4096];

	(void)snprintf(dir, sizeof(dir), "%s/db", store);
	leveldb_t *db = open_db(dir, false);
	struct met met = {.start_ms = clock_steady_ms()};

	iterate(db, prefix, &met);
	print_met(&met);
	leveldb_close(db);
	return 0;
}

static int
copy(char **arg)
{
	char dir[4096];

	(void)snprintf(dir, sizeof(dir), "%s/db", arg[0]);
	leveldb_t *from = open_db(dir, false);
	leveldb_t *to = open_db(arg[1], true);
	leveldb_readoptions_t *ro = leveldb_readoptions_create();
	leveldb_writebatch_t *b = leveldb_writebatch_create();
	leveldb_iterator_t *it = leveldb_create_iterator(from, ro);
	struct met met = {.start_ms = clock_steady_ms()};

	for (leveldb_iter_seek_to_first(it); leveldb_iter_valid(it); leveldb_iter_next(it)) {
		size_t key_len;
		size_t value_len;
		const char *key = leveldb_iter_key(it, &key_len);
		const char *value = leveldb_iter_value(it, &value_len);

		leveldb_writebatch_put(b, key, key_len, value, value_len);
		met.bytes += value_len;
		if (++met.items % BATCH_ITEMS == 0) {
			write_batch(to, b, false);
		}
	}
	write_batch(to, b, true);
	print_met(&met);
	leveldb_iter_destroy(it);
	leveldb_readoptions_destroy(ro);
	leveldb_writebatch_destroy(b);
	leveldb_close(from);
	leveldb_close(to);
	return 0;
}

static int
walk(char **arg)
{
	static struct call c;
	struct buf prefix;
	struct value pk = value_string(slice_from(arg[2]));

	call_open(&c, 0, SIZE_MAX);
	const struct schema *s = schema_of(&c, arg[0], arg[1]);

	buf_init(&prefix, &c.arena);
	buf_slice(&prefix, keyspace_collection(prefix.arena, KEYSPACE_ITEM, s, NULL,
					       &(struct key_values){{&pk}, 1}));
	return iterate_all(arg[0], buf_view(&prefix));
}

static int
table(char **arg)
{
	static struct call c;
	struct buf prefix;

	call_open(&c, 0, SIZE_MAX);
	const struct schema *s = schema_of(&c, arg[0], arg[1]);

	buf_init(&prefix, &c.arena);
	buf_slice(&prefix, keyspace_head(prefix.arena, KEYSPACE_ITEM, s, NULL));
	return iterate_all(arg[0], buf_view(&prefix));
}

static int
scan(char **arg)
{
	static struct call c;
	char dir[4096];

	call_open(&c, 0, SIZE_MAX);
	const struct schema *s = schema_of(&c, arg[0], arg[1]);
	const struct index *ix = schema_index(s, slice_from(arg[2]));

	(void)snprintf(dir, sizeof(dir), "%s/db", arg[0]);
	leveldb_t *db = open_db(dir, false);
	struct met met = {.start_ms = clock_steady_ms()};

	for (long shard = atol(arg[3]); shard <= atol(arg[4]); shard++) {
		char digits[24];
		struct buf prefix;
		struct value sk = value_string(slice_from(arg[5]));

		(void)snprintf(digits, sizeof(digits), "%ld", shard);
		struct value pk = {.type = VALUE_N, .text = slice_from(digits)};

		buf_init(&prefix, &c.arena);
		buf_slice(&prefix, keyspace_collection(prefix.arena, KEYSPACE_ITEM, s, ix,
						       &(struct key_values){{&pk}, 1}));
		keyspace_sort(&prefix, &sk, false);
		iterate(db, buf_view(&prefix), &met);
	}
	print_met(&met);
	leveldb_close(db);
	return 0;
}

struct putter {
	leveldb_t *db;
	unsigned number;
	uint64_t until_ms;
	atomic_ulong *puts;
};

static void *
put_until(void *arg)
{
	struct putter *p = arg;
	leveldb_writeoptions_t *wo = leveldb_writeoptions_create();
	char value[VALUE_BYTES];

	memset(value, 'v', sizeof(value));
	leveldb_writeoptions_set_sync(wo, 1);
	for (unsigned long i = 0; clock_steady_ms() < p->until_ms; i++) {
		char key[64];
		char *err = NULL;
		int n = snprintf(key, sizeof(key), "client%03u/%012lu", p->number, i);

		leveldb_put(p->db, wo, key, (size_t)n, value, sizeof(value), &err);
		if (err != NULL) {
			die("put", err);
		}
		atomic_fetch_add(p->puts, 1);
	}
	leveldb_writeoptions_destroy(wo);
	return NULL;
}

static int
sync_puts(char **arg)
{
	size_t n = (size_t)atol(arg[1]);
	uint64_t ms = (uint64_t)atol(arg[2]) * 1000;
	leveldb_t *db = open_db(arg[0], true);
	pthread_t *thread = calloc(n, sizeof(*thread));
	struct putter *putter = calloc(n, sizeof(*putter));
	atomic_ulong puts = 0;

	for (size_t i = 0; i < n; i++) {
		putter[i] = (struct putter){db, (unsigned)i, clock_steady_ms() + ms, &puts};
		(void)pthread_create(&thread[i], NULL, put_until, &putter[i]);
	}
	for (size_t i = 0; i < n; i++) {
		(void)pthread_join(thread[i], NULL);
	}
	printf("%.0f puts/s\n", (double)puts * 1000 / (double)ms);
	leveldb_close(db);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 6 && strcmp(argv[1], "load") == 0) {
		return load(argv + 2);
	}
	if (argc == 8 && strcmp(argv[1], "scan") == 0) {
		return scan(argv + 2);
	}
	if (argc == 5 && strcmp(argv[1], "walk") == 0) {
		return walk(argv + 2);
	}
	if (argc == 4 && strcmp(argv[1], "table") == 0) {
		return table(argv + 2);
	}
	if (argc == 3 && strcmp(argv[1], "all") == 0) {
		return iterate_all(argv[2], SLICE(""));
	}
	if (argc == 4 && strcmp(argv[1], "copy") == 0) {
		return copy(argv + 2);
	}
	if (argc == 3 && strcmp(argv[1], "open") == 0) {
		leveldb_close(open_db(argv[2], false));
		return 0;
	}
	if (argc == 5 && strcmp(argv[1], "sync") == 0) {
		return sync_puts(argv + 2);
	}
	(void)fprintf(
		stderr,
		"usage: raw load STORE TABLE LINES DIR | scan STORE TABLE INDEX LO HI PREFIX | walk STORE TABLE PK | table STORE TABLE | all STORE | copy STORE DIR | open DIR | sync DIR THREADS "
		"SECONDS\n");
	return 2;
}
