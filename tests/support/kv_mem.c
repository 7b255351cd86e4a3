/*
 * kv_mem - a skip list of versions
 *
 * Nodes are ordered by key, then newest first, and are never freed before
 * close(): a cursor's key and value stay where they are.
 */
#include "tests/support/kv_mem.h"

enum { MAX_HEIGHT = 16 };

struct node {
	struct slice key;
	struct slice value;
	uint64_t version; /* number of the commit that wrote it, from 1 */
	bool deleted;
	struct node *next[]; /* one per level */
};

struct mem {
	struct kv kv;
	pthread_rwlock_t lock; /* guards the members below */
	struct node *head;
	int height;
	uint32_t seed;
	uint64_t commits;
	uint64_t durable;
	uint64_t compactions;
	void (*on_compact)(struct slice from, struct slice to);
};

struct kv_snapshot {
	uint64_t version;
};

struct mem_cursor {
	struct kv_cursor cursor;
	struct mem *mem;
	uint64_t version;
	const struct node *at; /* NULL: not valid */
};

struct mem_op {
	struct slice key;
	struct slice value;
	bool deleted;
};

struct mem_batch {
	struct kv_batch batch;
	struct mem_op *ops;
	size_t n;
	size_t cap;
};

static void *
get_memory(size_t bytes)
{
	void *p = calloc(1, bytes);

	if (p == NULL) {
		abort();
	}
	return p;
}

static struct slice
copy_bytes(struct slice s)
{
	char *at = get_memory(s.len + 1);

	if (s.len > 0) {
		memcpy(at, s.at, s.len);
	}
	return slice_of(at, s.len);
}

static struct node *
node_new(int height)
{
	return get_memory(sizeof(struct node) + (size_t)height * sizeof(struct node *));
}

/* Return true if @n is before the position of (@key, @version). */
static bool
node_before(const struct node *n, struct slice key, uint64_t version)
{
	int r = slice_cmp(n->key, key);

	return r < 0 || (r == 0 && n->version > version);
}

/* Return the first node at or after (@key, @version); @before gets the nodes before it at each level. */
static struct node *
find(const struct mem *m, struct slice key, uint64_t version, struct node **before)
{
	struct node *n = m->head;

	for (int level = m->height - 1; level >= 0; level--) {
		while (n->next[level] != NULL && node_before(n->next[level], key, version)) {
			n = n->next[level];
		}
		if (before != NULL) {
			before[level] = n;
		}
	}
	return n->next[0];
}

static int
pick_height(struct mem *m)
{
	int height = 1;

	m->seed = m->seed * 1664525U + 1013904223U;
	for (uint32_t bits = m->seed >> 8; height < MAX_HEIGHT && (bits & 3) == 0; bits >>= 2) {
		height++;
	}
	return height;
}

static void
insert(struct mem *m, struct slice key, struct slice value, uint64_t version, bool deleted)
{
	struct node *before[MAX_HEIGHT];
	struct node *same = find(m, key, version, before);

	if (same != NULL && same->version == version && slice_eq(same->key, key)) {
		free((char *)same->value.at);
		same->value = copy_bytes(value);
		same->deleted = deleted;
		return;
	}
	int height = pick_height(m);
	struct node *n = node_new(height);

	n->key = copy_bytes(key);
	n->value = copy_bytes(value);
	n->version = version;
	n->deleted = deleted;
	for (; m->height < height; m->height++) {
		before[m->height] = m->head;
	}
	for (int level = 0; level < height; level++) {
		n->next[level] = before[level]->next[level];
		before[level]->next[level] = n;
	}
}

/* ------------------------------------------------------------ cursors */

/* Return the first key that exists at @version, from node @n on. */
static const struct node *
escape(const struct mem *m, const struct node *n, uint64_t version)
{
	while (n != NULL && (n->version > version || n->deleted)) {
		n = n->version > version ? find(m, n->key, version, NULL)
					 : find(m, n->key, 0, NULL);
	}
	return n;
}

static void
mem_seek(struct kv_cursor *cursor, struct slice key)
{
	struct mem_cursor *cur = (struct mem_cursor *)cursor;

	(void)pthread_rwlock_rdlock(&cur->mem->lock);
	cur->at = escape(cur->mem, find(cur->mem, key, cur->version, NULL), cur->version);
	(void)pthread_rwlock_unlock(&cur->mem->lock);
}

