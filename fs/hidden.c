/* hidden - the entries, and the thread that ends them in time */
#include "fs/hidden.h"

#include <stdlib.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/mem.h"
#include "store/base/thread.h"

#include "fs/request.h"
#include "fs/unchanged.h"

struct hidden {
	struct hidden *next;
	struct node *dir;          /* one ref */
	const struct file *backup; /* NULL: its name is gone; only compared */
	uint64_t due_ns;           /* steady */
	bool claimed;
	struct call keep; /* memory of what follows */
	struct slice stem;
	struct slice table;
	struct item key;
	struct item item;
};

/* ------------------------------------------------------------ entries; the lock is held */

static struct hidden *
find(const struct hidden_list *l, const struct node *dir, struct slice stem)
{
	for (struct hidden *h = l->first; h != NULL; h = h->next) {
		if (h->dir == dir && slice_eq(h->stem, stem)) {
			return h;
		}
	}
	return NULL;
}

static struct hidden *
find_backup(const struct hidden_list *l, const struct file *f)
{
	for (struct hidden *h = l->first; h != NULL; h = h->next) {
		if (h->backup == f) {
			return h;
		}
	}
	return NULL;
}

static bool
is_claimed(const struct hidden *h)
{
	return h != NULL && h->claimed;
}

static void
take_out(struct mount *m, struct hidden *gone)
{
	struct hidden_list *l = &m->hidden;
	struct hidden **at = &l->first;

	while (*at != gone) {
		at = &(*at)->next;
	}
	*at = gone->next;
	l->n--;
	(void)pthread_cond_broadcast(&l->changed);
	inode_unref(&m->inodes, gone->dir);
	call_close(&gone->keep);
	free(gone);
}

/* ------------------------------------------------------------ the delete */

/* Is its name being written? Then what comes of that is waited for. */
static bool
has_writer(struct mount *m, const struct hidden *h)
{
	struct node *n = inode_find(&m->inodes, h->dir, h->stem);
	struct file *f = n == NULL ? NULL : file_get(m, n);
	bool writing = f != NULL && file_writers(m, f) > 0;

	file_put(m, f);
	inode_unref(&m->inodes, n);
	return writing;
}

void
hidden_removed(struct mount *m, struct call *c, const struct hidden *h)
{
	struct place p;

	if (place_of(m, c, h->dir, &p) == 0 && p.role == ROLE_PARTITION &&
	    place_has_items(m, c, &p) == 0) {
		(void)pending_add(m, h->dir);
	}
	c->error = (struct error){0};
	(void)fuse_lowlevel_notify_inval_inode(m->session, node_id(m, h->dir), -1, 0);
}

/* Nobody but its claimer touches @h.  Another door's newer item stays: -ERR_CONDITION. */
static int
remove_item(struct mount *m, struct call *c, const struct hidden *h)
{
	struct delete_item_in in = {
		.write = {
			.table = h->table, .item = h->key, .seen.item = &h->item, .relaxed = true}};
	struct delete_item_out out;

	int r = unchanged_look(m, c, h->table, &h->key, &h->item);

	if (r != 0) {
		return r;
	}
	unchanged_demand(m, &c->arena, &in.write.seen, &in.write.condition, &in.write.ph);
	return engine_delete_item(m->engine, c, &in, &out);
}

/* Delete a claimed entry's item, and forget it; if that fails, it is claimed still. */
static int
try_to_finish(struct mount *m, struct call *c, struct hidden *h)
{
	int r = remove_item(m, c, h);

	if (r == 0) {
		hidden_removed(m, c, h);
	} else if (r != -ERR_CONDITION) {
		return r;
	}
	c->error = (struct error){0};
	hidden_let_go(m, h, true);
	if (r == 0) {
		hub_epoch(m->hub, m);
	} else {
		hub_epoch_of(m);
	}
	return 0;
}

