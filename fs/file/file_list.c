/* file_list - see file_list.h */
#include "fs/file/file_list.h"

#include "store/base/core/thread.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/file/buffer.h"
#include "fs/file/commit.h"
#include "fs/file/handle.h"
#include "fs/file/origin.h"
#include "fs/file/scratch.h"

/* ------------------------------------------------------------ with files_lock */

struct file *
file_list_add(struct mount *m, struct node *n)
{
	assert(lock_held(&m->files_lock));
	struct file *f = mem_new(struct file);

	(void)pthread_mutex_init(&f->lock, NULL);
	buffer_init(&f->buffer);
	f->node = n;
	inode_ref(&m->inodes, n);
	f->next = m->files;
	f->link = &m->files;
	if (f->next != NULL) {
		f->next->link = &f->next;
	}
	m->files = f;
	f->older = n->file;
	n->file = f;
	return f;
}

struct file *
file_list_make(struct mount *m, struct node *n)
{
	assert(lock_held(&m->files_lock));
	return n->file != NULL ? n->file : file_list_add(m, n);
}

static void
file_list_take_out(struct file *f)
{
	struct file **at = &f->node->file;

	while (*at != f) {
		at = &(*at)->older;
	}
	*at = f->older;
}

static void
file_list_unlink(struct file *f)
{
	*f->link = f->next;
	if (f->next != NULL) {
		f->next->link = f->link;
	}
	file_list_take_out(f);
}

static void
file_list_lead(struct file *f)
{
	file_list_take_out(f);
	f->older = f->node->file;
	f->node->file = f;
}

/* Only an item's file can be replaced: scratch files and removed ones stay. */
void
file_list_lead_on(struct file *ended)
{
	struct file *f = ended->older;

	if (ended != ended->node->file || ended->scratch != NULL || ended->gone) {
		return;
	}
	while (f != NULL && (f->writers == 0 || f->kept)) {
		f = f->older;
	}
	if (f != NULL) {
		file_list_lead(f);
	}
}

void
file_list_settle(struct mount *m, struct file *f)
{
	assert(lock_held(&m->files_lock));
	bool is_shown = f == f->node->file && f->node->opens > 0;

	if (f->refs > 0 || f->handles > 0 || is_shown) {
		return;
	}
	file_list_unlink(f);
	hub_unreserve(m->hub, f->reserved);
	origin_drop(f);
	scratch_free(m, f);
	commit_forget(f);
	buffer_release(&f->buffer);
	free(f->kept_at);
	(void)pthread_mutex_destroy(&f->lock);
	inode_unref(&m->inodes, f->node);
	free(f);
}

/* ------------------------------------------------------------ references */

struct file *
file_get(struct mount *m, struct node *n)
{
	lock_scope(&m->files_lock);
	if (n->file != NULL) {
		n->file->refs++;
	}
	return n->file;
}

struct file *
file_of(struct mount *m, const struct handle *h)
{
	lock_scope(&m->files_lock);
	struct file *f = h->file != NULL ? h->file : h->node->file;

	if (f != NULL) {
		f->refs++;
	}
	return f;
}

void
file_lead(struct mount *m, struct file *f)
{
	lock_scope(&m->files_lock);
	file_list_lead(f);
}

void
file_lead_on(struct mount *m, struct file *refused)
{
	lock_scope(&m->files_lock);
	file_list_lead_on(refused);
}

size_t
file_of_node(struct mount *m, struct arena *a, const struct node *n, struct file ***out)
{
	lock_scope(&m->files_lock);
	size_t count = 0, cap = 0;

	*out = NULL;
	for (struct file *f = n->file; f != NULL; f = f->older) {
		*out = arena_room_of(a, *out, sizeof(struct file *), count, &cap);
		f->refs++;
		(*out)[count++] = f;
	}
	return count;
}

bool
file_is_alone(struct mount *m, const struct file *f)
{
	lock_scope(&m->files_lock);
	const struct file *g = f->node->file;

	while (g != NULL && (g == f || g->writers == 0)) {
		g = g->older;
	}
	return g == NULL;
}

void
file_committed(struct mount *m, const struct file *f)
{
	lock_scope(&m->files_lock);
	for (struct file *g = f->node->file; g != NULL; g = g->older) {
		if (g != f) {
			g->created = false;
			g->stale = true;
		}
	}
}

struct file *
file_make(struct mount *m, struct node *n)
{
	lock_scope(&m->files_lock);
	struct file *f = file_list_make(m, n);

	f->refs++;
	return f;
}

struct file *
file_hold(struct mount *m, struct file *f)
{
	lock_scope(&m->files_lock);
	assert(f->refs > 0 || f->handles > 0 || f->node->opens > 0);
	f->refs++;
	return f;
}

void
file_put(struct mount *m, struct file *f)
{
	if (f == NULL) {
		return;
	}
	lock_scope(&m->files_lock);
	assert(f->refs > 0);
	f->refs--;
	file_list_settle(m, f);
}

struct file *
file_unsaved(struct mount *m, uint64_t now_ns, uint64_t *next_ns)
{
	lock_scope(&m->files_lock);
	*next_ns = THREAD_FOR_EVER;
	for (struct file *f = m->files; f != NULL; f = f->next) {
		uint64_t then = f->unsaved ? f->save_ns : THREAD_FOR_EVER;

		if (f->unsaved && then <= now_ns) {
			f->refs++;
			return f;
		}
		*next_ns = then < *next_ns ? then : *next_ns;
	}
	return NULL;
}

bool
file_is_open(struct mount *m, const struct node *n)
{
	lock_scope(&m->files_lock);
	return n->opens > 0;
}

unsigned
file_writers(struct mount *m, const struct file *f)
{
	lock_scope(&m->files_lock);
	return f->writers;
}

bool
file_any(struct mount *m)
{
	lock_scope(&m->files_lock);
	return m->files != NULL;
}

void
file_mark_stale(struct mount *m, struct node *n)
{
	lock_scope(&m->files_lock);
	for (struct file *f = n->file; f != NULL; f = f->older) {
		f->stale = true;
	}
}

size_t
file_all(struct mount *m, struct arena *a, struct file ***out)
{
	lock_scope(&m->files_lock);
	size_t n = 0, cap = 0;

	*out = NULL;
	for (struct file *f = m->files; f != NULL; f = f->next) {
		*out = arena_room_of(a, *out, sizeof(struct file *), n, &cap);
		f->refs++;
		(*out)[n++] = f;
	}
	return n;
}

static bool
is_own(struct mount *m, const struct file *f, const struct node *dir)
{
	return f == f->node->file && inode_is_child(&m->inodes, f->node, dir) &&
	       (file_is_new(f) || scratch_is(f));
}

bool
file_has_own(struct mount *m, const struct node *dir)
{
	lock_scope(&m->files_lock);
	const struct file *f = m->files;

	while (f != NULL && !is_own(m, f, dir)) {
		f = f->next;
	}
	return f != NULL;
}

size_t
file_list_own(struct mount *m, struct arena *a, const struct node *dir, struct slice **out)
{
	lock_scope(&m->files_lock);
	size_t n = 0, cap = 0;

	*out = NULL;
	for (const struct file *f = m->files; f != NULL; f = f->next) {
		if (is_own(m, f, dir)) {
			*out = arena_room(a, *out, n, &cap);
			(*out)[n++] = inode_name(&m->inodes, a, f->node);
		}
	}
	return n;
}

bool
file_is_new(const struct file *f)
{
	return f->created && !f->gone;
}
