/*
 * file - see file.h; file_end.c saves and ends texts
 *
 * ops_file.c and ops_attr.c call this file; this file calls commit.c and buffer.c.
 */
#include "fs/file/file.h"

#include "fs/core/backoff.h"
#include "fs/core/hub.h"
#include "fs/core/memory_account.h"
#include "fs/file/buffer.h"
#include "fs/file/commit.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/file/origin.h"
#include "fs/file/scratch.h"
#include "fs/format/view.h"
#include "fs/place/place.h"
#include "fs/place/place_entry.h"
#include "fs/place/place_stat.h"

/*
 * Note that @uid changed the text. A WRITE of mapped pages is not by the user of the request, so the caller passes the
 * handle's user.
 */
static void
touch(struct mount *m, const struct call *c, struct file *f, uint32_t uid)
{
	assert(lock_held(&f->lock));
	f->uid = uid;
	f->kept = false;
	f->told = false;
	f->mtime_ns = 0;
	f->touched_ns = c->now_ms * 1000000;
	commit_forget(f);
	scratch_changed(m, f);
}

/* ------------------------------------------------------------ loading */

static bool
shows(struct mount *m, const struct file *f)
{
	assert(lock_held(&f->lock));
	return f->buffer.state != BUFFER_NONE && !(f->buffer.poisoned && f->kept) &&
	       (file_is_bytes(f) || file_writers(m, f) > 0);
}

/* Count a text of that size; in the account of @uid if it is in none yet. */
static int
reserve(struct mount *m, struct call *c, struct file *f, uint32_t uid, size_t size)
{
	return buffer_reserve(&f->buffer, account_of(&m->accounts, uid), size) ? 0
									       : account_full(c);
}

/* Load the committed item's text, for a change to start from. */
static int
file_load(struct mount *m, struct call *c, struct file *f, uint32_t uid)
{
	assert(lock_held(&f->lock));
	struct place p;
	struct buf text;
	bool fresh = f->buffer.state == BUFFER_LOADED && !atomic_exchange(&f->stale, false);

	if (fresh || f->buffer.state == BUFFER_EMPTIED || f->buffer.state == BUFFER_DIRTY) {
		return 0;
	}
	int r = place_of(m, c, f->node, &p);

	buf_init(&text, &c->arena);
	if (r == 0) {
		r = file_render(m, c, &p, &text);
	}
	/* Removed by another front end: keep the loaded text if there is one. */
	if (r == PLACE_ABSENT && f->buffer.state == BUFFER_LOADED) {
		return 0;
	}
	r = r == PLACE_ABSENT ? 0 : r;
	r = r == 0 ? reserve(m, c, f, uid, text.len) : r;
	if (r == 0) {
		buffer_load(&f->buffer, buf_view(&text));
		f->differs = false;
	} else if (f->buffer.state == BUFFER_LOADED) {
		f->stale = true; /* restore */
	}
	return r;
}

bool
file_text(struct mount *m, struct call *c, struct file *f, size_t offset, size_t size,
	  struct slice *out)
{
	lock_scope(&f->lock);
	if (!shows(m, f) || (f->stale && !file_is_bytes(f) && file_load(m, c, f, c->uid) != 0)) {
		return false;
	}
	struct slice text = buffer_text(&f->buffer);
	size_t from = offset < text.len ? offset : text.len;

	text = slice_skip(text, from);
	text.len = text.len < size ? text.len : size;
	*out = slice_copy(&c->arena, text);
	return true;
}

/*
 * The time of the text. An endpoint stores no times: a time that appears and disappears would look like a change to
 * editors.
 */
static uint64_t
file_time_of(const struct mount *m, const struct file *f)
{
	if (mount_is_remote(m) && f->scratch == NULL) {
		return 0;
	}
	return f->mtime_ns != 0 ? f->mtime_ns : f->touched_ns;
}

bool
attr_of_writer(struct mount *m, struct node *n, struct attributes *attributes)
{
	struct file *f = file_get(m, n);
	bool own = false;

	if (f != NULL) {
		lock_scope(&f->lock);
		/* If a clean text is stale, the store has the newer one. */
		own = shows(m, f) &&
		      (file_is_bytes(f) || !f->stale || f->buffer.state != BUFFER_LOADED);
		if (own) {
			*attributes = (struct attributes){.size = f->buffer.text.len,
							  .mtime_ns = file_time_of(m, f),
							  .gone = f->gone};
			if (f->scratch != NULL) {
				scratch_attributes(f, attributes);
			}
		}
	}
	file_put(m, f);
	return own;
}

/* ------------------------------------------------------------ the states */

int
file_opened(struct mount *m, struct call *c, struct handle *h)
{
	lock_scope(&h->file->lock);
	return h->file->gone ? PLACE_GONE : origin_take(m, c, h->file, h);
}

