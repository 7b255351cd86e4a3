/* hidden - see hidden.h; hidden_end.c has the thread that ends entries */
#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/core/timing.h"
#include "store/model/item.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/file/hidden_int.h"

/* ------------------------------------------------------------ entries */

/* The entry of the scratch file @backup; if that is NULL, of the name @stem below @dir. NULL: there is none. */
static struct hidden *
file_hidden_find(const struct hidden_list *l, const struct file *backup, const struct node *dir,
		 struct slice stem)
{
	assert(lock_held(&l->lock));
	struct hidden *h = l->first;

	while (h != NULL &&
	       !(backup != NULL ? h->backup == backup : h->dir == dir && slice_eq(h->stem, stem))) {
		h = h->next;
	}
	return h;
}

static bool
is_claimed(const struct hidden *h)
{
	return h != NULL && h->claimed;
}

static void
hidden_take_out(struct mount *m, struct hidden *gone)
{
	assert(lock_held(&m->hidden.lock));
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
	usage_end(&gone->usage);
	free(gone);
}

/* ------------------------------------------------------------ */

void
hidden_init(struct hidden_list *l)
{
	*l = (struct hidden_list){
		.delay_ms = timing_ms(TIMING_HIDDEN),
		.save_ms = timing_ms(TIMING_UNSAVED),
		.look_ns = THREAD_FOR_EVER,
	};
	(void)pthread_mutex_init(&l->lock, NULL);
	thread_cond_init(&l->changed);
}

void
hidden_free(struct hidden_list *l)
{
	(void)pthread_cond_destroy(&l->changed);
	(void)pthread_mutex_destroy(&l->lock);
}

void
hidden_add(struct mount *m, struct node *dir, struct slice stem, const struct place *p,
	   const struct item *item, struct file *backup, struct usage usage)
{
	struct hidden_list *l = &m->hidden;
	struct hidden *h = mem_new(struct hidden);

	call_open(&h->keep, 0, SIZE_MAX);
	inode_ref(&m->inodes, dir);
	h->dir = dir;
	h->backup = backup;
	h->due_ns = clock_steady_ns() + m->hidden.delay_ms * NS_PER_MS;
	h->stem = slice_copy(&h->keep.arena, stem);
	h->table = slice_copy(&h->keep.arena, p->table);
	h->key = item_copy(&h->keep.arena, &p->key);
	h->item = item_copy(&h->keep.arena, item);
	h->usage = usage;
	usage_set(&h->usage, sizeof(*h) + h->keep.arena.used);

	lock_scope(&l->lock);
	h->next = l->first;
	l->first = h;
	l->n++;
	/* If the thread cannot start, the item is deleted when the scratch file goes, or at unmount. */
	hidden_start(m);
	(void)pthread_cond_broadcast(&l->changed);
}

bool
hidden_is(struct mount *m, const struct node *dir, struct slice stem)
{
	if (!hidden_any(m)) {
		return false;
	}
	lock_scope(&m->hidden.lock);
	return file_hidden_find(&m->hidden, NULL, dir, stem) != NULL;
}

bool
hidden_is_backup(struct mount *m, const struct file *f)
{
	if (!hidden_any(m)) {
		return false;
	}
	lock_scope(&m->hidden.lock);
	return file_hidden_find(&m->hidden, f, NULL, SLICE("")) != NULL;
}

size_t
hidden_names(struct mount *m, struct arena *a, const struct node *dir, struct slice **out)
{
	size_t n = 0;

	*out = NULL;
	if (!hidden_any(m)) {
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
	if (!hidden_any(m)) {
		return;
	}
	lock_scope(&l->lock);
	for (;;) {
		*own = backup == NULL ? NULL : file_hidden_find(l, backup, NULL, SLICE(""));
		*target = dir == NULL ? NULL : file_hidden_find(l, NULL, dir, stem);
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
	assert(h->claimed);
	return &h->key;
}

const struct item *
hidden_item(const struct hidden *h)
{
	assert(h->claimed);
	return &h->item;
}

/* Make the thread look for unsaved texts in @ms. */
static void
look_later(struct hidden_list *l, uint64_t ms)
{
	assert(lock_held(&l->lock));
	uint64_t then = clock_steady_ns() + ms * NS_PER_MS;

	l->look_ns = l->look_ns <= then ? l->look_ns : then;
}

void
hidden_look(struct mount *m)
{
	lock_scope(&m->hidden.lock);
	look_later(&m->hidden, m->hidden.save_ms);
	hidden_start(m);
	(void)pthread_cond_broadcast(&m->hidden.changed);
}

void
hidden_let_go(struct mount *m, struct hidden *h, bool done)
{
	if (h == NULL) {
		return;
	}
	lock_scope(&m->hidden.lock);
	if (done) {
		/* The write that replaced it may have left the only copy of its text in memory. */
		if (h->backup != NULL && h->backup->unsaved) {
			look_later(&m->hidden, m->hidden.save_ms);
		}
		hidden_take_out(m, h);
	} else {
		h->claimed = false;
		(void)pthread_cond_broadcast(&m->hidden.changed);
	}
}

void
hidden_show(struct mount *m, const struct file *backup)
{
	struct hidden *h, *none;

	hidden_claim_both(m, backup, NULL, SLICE(""), &h, &none);
	hidden_let_go(m, h, true);
}

void
hidden_wake(struct mount *m)
{
	if (hidden_any(m)) {
		lock_scope(&m->hidden.lock);
		(void)pthread_cond_broadcast(&m->hidden.changed);
	}
}
