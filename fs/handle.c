/*
 * handle - open handles and the files they share: who holds what, and reading.
 * What a write means is in file.c.
 */
#include <stdlib.h>

#include "store/base/cleanup.h"
#include "store/base/mem.h"

#include "fs/follow.h"
#include "fs/origin.h"
#include "fs/scratch.h"
#include "fs/terminal.h"

/* ------------------------------------------------------------ lives; files_lock is held */

static struct file *
make(struct mount *m, struct node *n)
{
	struct file *f = n->file;

	if (f == NULL) {
		f = mem_new(struct file);
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
		n->file = f;
	}
	return f;
}

static void
unlink_file(struct file *f)
{
	*f->link = f->next;
	if (f->next != NULL) {
		f->next->link = f->link;
	}
	f->node->file = NULL;
}

/* Free it when nothing holds it. */
static void
settle(struct mount *m, struct file *f)
{
	if (f->refs > 0 || f->node->opens > 0) {
		return;
	}
	unlink_file(f);
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
count_opened(struct mount *m, struct node *n, bool writer)
{
	lock_scope(&m->files_lock);
	bool is_left = !writer && n->file != NULL && n->file->gone;

	if ((n->flags & NODE_DETACHED) != 0 && !is_left) {
		return false;
	}
	n->opens++;
	if (writer) {
		make(m, n)->writers++;
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
count_item(struct mount *m, struct node *n, bool writer)
{
	read_scope(&m->names_lock);
	return count_opened(m, n, writer);
}

struct handle *
handle_open(struct mount *m, const struct call *c, struct node *n, bool writer)
{
	if (!(is_item(n) ? count_item(m, n, writer) : count_opened(m, n, writer))) {
		return NULL;
	}
	struct handle *h = mem_new(struct handle);

	*h = (struct handle){.node = n, .writer = writer, .uid = c->uid};
	(void)pthread_mutex_init(&h->lock, NULL);
	buf_init(&h->text, NULL);
	opened_add(m, &h->opened, end_handle);
	return h;
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
	return --h->node->file->writers == 0;
}

void
handle_close(struct mount *m, struct handle *h)
{
	if (h == NULL) {
		return;
	}
	struct node *n = h->node;

	follow_close(m, h->follower);
	terminal_close(m, h->terminal);
	opened_drop(m, &h->opened);
	if (h->origin != NULL) {
		lock_scope(&n->file->lock);
		origin_leave(n->file, h);
	}
	lock_scope(&m->files_lock);
	n->opens--;
	if (n->file != NULL) {
		n->file->writers -= h->writer;
		settle(m, n->file);
	}
	buf_release(&h->text);
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
file_make(struct mount *m, struct node *n)
{
	lock_scope(&m->files_lock);
	struct file *f = make(m, n);

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
	settle(m, f);
}

struct file *
file_unsaved(struct mount *m)
{
	lock_scope(&m->files_lock);
	struct file *f = m->files;

	while (f != NULL && !(f->unsaved && f->writers == 0)) {
		f = f->next;
	}
	if (f != NULL) {
		f->refs++;
	}
	return f;
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
	if (n->file != NULL) {
		n->file->stale = true;
	}
}

static size_t
count(const struct mount *m)
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

	*out = arena_new(a, struct file *, count(m));
	for (struct file *f = m->files; f != NULL; f = f->next) {
		f->refs++;
		(*out)[n++] = f;
	}
	return n;
}

static bool
is_own(struct mount *m, const struct file *f, const struct node *dir)
{
	return inode_is_child(&m->inodes, f->node, dir) && (file_is_new(f) || scratch_is(f));
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

	*out = arena_new(a, struct slice, count(m));
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

/* ------------------------------------------------------------ reading */

int
file_render(struct mount *m, struct call *c, const struct place *p, struct buf *out)
{
	struct item item;
	uint64_t mtime_ns;
	int r = place_read(m, c, p, &item, &mtime_ns);

	if (r == 0) {
		view_render(out, p->schema, m->form, &item);
	}
	return r;
}

static struct slice
part(struct slice text, size_t offset, size_t size)
{
	if (offset >= text.len) {
		return (struct slice){0};
	}
	text = slice_skip(text, offset);
	text.len = text.len < size ? text.len : size;
	return text;
}

static uint64_t
newest(const struct mount *m)
{
	return m->feed == NULL ? 0 : feed_newest(m->feed);
}

/* The newest committed rendering; a long one stays with the handle for the next READ. */
static int
read_committed(struct mount *m, struct call *c, struct handle *h, size_t offset, size_t size,
	       struct slice *out)
{
	lock_scope(&h->lock);
	uint64_t before = newest(m);
	struct place p;
	struct buf text;

	/* A server elsewhere tells no changes: what was begun is read to its end. */
	bool remote = mount_is_remote(m);
	bool known = remote ? offset > 0 : h->newest == before;

	if (h->text.len > 0 && known) {
		*out = slice_copy(&c->arena, part(buf_view(&h->text), offset, size));
		if (remote && out->len == 0) {
			buf_clear(&h->text); /* who reads on (tail -f) waits for what is new */
		}
		return 0;
	}
	int r = place_of(m, c, h->node, &p);

	buf_init(&text, &c->arena);
	if (r == 0) {
		r = file_render(m, c, &p, &text);
	}
	if (r == PLACE_ABSENT && h->text.len > 0) {
		*out = slice_copy(&c->arena, part(buf_view(&h->text), offset, size));
		return 0;
	}
	if (r != 0) {
		return r;
	}
	*out = part(buf_view(&text), offset, size);
	if (remote || offset > 0 || text.len > size) {
		buf_clear(&h->text);
		buf_slice(&h->text, buf_view(&text));
		h->newest = before;
	}
	return 0;
}

int
file_read(struct mount *m, struct call *c, struct handle *h, size_t offset, size_t size,
	  struct slice *out)
{
	struct file *f = file_get(m, h->node);
	bool own = f != NULL && file_text(m, c, f, offset, size, out);

	file_put(m, f);
	return own ? 0 : read_committed(m, c, h, offset, size, out);
}
