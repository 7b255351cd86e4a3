/* handle - see handle.h */
#include "fs/file/handle.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/core/opened.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/origin.h"

/* End a handle without RELEASE, at the end of a mount. */
static void
end_handle(struct mount *m, struct call *c, struct opened *o)
{
	struct handle *h = (struct handle *)o;

	(void)file_finish(m, c, h);
	handle_close(m, h);
}

/*
 * Count one more handle. The kernel may still know the name of a file that was removed, and open it: nothing that is
 * written would ever be saved. While the file is still open, it can be opened again for reading, as /proc/self/fd does.
 * Return: false: the node has lost its name, and no text is left.
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
		*file = file_list_make(m, n);
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

/* Items and scratch files wait while a name is changed (slow on an endpoint). Other files are not renamed. */
static bool
count_item(struct mount *m, struct node *n, bool writer, struct file **file)
{
	read_scope(&m->names_lock);
	return count_opened(m, n, writer, file);
}

struct handle *
handle_open(struct mount *m, struct call *c, struct node *n, bool writer)
{
	struct usage usage = {.account = account_of(&m->accounts, c->uid),
			      .spare = n->kind == NODE_SPECIAL};
	struct file *f = NULL;

	if (!usage_resize(&usage, ACCOUNT_OBJECT_BYTES)) {
		(void)account_full(c);
		return NULL;
	}
	if (!(is_item(n) ? count_item(m, n, writer, &f) : count_opened(m, n, writer, &f))) {
		usage_end(&usage);
		return NULL;
	}
	struct handle *h = mem_new(struct handle);

	*h = (struct handle){.node = n,
			     .file = f,
			     .writer = writer,
			     .direct = mount_is_remote(m),
			     .uid = c->uid,
			     .usage = usage};
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
	if (!usage_resize(&h->usage, ACCOUNT_OBJECT_BYTES + text.len)) {
		return false;
	}
	/* Allocate exactly what it takes, where the last text was longer. */
	buf_release(&h->text);
	buf_slice(&h->text, text);
	return true;
}

bool
handle_begin_own(struct mount *m, struct handle *h)
{
	assert(h->file != NULL && h->writer);
	lock_scope(&m->files_lock);
	struct file *f = h->file;

	if (f->writers < 2 || f->gone || f->node->file->scratch != NULL) {
		return f->mixed;
	}
	struct file *own = file_list_add(m, f->node);

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
	assert(h->file != NULL && h->writer);
	lock_scope(&m->files_lock);
	h->writer = false;
	if (--h->file->writers > 0) {
		return false;
	}
	file_list_lead_on(h->file);
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
	assert(n->opens > 0);
	n->opens--;
	if (h->file != NULL) {
		h->file->writers -= h->writer;
		h->file->handles--;
		file_list_lead_on(h->file);
	}
	/* The file that is shown is freed last, because it keeps the node. */
	if (h->file != NULL && h->file != n->file) {
		file_list_settle(m, h->file);
	}
	if (n->file != NULL) {
		file_list_settle(m, n->file);
	}
	buf_release(&h->text);
	usage_end(&h->usage);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
}
