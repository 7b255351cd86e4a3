/* file_read - READ: a text that is being written, or the committed item */
#include "store/base/core/cleanup.h"
#include "store/engine/feed.h"

#include "fs/core/memory_account.h"
#include "fs/file/handle.h"
#include "fs/format/view.h"
#include "fs/place/place.h"

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
file_read_part(struct slice text, size_t offset, size_t size)
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

/* Of a READ at @offset that gets a part of @text: keep the rest for those that follow.  The handle's lock is held. */
static int
file_read_keep(struct call *c, struct handle *h, size_t offset, size_t size, struct slice text)
{
	if (handle_keep_text(h, text)) {
		return 0;
	}
	buf_clear(&h->text);
	return offset > 0 || text.len > size ? account_full(c) : 0;
}

/*
 * The newest committed rendering.  Who reads directly keeps the version that he has begun, until he reads from the start again;
 * a long one stays with the handle for the next READ.
 */
static int
read_committed(struct mount *m, struct call *c, struct handle *h, bool direct, size_t offset,
	       size_t size, struct slice *out)
{
	lock_scope(&h->lock);
	uint64_t before = newest(m);
	struct place p;
	struct buf text;

	bool known = direct ? offset > 0 : h->newest == before;

	if (h->text.len > 0 && known) {
		*out = slice_copy(&c->arena, file_read_part(buf_view(&h->text), offset, size));
		if (mount_is_remote(m) && out->len == 0) {
			buf_clear(&h->text); /* who reads on (tail -f) waits for what is new */
		}
		return 0;
	}
	int r = place_of(m, c, h->node, &p);

	p.age = PLACE_HANDED;
	buf_init(&text, &c->arena);
	if (r == 0) {
		r = file_render(m, c, &p, &text);
	}
	/* It was removed: who has it open reads on. */
	if ((r == PLACE_ABSENT || r == PLACE_GONE) && h->text.len > 0) {
		*out = slice_copy(&c->arena, file_read_part(buf_view(&h->text), offset, size));
		return 0;
	}
	if (r != 0) {
		return r;
	}
	*out = file_read_part(buf_view(&text), offset, size);
	if (direct) {
		r = file_read_keep(c, h, offset, size, buf_view(&text));
		h->newest = before;
	} else if ((offset > 0 || text.len > size) && handle_keep_text(h, buf_view(&text))) {
		h->newest = before;
	}
	return r;
}

/* A version that was begun goes on, whatever somebody writes meanwhile. */
static bool
file_read_is_begun(struct handle *h, size_t offset)
{
	lock_scope(&h->lock);
	return offset > 0 && h->text.len > 0;
}

/* What a writer of this mount has in hand, for a reader: as a version of his own.  false: there is none */
static bool
read_written(struct mount *m, struct call *c, struct handle *h, struct file *f, size_t offset,
	     size_t size, struct slice *out, int *r)
{
	struct slice text;

	if (!file_text(m, c, f, 0, SIZE_MAX, &text)) {
		return false;
	}
	lock_scope(&h->lock);
	*r = file_read_keep(c, h, offset, size, text);
	*out = file_read_part(text, offset, size);
	return true;
}

int
file_read(struct mount *m, struct call *c, struct handle *h, bool paged, size_t offset, size_t size,
	  struct slice *out)
{
	/* Pages are shared by all who have the file open: they are of its newest version.  A server elsewhere tells of none. */
	bool direct = h->direct && (!paged || mount_is_remote(m));
	bool versioned = direct && !h->writer;
	struct file *f = versioned && file_read_is_begun(h, offset) ? NULL : file_of(m, h);
	int r = 0;
	bool own = f != NULL && (versioned ? read_written(m, c, h, f, offset, size, out, &r)
					   : file_text(m, c, f, offset, size, out));

	file_put(m, f);
	return own ? r : read_committed(m, c, h, direct, offset, size, out);
}
