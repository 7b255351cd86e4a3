/* times - see times.h; a hash table of inode numbers with linear probing */
#include "fs/core/times.h"

enum { SLOTS_MIN = 64 };

void
times_init(struct times *t)
{
	*t = (struct times){.slots = NULL};
	(void)pthread_mutex_init(&t->lock, NULL);
}

void
times_release(struct times *t)
{
	free(t->slots);
	(void)pthread_mutex_destroy(&t->lock);
}

/* ------------------------------------------------------------ slots */

/* The slot of @ino, or the free slot where it belongs. */
static struct times_entry *
times_slot(const struct times *t, uint64_t ino)
{
	assert(t->n_slots > 0);
	size_t mask = t->n_slots - 1;
	size_t i = (size_t)(ino * 0x9e3779b97f4a7c15 >> 32) & mask;

	while (t->slots[i].ino != 0 && t->slots[i].ino != ino) {
		i = (i + 1) & mask;
	}
	return &t->slots[i];
}

/* Move the entries that changed after @after_ns to a table of @n_slots. */
static void
times_rebuild(struct times *t, size_t n_slots, uint64_t after_ns)
{
	struct times_entry *old = t->slots;
	size_t n_old = t->n_slots;

	t->slots = mem_array(struct times_entry, n_slots);
	t->n_slots = n_slots;
	size_t n = 0;

	for (size_t i = 0; i < n_old; i++) {
		if (old[i].ino != 0 && old[i].ctime_ns > after_ns) {
			*times_slot(t, old[i].ino) = old[i];
			n++;
		}
	}
	t->n = n; /* assigned once, because other threads read it without the lock */
	free(old);
}

static int
times_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The time before which half of the entries changed. */
static uint64_t
times_median(const struct times *t)
{
	assert(t->n > 0);
	uint64_t *all = mem_array(uint64_t, t->n);
	size_t n = 0;

	for (size_t i = 0; i < t->n_slots; i++) {
		if (t->slots[i].ino != 0) {
			all[n++] = t->slots[i].ctime_ns;
		}
	}
	qsort(all, n, sizeof(*all), times_compare);
	uint64_t median = all[n / 2];

	free(all);
	return median;
}

static void
times_bound(struct times *t, uint64_t ns)
{
	if (ns > t->bound_ns) {
		t->bound_ns = ns;
	}
}

static void
times_make_room(struct times *t)
{
	assert(lock_held(&t->lock));
	if (t->n == TIMES_MAX) {
		uint64_t median = times_median(t);

		times_bound(t, median);
		times_rebuild(t, t->n_slots, median);
	} else if (2 * t->n >= t->n_slots) {
		times_rebuild(t, t->n_slots == 0 ? SLOTS_MIN : 2 * t->n_slots, 0);
	}
}

static void
times_put(struct times *t, const struct times_entry *e)
{
	times_make_room(t);
	struct times_entry *slot = times_slot(t, e->ino);

	t->n += slot->ino == 0;
	*slot = *e;
}

/* ------------------------------------------------------------ */

void
times_raise(struct times *t, uint64_t now_ns)
{
	lock_scope(&t->lock);
	times_bound(t, now_ns);
}

void
times_touch(struct times *t, uint64_t ino, uint64_t now_ns)
{
	lock_scope(&t->lock);
	times_put(t, &(struct times_entry){ino, now_ns, now_ns, now_ns});
}

/* The times of an object without an entry. */
static struct times_entry
times_without(const struct times *t, uint64_t ino, uint64_t since_ns)
{
	uint64_t since = since_ns > t->bound_ns ? since_ns : t->bound_ns;

	return (struct times_entry){ino, since, since, since};
}

static bool
times_known(const struct times *t, uint64_t ino, uint64_t since_ns, struct times_entry *out)
{
	assert(lock_held(&t->lock));
	const struct times_entry *slot = t->n == 0 ? NULL : times_slot(t, ino);

	*out = times_without(t, ino, since_ns);
	if (slot == NULL || slot->ino == 0 || slot->ctime_ns < out->ctime_ns) {
		return false;
	}
	*out = *slot;
	return true;
}

void
times_set(struct times *t, const struct times_entry *e, uint64_t since_ns)
{
	struct times_entry entry;
	lock_scope(&t->lock);

	(void)times_known(t, e->ino, since_ns, &entry);
	entry.ctime_ns = e->ctime_ns;
	entry.atime_ns = e->atime_ns != 0 ? e->atime_ns : entry.atime_ns;
	entry.mtime_ns = e->mtime_ns != 0 ? e->mtime_ns : entry.mtime_ns;
	times_put(t, &entry);
}

/* Called for each entry of a listing; the table is often empty. */
bool
times_get(struct times *t, uint64_t ino, uint64_t since_ns, struct times_entry *out)
{
	if (t->n == 0) {
		*out = times_without(t, ino, since_ns);
		return false;
	}
	lock_scope(&t->lock);
	return times_known(t, ino, since_ns, out);
}

/* ------------------------------------------------------------ files that are created or renamed */

/* Clear the times of @ino. An entry without times is removed with the oldest ones. */
static void
times_clear(struct times *t, uint64_t ino)
{
	assert(lock_held(&t->lock));
	struct times_entry *slot = times_slot(t, ino);

	if (slot->ino != 0) {
		*slot = (struct times_entry){.ino = ino};
	}
}

/* Remove and return the times of @ino, which are 0 when it had none. */
static struct times_entry
times_take(struct times *t, uint64_t ino)
{
	struct times_entry e = *times_slot(t, ino);

	times_clear(t, ino);
	return e;
}

/* Set the times of @ino to @e. */
static void
times_give(struct times *t, struct times_entry e, uint64_t ino)
{
	if (e.ctime_ns == 0) {
		times_clear(t, ino);
		return;
	}
	e.ino = ino;
	times_put(t, &e);
}

void
times_forget(struct times *t, uint64_t ino)
{
	if (t->n > 0) {
		lock_scope(&t->lock);
		times_clear(t, ino);
	}
}

void
times_move(struct times *t, uint64_t ino, uint64_t to)
{
	if (t->n > 0 && ino != to) {
		lock_scope(&t->lock);
		times_give(t, times_take(t, ino), to);
	}
}

void
times_exchange(struct times *t, uint64_t a, uint64_t b)
{
	if (t->n > 0 && a != b) {
		lock_scope(&t->lock);
		struct times_entry of_a = times_take(t, a), of_b = times_take(t, b);

		times_give(t, of_a, b);
		times_give(t, of_b, a);
	}
}

uint64_t
times_newest(struct times *t, uint64_t ino)
{
	if (t->n == 0) {
		return 0;
	}
	lock_scope(&t->lock);
	/* The times of a free slot are 0. */
	return times_slot(t, ino)->ctime_ns;
}