/* The same; if that fails, the item is shown again. */
static void
finish(struct mount *m, struct call *c, struct hidden *h)
{
	int r = try_to_finish(m, c, h);

	if (r != 0) {
		request_note(m, c, m->uid, r, h->dir);
		c->error = (struct error){0};
		hidden_let_go(m, h, true);
		hub_epoch_of(m);
	}
}

/* An entry that is due, claimed; *next_ns: when the next one is */
static struct hidden *
claim_due(struct mount *m, uint64_t now, uint64_t *next_ns)
{
	*next_ns = THREAD_FOR_EVER;
	for (struct hidden *h = m->hidden.first; h != NULL; h = h->next) {
		if (h->claimed || (h->due_ns <= now && has_writer(m, h))) {
			continue; /* hidden_wake() is called when that ends */
		}
		if (h->due_ns <= now) {
			h->claimed = true;
			return h;
		}
		*next_ns = h->due_ns < *next_ns ? h->due_ns : *next_ns;
	}
	return NULL;
}

static void
finish_alone(struct mount *m, struct hidden *h)
{
	struct call c;

	mount_call_open(m, &c);
	finish(m, &c, h);
	call_close(&c);
}

static void *
run(void *arg)
{
	struct mount *m = arg;
	struct hidden_list *l = &m->hidden;

	(void)pthread_mutex_lock(&l->lock);
	while (!l->ending) {
		uint64_t next_ns;
		struct hidden *h = claim_due(m, clock_steady_ns(), &next_ns);

		if (h == NULL) {
			(void)thread_cond_until(&l->changed, &l->lock, next_ns);
			continue;
		}
		(void)pthread_mutex_unlock(&l->lock);
		finish_alone(m, h);
		(void)pthread_mutex_lock(&l->lock);
	}
	(void)pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* ------------------------------------------------------------ */

void
hidden_init(struct hidden_list *l)
{
	*l = (struct hidden_list){.first = NULL};
	(void)pthread_mutex_init(&l->lock, NULL);
	thread_cond_init(&l->changed);
}

void
hidden_end(struct mount *m)
{
	struct hidden_list *l = &m->hidden;

	if (l->running) {
		(void)pthread_mutex_lock(&l->lock);
		l->ending = true;
		(void)pthread_cond_broadcast(&l->changed);
		(void)pthread_mutex_unlock(&l->lock);
		(void)pthread_join(l->thread, NULL);
	}
	while (l->first != NULL) {
		finish_alone(m, l->first);
	}
}

void
hidden_free(struct hidden_list *l)
{
	(void)pthread_cond_destroy(&l->changed);
	(void)pthread_mutex_destroy(&l->lock);
}

void
hidden_add(struct mount *m, struct node *dir, struct slice stem, const struct place *p,
	   const struct item *item, const struct file *backup)
{
	struct hidden_list *l = &m->hidden;
	struct hidden *h = mem_new(struct hidden);

	call_open(&h->keep, 0, SIZE_MAX);
	inode_ref(&m->inodes, dir);
	h->dir = dir;
	h->backup = backup;
	h->due_ns = clock_steady_ns() + HIDDEN_MS * NS_PER_MS;
	h->stem = slice_copy(&h->keep.arena, stem);
	h->table = slice_copy(&h->keep.arena, p->table);
	h->key = item_copy(&h->keep.arena, &p->key);
	h->item = item_copy(&h->keep.arena, item);

	lock_scope(&l->lock);
	h->next = l->first;
	l->first = h;
	l->n++;
	/* Without the thread it is deleted when the scratch file goes, and at unmount. */
	if (!l->running) {
		l->running = thread_start(&l->thread, run, m) == 0;
	}
	(void)pthread_cond_broadcast(&l->changed);
}

bool
hidden_is(struct mount *m, const struct node *dir, struct slice stem)
{
	/* Asked for every name: nearly always there is none. */
	if (m->hidden.n == 0) {
		return false;
	}
	lock_scope(&m->hidden.lock);
	return find(&m->hidden, dir, stem) != NULL;
}

size_t
hidden_names(struct mount *m, struct arena *a, const struct node *dir, struct slice **out)
{
	size_t n = 0;

	*out = NULL;
	if (m->hidden.n == 0) {
		return 0;
	}
	lock_scope(&m->hidden.lock);
	*out = arena_new(a, struct slice, m->hidden.n);
	for (const struct hidden *h = m->hidden.first; h != NULL; h = h->next) {
		if (h->dir == dir) {
			(*out)[n++] = slice_copy(a, h->stem);
		}
	}
	return n;
}

void
hidden_claim_both(struct mount *m, const struct file *backup, const struct node *dir,
		  struct slice stem, struct hidden **own, struct hidden **target)
{
	struct hidden_list *l = &m->hidden;

	*own = NULL;
	*target = NULL;
	if (l->n == 0) {
		return;
	}
	lock_scope(&l->lock);
	for (;;) {
		*own = backup == NULL ? NULL : find_backup(l, backup);
		*target = dir == NULL ? NULL : find(l, dir, stem);
		if (!is_claimed(*own) && !is_claimed(*target)) {
			break;
		}
		(void)pthread_cond_wait(&l->changed, &l->lock);
	}
	if (*own != NULL) {
		(*own)->claimed = true;
	}
	if (*target != NULL) {
		(*target)->claimed = true;
	}
}

struct hidden *
hidden_claim(struct mount *m, const struct node *dir, struct slice stem)
{
	struct hidden *none, *h;

	hidden_claim_both(m, NULL, dir, stem, &none, &h);
	return h;
}

const struct item *
hidden_key(const struct hidden *h)
{
	return &h->key;
}

const struct item *
hidden_item(const struct hidden *h)
{
	return &h->item;
}

void
hidden_let_go(struct mount *m, struct hidden *h, bool done)
{
	if (h == NULL) {
		return;
	}
	lock_scope(&m->hidden.lock);
	if (done) {
		take_out(m, h);
	} else {
		h->claimed = false;
		(void)pthread_cond_broadcast(&m->hidden.changed);
	}
}

int
hidden_release(struct mount *m, struct call *c, const struct file *backup)
{
	struct hidden *h, *none;
	int r = 0;

	hidden_claim_both(m, backup, NULL, SLICE(""), &h, &none);
	if (h == NULL) {
		return 0;
	}
	/* While its name is being written, what comes of that decides. */
	if (!has_writer(m, h)) {
		r = try_to_finish(m, c, h);
		if (r != 0) {
			hidden_let_go(m, h, false);
		}
		return r;
	}
	{
		lock_scope(&m->hidden.lock);
		h->backup = NULL;
		h->due_ns = 0;
	}
	hidden_let_go(m, h, false);
	return 0;
}

void
hidden_show(struct mount *m, const struct file *backup)
{
	struct hidden *h, *none;

	hidden_claim_both(m, backup, NULL, SLICE(""), &h, &none);
	hidden_let_go(m, h, true);
}

/* An entry below @dir that is not being written, claimed. */
static struct hidden *
claim_below(struct mount *m, const struct node *dir)
{
	struct hidden_list *l = &m->hidden;
	lock_scope(&l->lock);
	struct hidden *h = l->first;

	while (h != NULL) {
		if (h->dir != dir || (!h->claimed && has_writer(m, h))) {
			h = h->next;
		} else if (!h->claimed) {
			h->claimed = true;
			return h;
		} else {
			(void)pthread_cond_wait(&l->changed, &l->lock);
			h = l->first;
		}
	}
	return NULL;
}

void
hidden_settle(struct mount *m, struct call *c, const struct node *dir)
{
	struct hidden *h;

	while (m->hidden.n > 0 && (h = claim_below(m, dir)) != NULL) {
		finish(m, c, h);
	}
}

void
hidden_wake(struct mount *m)
{
	if (m->hidden.n > 0) {
		lock_scope(&m->hidden.lock);
		(void)pthread_cond_broadcast(&m->hidden.changed);
	}
}