/* Keep a text that a WRITE or FLUSH refused, before it is emptied. */
static void
keep_refused(struct mount *m, struct call *c, struct file *f)
{
	if (f->buffer.poisoned || f->told) {
		commit_keep_text(m, c, f);
	}
}

/* Begin an empty text of the handle. */
static void
file_begin(struct mount *m, const struct call *c, struct file *f, const struct handle *h)
{
	assert(lock_held(&f->lock) && h->file == f);
	touch(m, c, f, h->uid);
	f->emptier = h;
	buffer_empty(&f->buffer);
	origin_begin(f, h);
}

int
file_create(struct mount *m, struct call *c, struct handle *h, const struct place *alone)
{
	struct file *f = h->file;
	lock_scope(&f->lock);

	if (f->gone) {
		return PLACE_GONE;
	}
	if (f->created && alone == NULL) {
		int r = origin_take(m, c, f, h);

		/* A file of the handle's own, or one that another creator has begun. */
		if (r == 0 && f->buffer.state == BUFFER_NONE) {
			file_begin(m, c, f, h);
		}
		return r;
	}
	if (f->created) {
		return call_fail(c, ERR_CONDITION,
				 "another open file is creating an item with this name");
	}
	if (alone != NULL && !hub_reserve(m->hub, place_id(&c->arena, alone), &f->reserved)) {
		return call_fail(c, ERR_CONDITION,
				 "another open file is creating an item with this name");
	}
	f->created = true;
	f->emptier = h;
	int r = origin_take(m, c, f, h);

	if (r == 0) {
		file_begin(m, c, f, h);
	} else {
		f->created = false;
		f->emptier = NULL;
		hub_unreserve(m->hub, f->reserved);
		f->reserved = NULL;
	}
	return r;
}

void
file_truncate_open(struct mount *m, struct call *c, const struct handle *h)
{
	struct file *f = h->file;
	lock_scope(&f->lock);
	keep_refused(m, c, f);
	file_begin(m, c, f, h);
}

/* Check that others have not created or changed the item. For a hidden item the commit does that. */
static int
judge_others(struct mount *m, struct call *c, struct file *f, const struct place *p)
{
	struct attributes attributes;

	if ((!commit_is_exclusive(f) && f->origin == NULL) || !p->known ||
	    commit_is_hidden(m, c, f)) {
		return 0;
	}
	if (!commit_is_exclusive(f)) {
		return origin_check(m, c, f, p);
	}
	int r = place_stat(m, c, p, NULL, &attributes);

	if (r == 0) {
		return call_fail(c, ERR_CONDITION, "another client has created the item meanwhile");
	}
	return r == PLACE_ABSENT ? 0 : r;
}

/* The object is complete: check all that a put would be refused for. */
static int
file_judge(struct mount *m, struct call *c, struct file *f)
{
	int r = commit_judge(m, c, f);

	if (r != 0) {
		return r;
	}
	const struct reading *text = &f->judged->text;

	r = view_check(c, text->place.schema, &text->item);
	r = r == 0 ? judge_others(m, c, f, &text->place) : r;
	if (r == 0) {
		commit_retain(m, f);
	} else {
		commit_forget(f);
	}
	return r;
}

static int
judge_write(struct mount *m, struct call *c, struct file *f, enum buffer_verdict verdict)
{
	const char *why;
	int r;

	switch (verdict) {
	case BUFFER_GOES_ON:
		return 0;
	case BUFFER_TOO_LONG:
		return call_fail(c, ERR_ITEM_TOO_BIG, "the text has more than %d bytes",
				 VIEW_TEXT_MAX);
	case BUFFER_REFUSED:
		why = buffer_reason(&f->buffer);
		return call_fail(
			c, ERR_SERIALIZATION, "%s%s", why,
			strstr(why, "expected {,") == NULL && strstr(why, "after the end") == NULL
				? ""
				: "; a file has one item, {\"NAME\":VALUE}; for many items or CSV: itemctl "
				  "import TABLE FILE");
	case BUFFER_COMPLETE:
		break;
	}
	r = file_judge(m, c, f);
	/* FLUSH will report a temporary error: the bytes are accepted, and must not be written twice. */
	if (backoff_passes(r)) {
		c->error = (struct error){0};
		return 0;
	}
	if (r != 0) {
		buffer_poison(&f->buffer);
	}
	return r;
}

static size_t
file_position(const struct file *f, size_t offset)
{
	return offset == FILE_END ? f->buffer.text.len : offset;
}

