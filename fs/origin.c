/* origin - the item that a writer has in mind, on the heap */
#include "fs/origin.h"

#include <stdlib.h>

#include "store/base/mem.h"

struct origin {
	struct call keep; /* memory of the item */
	bool there;
	struct item item;
};

static void
set(struct file *f, const struct item *it)
{
	struct origin *o = mem_new(struct origin);

	call_open(&o->keep, 0, SIZE_MAX);
	o->there = it != NULL;
	if (it != NULL) {
		o->item = item_copy(&o->keep.arena, it);
	}
	f->origin = o;
}

int
origin_take(struct mount *m, struct call *c, struct file *f)
{
	struct place p;
	struct item item;
	uint64_t mtime_ns;

	if (file_writers(m, f) == 1) {
		origin_drop(f); /* from when it was a scratch file, and somebody reads it since */
	}
	if (!m->conflict_fail || f->origin != NULL || f->gone || f->scratch != NULL) {
		return 0;
	}
	/* Of a hidden item this mount shows nothing: what is made is new. */
	if (f->created || commit_is_hidden(m, c, f)) {
		set(f, NULL);
		return 0;
	}
	int r = place_of(m, c, f->node, &p);

	if (r == 0) {
		r = place_read(m, c, &p, &item, &mtime_ns);
	}
	if (r != 0 && r != PLACE_ABSENT) {
		return r;
	}
	set(f, r == 0 ? &item : NULL);
	return 0;
}

void
origin_renew(struct file *f, const struct item *it)
{
	if (f->origin != NULL) {
		origin_drop(f);
		set(f, it);
	}
}

const struct item *
origin_seen(const struct file *f, struct call *c, const struct place *p)
{
	struct item *it = arena_new(&c->arena, struct item, 1);

	if (!f->origin->there) {
		return NULL;
	}
	*it = item_with_key(&c->arena, &p->schema->key, &f->origin->item, &p->key);
	return it;
}

int
origin_stale(struct call *c)
{
	c->error = (struct error){0};
	int r = call_fail(c, ERR_CONDITION, "others have changed it since it was opened");

	return r < 0 ? PLACE_STALE : r;
}

int
origin_check(struct mount *m, struct call *c, const struct file *f, const struct place *p)
{
	const struct item *seen = origin_seen(f, c, p);
	struct item item;
	uint64_t mtime_ns;
	int r = place_read(m, c, p, &item, &mtime_ns);

	if (r == PLACE_ABSENT) {
		return seen == NULL ? 0 : origin_stale(c);
	}
	return r != 0 || (seen != NULL && item_eq(seen, &item)) ? r : origin_stale(c);
}

void
origin_drop(struct file *f)
{
	if (f->origin != NULL) {
		call_close(&f->origin->keep);
		free(f->origin);
		f->origin = NULL;
	}
}
