/* file_end - see file.h */
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/file/buffer.h"
#include "fs/file/commit.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/hidden.h"
#include "fs/file/origin.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"

/* Remove a new file that was refused, unless others are writing it. */
static void
vanish(struct mount *m, struct file *f)
{
	assert(lock_held(&f->lock));
	if (!f->created || !file_is_alone(m, f)) {
		return;
	}
	f->gone = true;
	inode_detach(&m->inodes, f->node);
	hub_unreserve(m->hub, f->reserved);
	f->reserved = NULL;
}

/* Append how to make the scratch file an item: rename it if its text is an item. */
static void
put_way(struct mount *m, struct call *c, struct file *f, struct buf *out)
{
	const struct json *json;
	struct buf item;

	if (f->buffer.text.len > VIEW_TEXT_MAX ||
	    json_parse(c, buffer_text(&f->buffer), JSON_LAST_WINS, &json) != 0 ||
	    json->type != JSON_OBJECT) {
		c->error = (struct error){0};
		buf_fmt(out, "an item is a JSON object in a file NAME%s", m->suffix);
		return;
	}
	struct slice path = request_path(m, &c->arena, f->node, NULL);

	buf_init(&item, &c->arena);
	buf_fmt(&item, "%.*s%s", SLICE_ARG(path), m->suffix);
	buf_str(out, "to make it an item: mv ");
	shell_word(out, path);
	buf_char(out, ' ');
	shell_word(out, buf_view(&item));
}

/*
 * A user that writes a name without the suffix may have meant an item. Names that start with a dot or end in ~ are of
 * programs.
 */
void
file_remark_scratch(struct mount *m, struct call *c, struct file *f)
{
	assert(lock_held(&f->lock));
	struct buf b;

	if (!scratch_is(f) || f->buffer.text.len == 0 || m->ending) {
		return;
	}
	struct slice name = slice_skip(inode_name(&m->inodes, &c->arena, f->node), 1);

	if (name.len == 0 || name.at[0] == '.' || slice_ends(name, SLICE("~"))) {
		return;
	}
	buf_init(&b, &c->arena);
	buf_fmt(&b,
		"%.*s is a scratch file, not an item: its text is in memory, and is moved to "
		"STORE/rejected at unmount; ",
		SLICE_ARG(name));
	put_way(m, c, f, &b);
	request_remark(m, c, scratch_owner(f), f->node, buf_view(&b));
}

int
file_flush(struct mount *m, struct call *c, struct file *f, bool rename, uint64_t *seq)
{
	read_scope(&m->names_lock);
	lock_scope(&f->lock);
	if (file_is_bytes(f)) {
		return 0;
	}
	if (f->buffer.poisoned) {
		commit_keep_text(m, c, f);
		f->node->flags |= NODE_OTHER_TEXT;
		file_lead_on(m, f);
		vanish(m, f);
		return PLACE_POISONED;
	}
	bool unwritten = rename && f->buffer.state == BUFFER_EMPTIED;

	int r = f->buffer.state == BUFFER_DIRTY || unwritten ? commit_file(m, c, f, seq) : 0;

	f->told = r != 0;
	return r;
}

int
file_flush_all(struct mount *m, struct call *c, struct node *n, uint64_t *seq)
{
	struct file **all;
	size_t count = file_of_node(m, &c->arena, n, &all);
	struct error error = {0};
	int result = 0;

	for (size_t i = count; i-- > 0;) {
		/* A text without a writer was judged when its last writer closed it. */
		bool counts = i == 0 || file_writers(m, all[i]) > 0;

		c->error = (struct error){0};
		int r = file_flush(m, c, all[i], false, seq);

		if (r != 0 && counts) {
			result = r;
			error = c->error;
		}
		file_put(m, all[i]);
	}
	c->error = error;
	return result;
}

uint64_t
file_finish(struct mount *m, struct call *c, struct handle *h)
{
	struct file *f = h->file;
	uint64_t seq = 0;
	int r = 0;

	if (!h->writer) {
		return seq;
	}
	read_scope(&m->names_lock);
	lock_scope(&f->lock);
	/* Called under the lock: when this is the last writer, all others have left the function. */
	bool last = handle_end_writing(m, h);
	enum buffer_state state = f->buffer.state;
	bool unwritten = state == BUFFER_EMPTIED && f->emptier == h;

	if (file_is_bytes(f)) {
		file_remark_scratch(m, c, f);
		return seq;
	}
	if (!f->buffer.poisoned && (state == BUFFER_DIRTY || unwritten)) {
		r = commit_file(m, c, f, &seq);
	}
	/* Another writer may have opened it meanwhile. */
	if (!last || file_writers(m, f) > 0) {
		return seq;
	}
	if (r != 0 || f->buffer.poisoned) {
		commit_keep_text(m, c, f);
		commit_left(m, c, f, request_path(m, &c->arena, f->node, NULL));
	}
	if (r != 0 && !f->told) {
		request_note(m, c, h->uid, r, f->node);
	}
	vanish(m, f);
	/* The kernel's pages have a text that was refused, or is not the rendering. */
	state = f->buffer.state;
	if (f->differs || f->buffer.poisoned || state == BUFFER_DIRTY || state == BUFFER_EMPTIED) {
		f->node->flags |= NODE_OTHER_TEXT;
	}
	buffer_release(&f->buffer);
	origin_drop(f);
	return seq;
}

void
file_keep_scratch(struct mount *m, struct call *c, struct file *f)
{
	lock_scope(&f->lock);
	if (scratch_is(f) && !scratch_is_refused(f)) {
		/* A text that was kept before may be gone: only the newest ones are kept. */
		f->kept = false;
		commit_keep_text(m, c, f);
	}
}

void
file_end_scratch(struct mount *m, struct call *c, struct file *f, bool durable)
{
	bool lost;
	{
		lock_scope(&f->lock);
		if (!scratch_is(f)) {
			return;
		}
		f->kept = (f->kept && durable) || scratch_is_refused(f);
		lost = !f->kept && f->buffer.text.len > 0;
		if (f->buffer.text.len > 0 && !scratch_is_refused(f)) {
			int r = call_fail(c, lost ? ERR_IO : ERR_SERIALIZATION,
					  "a scratch file was left at unmount; its text %s",
					  lost ? "cannot be kept" : "is in rejected/");

			request_note(m, c, scratch_owner(f), r, f->node);
			commit_left(m, c, f, request_path(m, &c->arena, f->node, NULL));
			c->error = (struct error){0}; /* the call continues */
		}
		if (lost) {
			/* The next start finds the saved copy. */
			(void)scratch_leave_copy(f);
		}
	}
	/* If this fails, hidden_end() tries again. */
	if (lost) {
		hidden_show(m, f);
	} else if (hidden_release(m, c, f) != 0) {
		c->error = (struct error){0};
	}
	scratch_unlink(m, f);
}

static void
unlinked(struct mount *m, struct file *f, struct slice text)
{
	lock_scope(&f->lock);
	if (f->buffer.state == BUFFER_NONE) {
		buffer_load(&f->buffer, text);
	}
	f->gone = true;
	f->created = false;
	hub_unreserve(m->hub, f->reserved);
	f->reserved = NULL;
}

void
file_unlinked(struct mount *m, struct call *c, struct node *n, struct slice text)
{
	struct file **all;
	struct file *one = file_make(m, n);
	size_t count = file_of_node(m, &c->arena, n, &all);

	for (size_t i = 0; i < count; i++) {
		unlinked(m, all[i], text);
		file_put(m, all[i]);
	}
	file_put(m, one);
}