static int
write_scratch(struct mount *m, struct call *c, struct file *f, size_t offset, struct slice bytes)
{
	int r = scratch_reserve(m, c, f, offset + bytes.len);

	if (r == 0) {
		buffer_store(&f->buffer, offset, bytes);
		touch(m, c, f, c->uid);
	}
	return r;
}

/* Load the text that the writer is about to change. */
static int
load_for(struct mount *m, struct call *c, struct file *f, const struct handle *h)
{
	assert(lock_held(&f->lock));
	int r = f->gone ? 0 : origin_join(m, c, f, h);

	return r != 0 || f->gone ? r : file_load(m, c, f, h->uid);
}

/* Reserve memory. If it is refused, poison the text: without the refused bytes it must not be saved. */
static int
reserve_write(struct mount *m, struct call *c, struct file *f, uint32_t uid, size_t at, size_t size)
{
	bool too_long = at > VIEW_TEXT_MAX || size > VIEW_TEXT_MAX - at;
	int r = too_long ? 0 : reserve(m, c, f, uid, at + size);

	if (r != 0) {
		buffer_poison(&f->buffer);
	}
	return r;
}

int
file_write(struct mount *m, struct call *c, const struct handle *h, size_t offset,
	   struct slice bytes)
{
	struct file *f = h->file;
	lock_scope(&f->lock);
	if (f->scratch != NULL) {
		return write_scratch(m, c, f, file_position(f, offset), bytes);
	}
	bool poisoned = f->buffer.poisoned;
	int r = load_for(m, c, f, h);

	if (r == PLACE_STALE) {
		commit_keep_bytes(m, c, f, h->uid, bytes);
	}
	if (r != 0) {
		return r;
	}
	size_t at = file_position(f, offset);

	r = reserve_write(m, c, f, h->uid, at, bytes.len);
	if (r != 0) {
		return r;
	}
	enum buffer_verdict verdict = buffer_write(&f->buffer, at, bytes);

	touch(m, c, f, h->uid);
	if (poisoned) {
		return PLACE_POISONED;
	}
	/* The text of an unlinked file is never an item. */
	if (f->gone && verdict != BUFFER_TOO_LONG) {
		f->buffer.poisoned = false;
		return 0;
	}
	return judge_write(m, c, f, verdict);
}

static int
resize(struct mount *m, struct call *c, struct file *f, const struct handle *h, uint64_t size,
       uint64_t *seq)
{
	bool open = f->gone || file_writers(m, f) > 0;

	if (f->scratch != NULL) {
		int r = scratch_reserve(m, c, f, size);

		if (r == 0) {
			touch(m, c, f, c->uid);
			buffer_resize(&f->buffer, size);
		}
		return r;
	}
	if (size > VIEW_TEXT_MAX) {
		return call_fail(c, ERR_ITEM_TOO_BIG, "the text has more than %d bytes",
				 VIEW_TEXT_MAX);
	}
	int r = load_for(m, c, f, h);

	if (r != 0 || (!open && size == f->buffer.text.len)) {
		return r;
	}
	r = reserve(m, c, f, h->uid, size);
	if (r != 0) {
		return r;
	}
	if (size == 0) {
		keep_refused(m, c, f);
	}
	touch(m, c, f, c->uid);
	buffer_resize(&f->buffer, size);
	if (size == 0) {
		origin_begin(f, h);
	}
	if (!open) {
		r = commit_file(m, c, f, seq);
		buffer_release(&f->buffer);
	}
	return r;
}

int
file_resize(struct mount *m, struct call *c, struct file *f, const struct handle *h, uint64_t size,
	    uint64_t *seq)
{
	read_scope(&m->names_lock);
	lock_scope(&f->lock);
	struct handle now = {.uid = c->uid};

	if (h != NULL) {
		return resize(m, c, f, h, size, seq);
	}
	/* truncate() acts like an open at this moment. */
	int r = file_writers(m, f) > 0 ? origin_take(m, c, f, &now) : 0;

	r = r == 0 ? resize(m, c, f, &now, size, seq) : r;
	origin_leave(f, &now);
	return r;
}

bool
file_set_time(struct mount *m, struct file *f, uint64_t mtime_ns)
{
	lock_scope(&f->lock);
	enum buffer_state state = f->buffer.state;

	if (f->scratch != NULL) {
		f->mtime_ns = mtime_ns;
		scratch_changed(m, f);
		return true;
	}
	if (f->gone) {
		return true;
	}
	if (file_writers(m, f) == 0 || (state != BUFFER_DIRTY && state != BUFFER_EMPTIED)) {
		return false;
	}
	f->mtime_ns = mtime_ns;
	/* touch(1) writes nothing and relies on the FLUSH that follows. */
	if (f->created && state == BUFFER_EMPTIED) {
		f->buffer.state = BUFFER_DIRTY;
	}
	return true;
}
