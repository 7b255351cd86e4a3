/*
 * handle - open handles and the files they share: who holds what.  What a write means is in file.c.
 */
#include "fs/file/handle.h"

#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/opened.h"
#include "fs/file/buffer.h"
#include "fs/file/origin.h"
#include "fs/file/scratch.h"

/* ------------------------------------------------------------ lives; files_lock is held */

/* One more file of a node: what it shows from now on. */
static struct file *
handle_add(struct mount *m, struct node *n)
{
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

static struct file *
handle_make(struct mount *m, struct node *n)
{
	return n->file != NULL ? n->file : handle_add(m, n);
}

static void
handle_take_out(struct file *f)
{
	struct file **at = &f->node->file;

	while (*at != f) {
		at = &(*at)->older;
	}
	*at = f->older;
}

static void
handle_unlink_file(struct file *f)
{
	*f->link = f->next;
	if (f->next != NULL) {
		f->next->link = f->link;
	}
	handle_take_out(f);
}

static void
handle_lead(struct file *f)
{
	handle_take_out(f);
	f->older = f->node->file;
	f->node->file = f;
}

/* Of a text that nobody writes any more, or that was refused, the next one takes the place; scratch files and removed ones stay what they are. */
static void
lead_on(struct file *ended)
{
	struct file *f = ended->older;

	if (ended != ended->node->file || ended->scratch != NULL || ended->gone) {
		return;
	}
	while (f != NULL && (f->writers == 0 || f->kept)) {
		f = f->older;
	}
	if (f != NULL) {
		handle_lead(f);
	}
}

/* Free it when nothing holds it. */
static void
handle_settle(struct mount *m, struct file *f)
{
	bool is_shown = f == f->node->file && f->node->opens > 0;

	if (f->refs > 0 || f->handles > 0 || is_shown) {
		return;
	}
	handle_unlink_file(f);
	hub_unreserve(m->hub, f->reserved);
	origin_drop(f);
	scratch_free(m, f);
	buffer_release(&f->buffer);
	free(f->kept_at);
	(void)pthread_mutex_destroy(&f->lock);
	inode_unref(&m->inodes, f->node);
	free(f);
}

/* ------------------------------------------------------------ */

/* Without RELEASE, as it may happen when a mount ends. */
static void
end_handle(struct mount *m, struct call *c, struct opened *o)
{
	struct handle *h = (struct handle *)o;

	(void)file_finish(m, c, h);
	handle_close(m, h);
}

/*
 * Of a file that was removed the kernel may still know the name, and open it: nothing of it would ever be
 * saved.  Who had it open can have it open once more, as /proc/self/fd does, for reading.
 */
static bool
count_opened(struct mount *m, struct node *n, bool writer, struct file **file)
{
	lock_scope(&m->files_lock);
	bool is_left = !writer && n->file != NULL && n->file->gone;

	if ((n->flags & NODE_DETACHED) != 0 && !is_left) {
		return false;
	}
	n->opens++;
	if (writer) {
		*file = handle_make(m, n);
		(*file)->writers++;
		(*file)->handles++;
	}
	return true;
}

static bool
is_item(const struct node *n)
{
	return n->kind == NODE_ITEM || n->kind == NODE_SCRATCH;
}

/* Not while one is renamed or removed, which at an endpoint may take long: all else has a name that stays. */
static bool
count_item(struct mount *m, struct node *n, bool writer, struct file **file)
{
	read_scope(&m->names_lock);
	return count_opened(m, n, writer, file);
}

struct handle *
handle_open(struct mount *m, struct call *c, struct node *n, bool writer)
{
	struct charge charge = {.account = account_of(&m->accounts, c->uid),
				.spare = n->kind == NODE_SPECIAL};
	struct file *f = NULL;

	if (!charge_to(&charge, ACCOUNT_OBJECT_BYTES)) {
		(void)account_full(c);
		return NULL;
	}
	if (!(is_item(n) ? count_item(m, n, writer, &f) : count_opened(m, n, writer, &f))) {
		charge_end(&charge);
		return NULL;
	}
	struct handle *h = mem_new(struct handle);

	*h = (struct handle){.node = n,
			     .file = f,
			     .writer = writer,
			     .direct = mount_is_remote(m),
			     .uid = c->uid,
			     .charge = charge};
	(void)pthread_mutex_init(&h->lock, NULL);
	buf_init(&h->text, NULL);
	opened_add(m, &h->opened, end_handle);
	return h;
}

int
handle_none(const struct call *c)
{
	return c->error.code == ERR_NONE ? PLACE_GONE : -(int)c->error.code;
}

bool
handle_keep_text(struct handle *h, struct slice text)
{
	if (!charge_to(&h->charge, ACCOUNT_OBJECT_BYTES + text.len)) {
		return false;
	}
	/* Not more than it takes, where the last one was longer. */
	buf_release(&h->text);
	buf_slice(&h->text, text);
	return true;
}

bool
handle_begin_own(struct mount *m, struct handle *h)
{
	lock_scope(&m->files_lock);
	struct file *f = h->file;

	if (f->writers < 2 || f->gone || f->node->file->scratch != NULL) {
		return f->mixed;
	}
	struct file *own = handle_add(m, f->node);

	f->writers--;
	f->handles--;
	f->mixed = true;
	own->writers = 1;
	own->handles = 1;
	own->mixed = true;
	own->created = f->created;
	h->file = own;
	return true;
}

bool
handle_is_only(struct mount *m, const struct handle *h)
{
	lock_scope(&m->files_lock);
	return h->node->opens == 1;
}

bool
handle_end_writing(struct mount *m, struct handle *h)
{
	lock_scope(&m->files_lock);
	h->writer = false;
	if (--h->file->writers > 0) {
		return false;
	}
	lead_on(h->file);
	return true;
}

void
handle_close(struct mount *m, struct handle *h)
{
	if (h == NULL) {
		return;
	}
	struct node *n = h->node;

	if (h->close_made != NULL) {
		h->close_made(m, h);
	}
	opened_drop(m, &h->opened);
	if (h->origin != NULL) {
		lock_scope(&h->file->lock);
		origin_leave(h->file, h);
	}
	lock_scope(&m->files_lock);
	n->opens--;
	if (h->file != NULL) {
		h->file->writers -= h->writer;
		h->file->handles--;
		lead_on(h->file);
	}
	/* What is shown goes last: it keeps the node. */
	if (h->file != NULL && h->file != n->file) {
		handle_settle(m, h->file);
	}
	if (n->file != NULL) {
		handle_settle(m, n->file);
	}
	buf_release(&h->text);
	charge_end(&h->charge);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
}

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
	handle_lead(f);
}

