/* recent - see recent.h; a hash table whose entries are also in a list, in the order of their arrival */
#include "fs/core/recent.h"

#include "store/base/core/clock.h"

enum { RECENT_BUCKETS = 32 * 1024 };

struct recent_entry {
	struct recent_entry *next; /* in its bucket */
	struct recent_entry *older;
	struct recent_entry *newer;
	uint64_t hash;
	uint64_t dir;
	uint64_t brought_ns;
	uint64_t since_ns; /* start of its lifetime */
	uint64_t size;
	char *text; /* on the heap, or NULL */
	uint32_t text_len;
	uint32_t key_len;
	bool listed; /* it came from a listing and was not used yet */
	char key[];
};

void
recent_init(struct recent *r, double timeout_s)
{
	double life_s =
		timeout_s < (double)RECENT_LIFE_MAX_S ? timeout_s : (double)RECENT_LIFE_MAX_S;

	*r = (struct recent){.life_ns = (uint64_t)(life_s * 1e9)};
	(void)pthread_mutex_init(&r->lock, NULL);
}

/* ------------------------------------------------------------ entries */

static uint64_t
recent_hash(struct slice key)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < key.len; i++) {
		h = (h ^ (unsigned char)key.at[i]) * 0x100000001b3;
	}
	return h ^ h >> 32;
}

static struct recent_entry **
recent_bucket(const struct recent *r, uint64_t hash)
{
	return &r->buckets[hash % RECENT_BUCKETS];
}

static struct recent_entry *
recent_find(const struct recent *r, struct slice key)
{
	assert(lock_held(&r->lock));
	uint64_t hash = recent_hash(key);
	struct recent_entry *e = r->buckets == NULL ? NULL : *recent_bucket(r, hash);

	while (e != NULL && !(e->hash == hash && slice_eq(slice_of(e->key, e->key_len), key))) {
		e = e->next;
	}
	return e;
}

static void
recent_drop_text(struct recent *r, struct recent_entry *e)
{
	r->text_bytes -= e->text == NULL ? 0 : e->text_len;
	free(e->text);
	e->text = NULL;
}

static void
recent_remove(struct recent *r, struct recent_entry *e)
{
	struct recent_entry **at = recent_bucket(r, e->hash);

	while (*at != e) {
		at = &(*at)->next;
	}
	*at = e->next;
	*(e->older == NULL ? &r->oldest : &e->older->newer) = e->newer;
	*(e->newer == NULL ? &r->newest : &e->newer->older) = e->older;
	if (r->texts == e) {
		r->texts = e->newer;
	}
	recent_drop_text(r, e);
	r->n--;
	free(e);
}

static void
recent_empty(struct recent *r)
{
	while (r->oldest != NULL) {
		recent_remove(r, r->oldest);
	}
}

static void
recent_add(struct recent *r, const struct recent_new *what, uint64_t now_ns)
{
	struct recent_entry *e = mem_zeroed(1, sizeof(*e) + what->key.len);
	uint64_t hash = recent_hash(what->key);

	*e = (struct recent_entry){.hash = hash,
				   .dir = what->dir,
				   .brought_ns = now_ns,
				   .since_ns = now_ns,
				   .size = what->size,
				   .listed = what->listed,
				   .key_len = (uint32_t)what->key.len,
				   .older = r->newest};
	memcpy(e->key, what->key.at, what->key.len);
	if (what->text.len > 0) {
		e->text = mem_zeroed(1, what->text.len);
		e->text_len = (uint32_t)what->text.len;
		memcpy(e->text, what->text.at, what->text.len);
		r->text_bytes += what->text.len;
	}
	*(r->newest == NULL ? &r->oldest : &r->newest->newer) = e;
	r->newest = e;
	r->texts = r->texts == NULL ? e : r->texts;
	e->next = *recent_bucket(r, hash);
	*recent_bucket(r, hash) = e;
	r->n++;
}

/* A time may be before @then_ns, because threads read the clock before they take the lock. */
static uint64_t
recent_age(uint64_t then_ns, uint64_t now_ns)
{
	return now_ns > then_ns ? now_ns - then_ns : 0;
}

static void
recent_make_room(struct recent *r, uint64_t now_ns)
{
	assert(lock_held(&r->lock));
	while (r->texts != NULL && r->text_bytes > RECENT_TEXT_BYTES) {
		recent_drop_text(r, r->texts);
		r->texts = r->texts->newer;
	}
	while (r->oldest != NULL &&
	       (r->n > RECENT_ENTRIES ||
		recent_age(r->oldest->brought_ns, now_ns) > RECENT_LISTED_MAX_S * NS_PER_S)) {
		recent_remove(r, r->oldest);
	}
}

static struct recent_walk *
recent_walk(struct recent *r, uint64_t dir)
{
	return &r->walks[dir % RECENT_WALKS];
}

static bool
recent_lasts(struct recent *r, const struct recent_entry *e, uint64_t now_ns)
{
	const struct recent_walk *w = recent_walk(r, e->dir);

	if (recent_age(e->since_ns, now_ns) < r->life_ns) {
		return true;
	}
	return e->listed && w->dir == e->dir && recent_age(w->used_ns, now_ns) < r->life_ns &&
	       recent_age(e->brought_ns, now_ns) < RECENT_LISTED_MAX_S * NS_PER_S;
}

/* The entry if it is still valid, marked as used; otherwise NULL. */
static struct recent_entry *
recent_use(struct recent *r, struct slice key, uint64_t now_ns)
{
	assert(lock_held(&r->lock));
	struct recent_entry *e = recent_find(r, key);

	if (e != NULL && !recent_lasts(r, e, now_ns)) {
		recent_remove(r, e);
		e = NULL;
	}
	if (e != NULL && e->listed) {
		*recent_walk(r, e->dir) = (struct recent_walk){e->dir, now_ns};
		e->listed = false;
		e->since_ns = now_ns;
	}
	return e;
}

/* ------------------------------------------------------------ */

void
recent_release(struct recent *r)
{
	recent_empty(r);
	free(r->buckets);
	(void)pthread_mutex_destroy(&r->lock);
}

void
recent_drop(struct recent *r)
{
	lock_scope(&r->lock);
	r->drops++;
	recent_empty(r);
}

void
recent_put(struct recent *r, const struct recent_new *what, uint64_t drops, uint64_t now_ns)
{
	lock_scope(&r->lock);
	if (r->life_ns == 0 || r->drops != drops) {
		return;
	}
	if (r->buckets == NULL) {
		r->buckets = mem_array(struct recent_entry *, RECENT_BUCKETS);
	}
	struct recent_entry *before = recent_find(r, what->key);

	if (before != NULL) {
		recent_remove(r, before);
	}
	recent_add(r, what, now_ns);
	if (what->listed) {
		*recent_walk(r, what->dir) = (struct recent_walk){what->dir, now_ns};
	}
	recent_make_room(r, now_ns);
}

bool
recent_size(struct recent *r, struct slice key, uint64_t now_ns, uint64_t *size)
{
	lock_scope(&r->lock);
	const struct recent_entry *e = recent_use(r, key, now_ns);

	*size = e == NULL ? 0 : e->size;
	return *size > 0;
}

bool
recent_text(struct recent *r, struct slice key, uint64_t now_ns, bool take, struct arena *a,
	    struct slice *out)
{
	lock_scope(&r->lock);
	struct recent_entry *e = recent_use(r, key, now_ns);

	if (e == NULL || e->text == NULL) {
		return false;
	}
	*out = slice_copy(a, slice_of(e->text, e->text_len));
	if (take) {
		recent_drop_text(r, e);
	}
	return true;
}
