/* hidden_end - see hidden.h */
#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/system/say.h"
#include "store/engine/engine.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/hidden_int.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/place/place.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"

enum { AGAIN_MS = 60 * 1000 }; /* pause after a text could not be saved */

/* ------------------------------------------------------------ the delete */

/* Return: whether a new file of its name has a writer. Then the item is not deleted until that writer has ended. */
static bool
hidden_has_writer(struct mount *m, const struct hidden *h)
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

	if (place_of(m, c, h->dir, &p) == 0) {
		place_emptied(m, c, h->dir, &p, m->uid);
	}
	c->error = (struct error){0};
	(void)fuse_lowlevel_notify_inval_inode(m->session, node_id(m, h->dir), -1, 0);
}

/* Delete the item of a claimed entry. A newer item of another front end stays: -ERR_CONDITION. */
static int
hidden_remove_item(struct mount *m, struct call *c, const struct hidden *h)
{
	struct delete_item_in in = {.write = {.table = h->table,
					      .item = h->key,
					      .seen.item = &h->item,
					      .unsynced = true}};
	struct delete_item_out out;

	int r = unchanged_look(m, c, h->table, &h->key, &h->item);

	if (r != 0) {
		return r;
	}
	unchanged_demand(m, &c->arena, DEMAND(&in.write));
	r = engine_delete_item(m->engine, c, &in, &out);
	place_wrote(m);
	return r;
}