void
file_lead_on(struct mount *m, struct file *refused)
{
	lock_scope(&m->files_lock);
	lead_on(refused);
}

size_t
file_of_node(struct mount *m, struct arena *a, const struct node *n, struct file ***out)
{
	lock_scope(&m->files_lock);
	size_t count = 0;

	for (const struct file *f = n->file; f != NULL; f = f->older) {
		count++;
	}
	*out = arena_new(a, struct file *, count);
	count = 0;
	for (struct file *f = n->file; f != NULL; f = f->older) {
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
	struct file *f = handle_make(m, n);

	f->refs++;
	return f;
}

struct file *
file_hold(struct mount *m, struct file *f)
{
	lock_scope(&m->files_lock);
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
	f->refs--;
	handle_settle(m, f);
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

static size_t
handle_count(const struct mount *m)
{
	size_t n = 0;

	for (const struct file *f = m->files; f != NULL; f = f->next) {
		n++;
	}
	return n;
}

size_t
file_all(struct mount *m, struct arena *a, struct file ***out)
{
	lock_scope(&m->files_lock);
	size_t n = 0;

	*out = arena_new(a, struct file *, handle_count(m));
	for (struct file *f = m->files; f != NULL; f = f->next) {
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
	size_t n = 0;

	*out = arena_new(a, struct slice, handle_count(m));
	for (const struct file *f = m->files; f != NULL; f = f->next) {
		if (is_own(m, f, dir)) {
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
