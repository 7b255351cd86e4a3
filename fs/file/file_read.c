/* file_read - see file.h */
#include "store/engine/feed.h"

#include "fs/core/memory_account.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/format/view.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

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

/* Keep the text for further READs, after one at @offset that gets a part of it. */
static int
file_read_keep(struct call *c, struct handle *h, size_t offset, size_t size, struct slice text)
{
	assert(lock_held(&h->lock));
	if (handle_keep_text(h, text)) {
		return 0;
	}
	buf_clear(&h->text);
	return offset > 0 || text.len > size ? account_full(c) : 0;
}

/*
 * Read the newest committed rendering. A direct reader keeps the version that it has begun until it reads from the
 * start again. Otherwise a long rendering stays with the handle for the next READ.
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
			/* A reader that continues (tail -f) waits for new bytes. */
			buf_clear(&h->text);
		}
		return 0;
	}
	int r = place_of(m, c, h->node, &p);

	p.age = PLACE_HANDED;
	buf_init(&text, &c->arena);
	if (r == 0) {
		r = file_render(m, c, &p, &text);
	}
	/* The item was removed: readers that have it open continue. */
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

/* Return: whether the handle continues a version that it has begun, whatever is written meanwhile. */
static bool
file_read_is_begun(struct handle *h, size_t offset)
{
	lock_scope(&h->lock);
	return offset > 0 && h->text.len > 0;
}

/* Read the text of a writer of this mount, as a version of this handle; false: there is none. */
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
	/*
	 * Pages are shared by all open handles of the file and have its newest version. An endpoint does not report new
	 * versions.
	 */
	bool direct = h->direct && (!paged || mount_is_remote(m));
	bool versioned = direct && !h->writer;
	struct file *f = versioned && file_read_is_begun(h, offset) ? NULL : file_of(m, h);
	int r = 0;
	bool own = f != NULL && (versioned ? read_written(m, c, h, f, offset, size, out, &r)
					   : file_text(m, c, f, offset, size, out));

	file_put(m, f);
	return own ? r : read_committed(m, c, h, direct, offset, size, out);
}
