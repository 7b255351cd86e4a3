/* origin - see origin.h */
#include "fs/file/origin.h"

#include "store/model/item.h"
#include "store/model/schema.h"

#include "fs/core/memory_account.h"
#include "fs/file/commit.h"
#include "fs/file/handle.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

struct origin {
	struct origin *next; /* in file.origins */
	unsigned refs;       /* handles that have it, and the text */
	struct call keep;    /* memory of the item */
	struct usage usage;  /* of the user that opened first */
	bool there;
	struct item item;
};

/* The present state in the store. */
struct found {
	bool there;
	struct item item;
};

static struct origin *
ref(struct origin *o)
{
	if (o != NULL) {
		o->refs++;
	}
	return o;
}

static void
origin_put(struct file *f, struct origin *o)
{
	struct origin **link = &f->origins;

	if (o == NULL || --o->refs > 0) {
		return;
	}
	while (*link != o) {
		link = &(*link)->next;
	}
	*link = o->next;
	call_close(&o->keep);
	usage_end(&o->usage);
	free(o);
}

static void
origin_set(struct origin *o, const struct item *it)
{
	call_open(&o->keep, 0, SIZE_MAX);
	o->there = it != NULL;
	if (it != NULL) {
		o->item = item_copy(&o->keep.arena, it);
	}
}

static size_t
origin_size_of(const struct origin *o)
{
	return sizeof(*o) + o->keep.arena.used;
}

static void
file_origin_renew(struct origin *o, const struct item *it)
{
	call_close(&o->keep);
	origin_set(o, it);
	usage_set(&o->usage, origin_size_of(o));
}

/* The item of the origin, with the key of a place: a rename by this mount is no change. */
static struct item
origin_at_place(const struct origin *o, struct call *c, const struct place *p)
{
	return item_with_key(&c->arena, &p->schema->key, &o->item, &p->key);
}

static bool
origin_is_same(const struct origin *o, struct call *c, const struct place *p,
	       const struct found *found)
{
	if (!o->there || !found->there) {
		return o->there == found->there;
	}
	struct item seen = origin_at_place(o, c, p);

	return item_eq(&seen, &found->item);
}

static int
origin_look(struct mount *m, struct call *c, const struct place *p, struct found *out)
{
	uint64_t mtime_ns;
	int r = place_read(m, c, p, &out->item, &mtime_ns);

	out->there = r == 0;
	return r == PLACE_ABSENT ? 0 : r;
}

/* Get a reference to an origin of what the store has now. */
static int
file_origin_take(struct mount *m, struct call *c, struct file *f, const struct handle *creator,
		 struct origin **out)
{
	struct place p;
	struct found found = {.there = false};
	int r = place_of(m, c, f->node, &p);

	/* This mount does not show a hidden item: the file is new. */
	if (r == 0 && creator == NULL && !commit_is_hidden(m, c, f)) {
		r = origin_look(m, c, &p, &found);
	}
	if (r != 0) {
		return r;
	}
	for (struct origin *o = f->origins; o != NULL; o = o->next) {
		if (origin_is_same(o, c, &p, &found)) {
			*out = ref(o);
			return 0;
		}
	}
	struct origin *o = mem_new(struct origin);

	origin_set(o, found.there ? &found.item : NULL);
	o->refs = 1;
	o->next = f->origins;
	f->origins = o;
	o->usage = (struct usage){.account = account_of(&m->accounts, c->uid)};
	if (!usage_resize(&o->usage, origin_size_of(o))) {
		origin_put(f, o);
		return account_full(c);
	}
	*out = o;
	return 0;
}

static bool
has_none(const struct mount *m, const struct file *f)
{
	return !m->conflict_fail || f->gone || f->scratch != NULL;
}

int
origin_take(struct mount *m, struct call *c, struct file *f, struct handle *h)
{
	assert(lock_held(&f->lock));
	bool creates = f->created && f->emptier == h;

	return has_none(m, f) ? 0 : file_origin_take(m, c, f, creates ? h : NULL, &h->origin);
}

void
origin_leave(struct file *f, struct handle *h)
{
	assert(lock_held(&f->lock));
	origin_put(f, h->origin);
	h->origin = NULL;
}

void
origin_begin(struct file *f, const struct handle *h)
{
	assert(lock_held(&f->lock));
	struct origin *before = f->origin;

	f->origin = ref(h->origin);
	origin_put(f, before);
}

int
origin_join(struct mount *m, struct call *c, struct file *f, const struct handle *h)
{
	assert(lock_held(&f->lock));
	enum buffer_state state = f->buffer.state;
	bool is_clean = state == BUFFER_NONE || state == BUFFER_LOADED;
	struct found found;
	struct place p;
	int r = 0;

	if (f->origin == h->origin) {
		return 0;
	}
	if (f->origin != NULL && h->origin != NULL) {
		r = place_of(m, c, f->node, &p);
		r = r == 0 ? origin_look(m, c, &p, &found) : r;
		if (r == 0 && !origin_is_same(h->origin, c, &p, &found)) {
			return origin_stale(c);
		}
	}
	if (r == 0 && (is_clean || f->origin == NULL)) {
		origin_begin(f, h);
		/* The loaded text may be older than the item that this writer opened. */
		f->stale = f->stale || state == BUFFER_LOADED;
	}
	return r;
}

void
origin_renew(struct file *f, const struct item *it)
{
	assert(lock_held(&f->lock));
	if (f->origin != NULL) {
		file_origin_renew(f->origin, it);
	}
}

void
origin_renew_all(struct file *f, const struct item *it)
{
	assert(lock_held(&f->lock));
	for (struct origin *o = f->origins; o != NULL; o = o->next) {
		file_origin_renew(o, it);
	}
}

const struct item *
origin_seen(const struct file *f, struct call *c, const struct place *p)
{
	assert(lock_held(&f->lock) && f->origin != NULL);
	struct item *it = arena_new(&c->arena, struct item, 1);

	if (!f->origin->there) {
		return NULL;
	}
	*it = origin_at_place(f->origin, c, p);
	return it;
}

int
origin_stale(struct call *c)
{
	c->error = (struct error){0};
	int r = call_fail(c, ERR_CONDITION, "another client has changed it since it was opened");

	return r < 0 ? PLACE_STALE : r;
}

int
origin_check(struct mount *m, struct call *c, const struct file *f, const struct place *p)
{
	assert(lock_held(&f->lock) && f->origin != NULL);
	struct found found;
	int r = origin_look(m, c, p, &found);

	return r != 0 || origin_is_same(f->origin, c, p, &found) ? r : origin_stale(c);
}

void
origin_drop(struct file *f)
{
	origin_put(f, f->origin);
	f->origin = NULL;
}