/* Delete a claimed entry's item, and remove the entry. After an error the entry is still claimed. */
static int
hidden_try_to_finish(struct mount *m, struct call *c, struct hidden *h)
{
	int r = hidden_remove_item(m, c, h);

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

/* Likewise, but after an error show the item again. */
static void
hidden_finish(struct mount *m, struct call *c, struct hidden *h)
{
	int r = hidden_try_to_finish(m, c, h);

	if (r != 0) {
		request_note(m, c, h->usage.account->uid, r, h->dir);
		c->error = (struct error){0};
		hidden_let_go(m, h, true);
		hub_epoch_of(m);
	}
}

/* The next step towards the end of an entry; none if both members are NULL. */
struct hidden_step {
	struct file *save;     /* save the text of this file; one reference */
	struct hidden *finish; /* then end this entry, which is claimed */
};

/* The next step of an entry that is not claimed. The entry keeps its scratch file alive. */
static struct hidden_step
hidden_step_of(struct mount *m, struct hidden *h)
{
	assert(lock_held(&m->hidden.lock) && !h->claimed);
	if (h->backup != NULL && h->backup->unsaved) {
		return (struct hidden_step){.save = file_hold(m, h->backup)};
	}
	h->claimed = true;
	return (struct hidden_step){.finish = h};
}

/* The next step of an entry that is due; @next_ns: when the next one is due. */
static struct hidden_step
hidden_step_due(struct mount *m, uint64_t now, uint64_t *next_ns)
{
	assert(lock_held(&m->hidden.lock));
	*next_ns = THREAD_FOR_EVER;
	for (struct hidden *h = m->hidden.first; h != NULL; h = h->next) {
		if (h->claimed || (h->due_ns <= now && hidden_has_writer(m, h))) {
			continue; /* hidden_let_go() or, for a writer, hidden_wake() wakes this thread */
		}
		if (h->due_ns <= now) {
			return hidden_step_of(m, h);
		}
		*next_ns = h->due_ns < *next_ns ? h->due_ns : *next_ns;
	}
	uint64_t later;
	struct file *f = m->hidden.look_ns <= now ? file_unsaved(m, now, &later) : NULL;

	if (m->hidden.look_ns <= now && f == NULL) {
		m->hidden.look_ns = later;
	}
	*next_ns = m->hidden.look_ns < *next_ns ? m->hidden.look_ns : *next_ns;
	return (struct hidden_step){.save = f};
}

/*
 * Make a text durable. Its entry is not claimed yet, because a thread that claims one may hold the file's lock. If this
 * fails, the item is shown again.
 */
static void
hidden_save(struct mount *m, struct call *c, struct file *f)
{
	int r = scratch_save(m, c, f, false);

	if (r != 0) {
		f->save_ns = clock_steady_ns() + AGAIN_MS * NS_PER_MS;
		request_note(m, c, scratch_uid(m, f), r, f->node);
		say("%.*s: %s; if it was an item, the item is shown again",
		    SLICE_ARG(request_path(m, &c->arena, f->node, NULL)), c->error.message);
		c->error = (struct error){0};
		hidden_show(m, f);
		hub_epoch_of(m);
		hidden_look(m);
	}
	file_put(m, f);
}

static void
hidden_take_step(struct mount *m, struct call *c, struct hidden_step s)
{
	if (s.save != NULL) {
		hidden_save(m, c, s.save);
	} else {
		hidden_finish(m, c, s.finish);
	}
}

static void
hidden_step_alone(struct mount *m, struct hidden_step s)
{
	struct call c;

	mount_call_open(m, &c);
	hidden_take_step(m, &c, s);
	call_close(&c);
}

static void *
hidden_run(void *arg)
{
	struct mount *m = arg;
	struct hidden_list *l = &m->hidden;

	(void)pthread_mutex_lock(&l->lock);
	while (!l->ending) {
		uint64_t next_ns;
		struct hidden_step s = hidden_step_due(m, clock_steady_ns(), &next_ns);

		if (s.save == NULL && s.finish == NULL) {
			(void)thread_cond_until(&l->changed, &l->lock, next_ns);
			continue;
		}
		(void)pthread_mutex_unlock(&l->lock);
		hidden_step_alone(m, s);
		(void)pthread_mutex_lock(&l->lock);
	}
	(void)pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* ------------------------------------------------------------ */

void
hidden_start(struct mount *m)
{
	assert(lock_held(&m->hidden.lock));
	struct hidden_list *l = &m->hidden;

	if (!l->running) {
		l->running = thread_start(&l->thread, hidden_run, m) == 0;
	}
}

void
hidden_stop(struct mount *m)
{
	struct hidden_list *l = &m->hidden;

	if (l->running) {
		(void)pthread_mutex_lock(&l->lock);
		l->ending = true;
		(void)pthread_cond_broadcast(&l->changed);
		(void)pthread_mutex_unlock(&l->lock);
		(void)pthread_join(l->thread, NULL);
	}
}

void
hidden_end(struct mount *m)
{
	struct hidden_list *l = &m->hidden;

	/*
	 * The texts of all scratch files were kept before, and the files are gone. No other thread is left, so nothing
	 * is claimed.
	 */
	while (l->first != NULL) {
		l->first->backup = NULL;
		hidden_step_alone(m, (struct hidden_step){.finish = l->first});
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
	/* While a new file has a writer, the item stays: the text replaces it, or the thread deletes it afterwards. */
	if (!hidden_has_writer(m, h)) {
		r = hidden_try_to_finish(m, c, h);
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

/* The next step of an entry below @dir that is not being written. */
static struct hidden_step
hidden_step_below(struct mount *m, const struct node *dir)
{
	struct hidden_list *l = &m->hidden;
	lock_scope(&l->lock);
	struct hidden *h = l->first;

	while (h != NULL) {
		if (h->dir != dir || (!h->claimed && hidden_has_writer(m, h))) {
			h = h->next;
		} else if (!h->claimed) {
			return hidden_step_of(m, h);
		} else {
			(void)pthread_cond_wait(&l->changed, &l->lock);
			h = l->first;
		}
	}
	return (struct hidden_step){0};
}

void
hidden_settle(struct mount *m, struct call *c, const struct node *dir)
{
	struct hidden_step s = hidden_step_below(m, dir);

	while (s.save != NULL || s.finish != NULL) {
		hidden_take_step(m, c, s);
		s = hidden_step_below(m, dir);
	}
}
