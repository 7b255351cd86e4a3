/* diff - see diff.h */
#include "tools/load/diff.h"

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/write/pending_items.h"
#include "tools/write/spill.h"

void
diff_begin(struct diff *d)
{
	memset(d->side, 0, sizeof(d->side));
	d->spill = (struct spill){.key = d->key};
	d->ended[0] = d->ended[1] = d->stop = false;
	d->equal = 0;
	buf_init(&d->bytes, NULL);
}

void
diff_release(struct diff *d)
{
	pending_items_release(&d->side[0]);
	pending_items_release(&d->side[1]);
	spill_release(&d->spill);
	buf_release(&d->bytes);
}

bool
diff_is_ignored(const struct diff *d, struct slice name)
{
	for (size_t i = 0; i < d->n_ignored; i++) {
		if (slice_eq(d->ignored[i], name)) {
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ one item */

/* Return true if @b has all attributes of @a that are not ignored, with equal values. */
static bool
diff_holds(const struct diff *d, const struct item *a, const struct item *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct attr *attr = &a->at[i];
		bool here = i < b->n && slice_eq(b->at[i].name, attr->name);
		const struct value *v = here ? &b->at[i].value : item_get(b, attr->name);

		if ((v == NULL || !value_eq(&attr->value, v)) && !diff_is_ignored(d, attr->name)) {
			return false;
		}
	}
	return true;
}

static void
diff_tell(struct diff *d, enum diff_kind kind, const struct item *old, const struct item *updated)
{
	d->stop = d->stop || !d->told(d->arg, kind, old, updated);
}

/* @a: from @side; @b: from the other side */
static void
diff_compare(struct diff *d, unsigned side, const struct item *a, const struct item *b)
{
	if (diff_holds(d, a, b) && diff_holds(d, b, a)) {
		d->equal++;
	} else {
		diff_tell(d, DIFF_CHANGED, side == 0 ? a : b, side == 0 ? b : a);
	}
}

static void
diff_tell_alone(struct diff *d, unsigned side, const struct item *it)
{
	diff_tell(d, side == 0 ? DIFF_REMOVED : DIFF_ADDED, side == 0 ? it : NULL,
		  side == 0 ? NULL : it);
}

/* Report the items of @side that wait and are older than @until (NULL: all): the other side does not have them. */
static void
diff_flush(struct diff *d, unsigned side, const struct pending_entry *until)
{
	struct pending *p = &d->side[side];

	while (p->oldest != until && !d->stop) {
		diff_tell_alone(d, side, &p->oldest->item);
		pending_items_drop(p, p->oldest);
	}
}

/* The key of @e has now come from both sides: report older items, if both sides have one order. */
static void
diff_anchor(struct diff *d, unsigned side, const struct pending_entry *e)
{
	if (d->ordered) {
		diff_flush(d, 0, side == 0 ? NULL : e);
		diff_flush(d, 1, side == 0 ? e : NULL);
	}
}

/* Return: 0, or 1: the other side's item was in the temporary store, and the caller removes it; errors of the store */
static int
diff_item(struct diff *d, struct call *c, unsigned side, const struct item *it)
{
	struct item other;

	pending_items_key(&d->bytes, d->key, it);
	struct pending_entry *e = pending_items_find(&d->side[1 - side], buf_view(&d->bytes));

	if (e != NULL) {
		diff_anchor(d, side, e);
		if (!d->stop) {
			diff_compare(d, side, it, &e->item);
			pending_items_drop(&d->side[1 - side], e);
		}
		return 0;
	}
	int r = spill_find(&d->spill, c, 1 - side, it, &other);

	if (r == 0) {
		diff_compare(d, side, it, &other);
		return 1;
	}
	if (r > 0 && d->ended[1 - side]) {
		diff_tell_alone(d, side, it);
	} else if (r > 0) {
		pending_items_add(&d->side[side], buf_view(&d->bytes), it);
	}
	return r < 0 ? r : 0;
}

/* ------------------------------------------------------------ pages */

unsigned
diff_next(const struct diff *d)
{
	if (d->stop || (d->ended[0] && d->ended[1])) {
		return 2;
	}
	if (d->ended[0] || d->ended[1]) {
		return d->ended[0] ? 1 : 0;
	}
	return d->side[1].n < d->side[0].n ? 1 : 0; /* the side with fewer items that wait */
}

int
diff_page(struct diff *d, struct call *c, unsigned side, const struct item *items, size_t n)
{
	assert(side < 2 && !d->ended[side]);
	struct item *found = arena_new(&c->arena, struct item, n + 1);
	size_t n_found = 0;
	int r = 0;

	for (size_t i = 0; i < n && r >= 0 && !d->stop; i++) {
		call_scope(own, c->now_ms);
		r = diff_item(d, &own, side, &items[i]);
		if (r == 1) {
			found[n_found++] = spill_key(&c->arena, d->key, &items[i]);
		} else if (r < 0) {
			r = ctl_adopt(c, &own);
		}
	}
	r = r < 0 ? r : spill_drop(&d->spill, c, 1 - side, found, n_found);
	pending_items_full(&d->side[side]);
	if (r == 0 && d->side[0].bytes + d->side[1].bytes > d->in_memory) {
		r = spill_put(&d->spill, c, 0, &d->side[0]);
		r = r < 0 ? r : spill_put(&d->spill, c, 1, &d->side[1]);
	}
	return r;
}

void
diff_end(struct diff *d, unsigned side)
{
	assert(side < 2 && !d->ended[side]);
	d->ended[side] = true;
	diff_flush(d, 1 - side, NULL);
}

/* Report the items of @side that are left in the temporary store. */
static int
diff_left(struct diff *d, struct call *c, unsigned side)
{
	struct scan_in in = {.read = {.table = spill_table(side)}};

	while (d->spill.n[side] > 0 && !d->stop) {
		struct scan_out page = {0};

		call_scope(own, c->now_ms);
		if (engine_scan(d->spill.engine, &own, &in, &page) < 0) {
			return ctl_adopt(c, &own);
		}
		for (size_t i = 0; i < page.page.count && !d->stop; i++) {
			diff_tell_alone(d, side, &page.page.items[i]);
		}
		if (page.page.last.n == 0) {
			break;
		}
		in.read.start = item_copy(&c->arena, &page.page.last);
	}
	return 0;
}

int
diff_finish(struct diff *d, struct call *c)
{
	int r = 0;

	assert(d->stop || (d->ended[0] && d->ended[1]));
	for (unsigned side = 0; side < 2 && r == 0; side++) {
		diff_flush(d, side, NULL);
		r = diff_left(d, c, side);
	}
	return r;
}