static void
mem_seek_before(struct kv_cursor *cursor, struct slice key)
{
	struct mem_cursor *cur = (struct mem_cursor *)cursor;
	struct node *before[MAX_HEIGHT];

	(void)pthread_rwlock_rdlock(&cur->mem->lock);
	cur->at = NULL;
	for (;;) {
		(void)find(cur->mem, key, UINT64_MAX, before);
		if (before[0] == cur->mem->head) {
			break;
		}
		key = before[0]->key;
		const struct node *n = find(cur->mem, key, cur->version, NULL);

		if (n != NULL && slice_eq(n->key, key) && !n->deleted) {
			cur->at = n;
			break;
		}
	}
	(void)pthread_rwlock_unlock(&cur->mem->lock);
}

static bool
mem_valid(struct kv_cursor *cursor)
{
	return ((struct mem_cursor *)cursor)->at != NULL;
}

static void
mem_next(struct kv_cursor *cursor)
{
	struct mem_cursor *cur = (struct mem_cursor *)cursor;

	(void)pthread_rwlock_rdlock(&cur->mem->lock);
	cur->at = escape(cur->mem, find(cur->mem, cur->at->key, 0, NULL), cur->version);
	(void)pthread_rwlock_unlock(&cur->mem->lock);
}

static void
mem_prev(struct kv_cursor *cursor)
{
	mem_seek_before(cursor, ((struct mem_cursor *)cursor)->at->key);
}

static struct slice
mem_key(struct kv_cursor *cursor)
{
	return ((struct mem_cursor *)cursor)->at->key;
}

static struct slice
mem_value(struct kv_cursor *cursor)
{
	return ((struct mem_cursor *)cursor)->at->value;
}

static int
mem_status(struct kv_cursor *cursor, struct call *c)
{
	(void)cursor;
	(void)c;
	return 0;
}

static void
mem_cursor_free(struct kv_cursor *cursor)
{
	free(cursor);
}

static const struct kv_cursor_ops cursor_ops = {
	.seek = mem_seek,
	.seek_before = mem_seek_before,
	.valid = mem_valid,
	.next = mem_next,
	.prev = mem_prev,
	.key = mem_key,
	.value = mem_value,
	.status = mem_status,
	.free = mem_cursor_free,
};

/* ------------------------------------------------------------ batches */

static void
batch_add(struct kv_batch *batch, struct slice key, struct slice value, bool deleted)
{
	struct mem_batch *b = (struct mem_batch *)batch;

	if (b->n == b->cap) {
		b->cap = b->cap == 0 ? 16 : 2 * b->cap;
		b->ops = realloc(b->ops, b->cap * sizeof(*b->ops));
		if (b->ops == NULL) {
			abort();
		}
	}
	b->ops[b->n++] = (struct mem_op){copy_bytes(key), copy_bytes(value), deleted};
}

static void
batch_put(struct kv_batch *batch, struct slice key, struct slice value)
{
	batch_add(batch, key, value, false);
}

static void
batch_del(struct kv_batch *batch, struct slice key)
{
	batch_add(batch, key, slice_of(NULL, 0), true);
}

static void
batch_clear(struct kv_batch *batch)
{
	struct mem_batch *b = (struct mem_batch *)batch;

	for (size_t i = 0; i < b->n; i++) {
		free((char *)b->ops[i].key.at);
		free((char *)b->ops[i].value.at);
	}
	b->n = 0;
}

static void
batch_free(struct kv_batch *batch)
{
	batch_clear(batch);
	free(((struct mem_batch *)batch)->ops);
	free(batch);
}

static const struct kv_batch_ops batch_ops = {
	.put = batch_put,
	.del = batch_del,
	.clear = batch_clear,
	.free = batch_free,
};

/* ------------------------------------------------------------ the store */

static int
mem_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	struct mem *m = (struct mem *)kv;

	(void)c;
	(void)pthread_rwlock_rdlock(&m->lock);
	const struct node *n = find(m, key, at == NULL ? m->commits : at->version, NULL);
	bool found = n != NULL && slice_eq(n->key, key) && !n->deleted;

	if (found) {
		buf_slice(out, n->value);
	}
	(void)pthread_rwlock_unlock(&m->lock);
	return found ? 0 : KV_ABSENT;
}

static struct kv_snapshot *
mem_snapshot_new(struct kv *kv)
{
	struct kv_snapshot *s = get_memory(sizeof(*s));

	s->version = kv_mem_commits(kv);
	return s;
}

static void
mem_snapshot_free(struct kv *kv, struct kv_snapshot *s)
{
	(void)kv;
	free(s);
}

static struct kv_cursor *
mem_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once)
{
	struct mem_cursor *cur = get_memory(sizeof(*cur));

	cur->cursor.ops = &cursor_ops;
	(void)once;
	cur->mem = (struct mem *)kv;
	cur->version = at == NULL ? kv_mem_commits(kv) : at->version;
	return &cur->cursor;
}

static struct kv_batch *
mem_batch_new(struct kv *kv)
{
	struct mem_batch *b = get_memory(sizeof(*b));

	(void)kv;
	b->batch.ops = &batch_ops;
	return &b->batch;
}

static int
mem_commit(struct kv *kv, struct call *c, struct kv_batch *batch, bool durable)
{
	struct mem *m = (struct mem *)kv;
	const struct mem_batch *b = (const struct mem_batch *)batch;

	(void)c;
	(void)pthread_rwlock_wrlock(&m->lock);
	m->commits++;
	for (size_t i = 0; i < b->n; i++) {
		insert(m, b->ops[i].key, b->ops[i].value, m->commits, b->ops[i].deleted);
	}
	if (durable) {
		m->durable = m->commits;
	}
	(void)pthread_rwlock_unlock(&m->lock);
	return 0;
}

static int
mem_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	(void)kv;
	(void)c;
	(void)what;
	(void)b;
	return 0;
}

static void
mem_compact(struct kv *kv, struct slice from, struct slice to)
{
	struct mem *m = (struct mem *)kv;

	(void)pthread_rwlock_wrlock(&m->lock);
	m->compactions++;
	void (*told)(struct slice, struct slice) = m->on_compact;

	(void)pthread_rwlock_unlock(&m->lock);
	if (told != NULL) {
		told(from, to);
	}
}

/* Overwritten and deleted values are included, as in files. */
static uint64_t
mem_size(struct kv *kv, struct slice from, struct slice to)
{
	struct mem *m = (struct mem *)kv;
	uint64_t bytes = 0;

	(void)pthread_rwlock_rdlock(&m->lock);
	for (const struct node *n = find(m, from, UINT64_MAX, NULL);
	     n != NULL && slice_cmp(n->key, to) < 0; n = n->next[0]) {
		bytes += n->key.len + n->value.len;
	}
	(void)pthread_rwlock_unlock(&m->lock);
	return bytes;
}

static void
mem_close(struct kv *kv)
{
	struct mem *m = (struct mem *)kv;

	for (struct node *n = m->head, *next; n != NULL; n = next) {
		next = n->next[0];
		free((char *)n->key.at);
		free((char *)n->value.at);
		free(n);
	}
	(void)pthread_rwlock_destroy(&m->lock);
	free(m);
}

static const struct kv_ops mem_ops = {
	.get = mem_get,
	.snapshot_new = mem_snapshot_new,
	.snapshot_free = mem_snapshot_free,
	.cursor_new = mem_cursor_new,
	.batch_new = mem_batch_new,
	.commit = mem_commit,
	.room = mem_room,
	.compact = mem_compact,
	.size = mem_size,
	.close = mem_close,
};

struct kv *
kv_mem_new(void)
{
	struct mem *m = get_memory(sizeof(*m));

	m->kv.ops = &mem_ops;
	(void)pthread_rwlock_init(&m->lock, NULL);
	m->head = node_new(MAX_HEIGHT);
	m->height = 1;
	return &m->kv;
}

static uint64_t
read_number(struct mem *m, const uint64_t *number)
{
	(void)pthread_rwlock_rdlock(&m->lock);
	uint64_t n = *number;

	(void)pthread_rwlock_unlock(&m->lock);
	return n;
}

uint64_t
kv_mem_commits(struct kv *kv)
{
	struct mem *m = (struct mem *)kv;

	return read_number(m, &m->commits);
}

uint64_t
kv_mem_durable(struct kv *kv)
{
	struct mem *m = (struct mem *)kv;

	return read_number(m, &m->durable);
}

uint64_t
kv_mem_compactions(struct kv *kv)
{
	struct mem *m = (struct mem *)kv;

	return read_number(m, &m->compactions);
}

void
kv_mem_on_compact(struct kv *kv, void (*fn)(struct slice from, struct slice to))
{
	struct mem *m = (struct mem *)kv;

	(void)pthread_rwlock_wrlock(&m->lock);
	m->on_compact = fn;
	(void)pthread_rwlock_unlock(&m->lock);
}

struct kv *
kv_mem_copy(struct kv *kv, uint64_t commits)
{
	struct mem *from = (struct mem *)kv;
	struct mem *to = (struct mem *)kv_mem_new();

	(void)pthread_rwlock_rdlock(&from->lock);
	to->commits = commits < from->commits ? commits : from->commits;
	to->durable = to->commits;
	for (const struct node *n = from->head->next[0]; n != NULL; n = n->next[0]) {
		if (n->version <= to->commits) {
			insert(to, n->key, n->value, n->version, n->deleted);
		}
	}
	(void)pthread_rwlock_unlock(&from->lock);
	return &to->kv;
}
