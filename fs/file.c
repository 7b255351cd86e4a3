/*
 * file - what writing means: the states of a file, and the one place where the
 * mount puts an item.  Between ops_file.c above and view.c, buffer.c and the
 * engine below.
 */
#include "store/base/cleanup.h"

#include "fs/request.h"
#include "fs/scratch.h"

/* ------------------------------------------------------------ texts that are lost otherwise */

/* Keep the text in STORE/rejected, once. */
static void
keep_text(struct mount *m, struct call *c, struct file *f)
{
	struct inode_step steps[INODE_DEPTH_MAX];
	struct slice text = buffer_text(&f->buffer);
	struct buf name;

	if (f->kept || text.len == 0) {
		return;
	}
	size_t depth = inode_way(&m->inodes, &c->arena, f->node, steps);

	buf_init(&name, &c->arena);
	if (f->node->kind == NODE_SCRATCH) {
		buf_slice(&name, slice_skip(steps[depth - 1].name, 1));
	} else {
		buf_slice(&name, steps[depth - 1].name);
		buf_str(&name, m->suffix);
	}
	f->kept = rejected_keep(&m->hub->rejected, c->now_ms, buf_view(&name), text) == 0;
}

/* The text is another one now. */
static void
touch(const struct call *c, struct file *f)
{
	f->kept = false;
	f->told = false;
	f->mtime_ns = 0;
	f->touched_ns = c->now_ms * 1000000;
}

/* A new file that was refused is no file any more. */
static void
vanish(struct mount *m, struct file *f)
{
	f->gone = true;
	inode_detach(&m->inodes, f->node);
	hub_unreserve(m->hub, f->reserved);
	f->reserved = NULL;
}

/* ------------------------------------------------------------ loading */

static bool
shows(struct mount *m, const struct file *f)
{
	return f->buffer.state != BUFFER_NONE && !(f->buffer.poisoned && f->kept) &&
	       (f->gone || f->scratch != NULL || file_writers(m, f) > 0);
}

/* The committed item's text, for a change to start from. */
static int
load(struct mount *m, struct call *c, struct file *f)
{
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
	/* Removed by another door: what was loaded stays, or there is nothing. */
	if (r == PLACE_ABSENT && f->buffer.state == BUFFER_LOADED) {
		return 0;
	}
	if (r == 0 || r == PLACE_ABSENT) {
		buffer_load(&f->buffer, buf_view(&text));
		f->differs = false;
		return 0;
	}
	return r;
}

bool
file_text(struct mount *m, struct call *c, struct file *f, size_t offset, size_t size,
	  struct slice *out)
{
	lock_scope(&f->lock);
	if (!shows(m, f) || (f->stale && !f->gone && load(m, c, f) != 0)) {
		return false;
	}
	struct slice text = buffer_text(&f->buffer);
	size_t from = offset < text.len ? offset : text.len;

	text = slice_skip(text, from);
	text.len = text.len < size ? text.len : size;
	*out = slice_copy(&c->arena, text);
	return true;
}

bool
attr_overlay(struct mount *m, struct node *n, struct facts *facts)
{
	struct file *f = file_get(m, n);
	bool own = false;

	if (f != NULL) {
		lock_scope(&f->lock);
		/* A clean text may have become stale; the store then knows better. */
		own = shows(m, f) && (f->gone || !f->stale || f->buffer.state != BUFFER_LOADED);
		if (own) {
			*facts = (struct facts){.size = f->buffer.text.len,
						.mtime_ns = f->mtime_ns != 0 ? f->mtime_ns
									     : f->touched_ns};
			if (f->scratch != NULL) {
				scratch_facts(f, facts);
			}
		}
	}
	file_put(m, f);
	return own;
}

/* ------------------------------------------------------------ committing; the lock is held */

/* Names that the item made known. */
static void
learn_names(struct mount *m, struct file *f, struct slice partition, struct slice full)
{
	if (full.len > 0) {
		inode_set_full(&m->inodes, f->node, full);
	}
	if (partition.len > 0) {
		inode_set_full(&m->inodes, inode_parent(&m->inodes, f->node), partition);
	}
}

/* What the text means at this place. */
struct reading {
	struct place place;
	struct item item;
	struct slice partition; /* whole components of shortened names */
	struct slice full;
};

static int
read_item_at(struct mount *m, struct call *c, struct file *f, struct reading *out)
{
	const struct place *p = &out->place;
	int r = view_read(c, p->schema, buffer_text(&f->buffer), &p->key, &out->item);

	return r != 0 ? r : place_adopt(c, p, m->suffix, &out->item, &out->partition, &out->full);
}

static int
read_item(struct mount *m, struct call *c, struct file *f, struct reading *out)
{
	int r = place_of(m, c, f->node, &out->place);

	return r != 0 ? r : read_item_at(m, c, f, out);
}

static int
put(struct mount *m, struct call *c, uint64_t mtime_ns, bool absent, const struct reading *text,
    uint64_t *seq)
{
	const struct place *p = &text->place;
	struct name_alias key = {.alias = SLICE("#k"), .name = p->schema->key.pk->name};
	struct put_item_in in = {.write = {.table = p->table, .item = text->item, .relaxed = true},
				 .mtime_ns = mtime_ns};
	struct put_item_out out;

	if (absent) {
		in.write.condition = SLICE("attribute_not_exists(#k)");
		in.write.ph =
			(struct placeholders){.names = &key, .n_names = 1, .names_given = true};
	}
	int r = engine_put_item(m->engine, c, &in, &out);

	if (r == 0) {
		*seq = out.written.seq;
	}
	return r;
}

/* The kernel's pages hold the text as it was written. */
static void
compare_text(struct mount *m, struct call *c, struct file *f, const struct place *p,
	     const struct item *item)
{
	struct buf rendering;

	buf_init(&rendering, &c->arena);
	view_render(&rendering, p->schema, m->form, item);
	f->differs = !slice_eq(buf_view(&rendering), buffer_text(&f->buffer));
	if (f->differs) {
		f->node->flags |= NODE_OTHER_TEXT;
	} else {
		f->node->flags &= (uint8_t)~NODE_OTHER_TEXT;
	}
}

static int
commit(struct mount *m, struct call *c, struct file *f, uint64_t *seq)
{
	struct reading text;
	int r = read_item(m, c, f, &text);

	if (r == 0) {
		r = put(m, c, f->mtime_ns, f->reserved != NULL, &text, seq);
	}
	if (r != 0) {
		return r;
	}
	learn_names(m, f, text.partition, text.full);
	compare_text(m, c, f, &text.place, &text.item);
	(void)pending_drop(m, inode_parent(&m->inodes, f->node));
	hub_unreserve(m->hub, f->reserved);
	f->reserved = NULL;
	f->created = false;
	f->kept = false;
	f->stale = false;
	f->mtime_ns = 0;
	buffer_committed(&f->buffer);
	return 0;
}

/* ------------------------------------------------------------ scratch files become items */

/* Times stay with the file. */
static int
put_scratch(struct mount *m, struct call *c, struct file *f, struct reading *text, bool absent,
	    uint64_t *seq)
{
	uint64_t mtime_ns = f->mtime_ns != 0 ? f->mtime_ns : f->touched_ns;
	int r = f->buffer.text.len > VIEW_TEXT_MAX
			? call_fail(c, ERR_ITEM_TOO_BIG, "the text has over %d bytes",
				    VIEW_TEXT_MAX)
			: read_item_at(m, c, f, text);

	return r != 0 ? r : put(m, c, mtime_ns, absent, text, seq);
}

static void
become_item(struct mount *m, struct file *f, struct node *dir, const struct child *to)
{
	inode_move(&m->inodes, f->node, dir, to->stem, to->full);
	inode_turn(&m->inodes, f->node, NODE_ITEM);
	scratch_free(m, f);
	f->mtime_ns = 0;
	f->kept = false;
	if (file_writers(m, f) > 0) {
		buffer_reload(&f->buffer);
	} else {
		buffer_release(&f->buffer);
	}
}

int
file_promote(struct mount *m, struct call *c, struct file *f, struct node *dir,
	     const struct child *to, bool absent, uint64_t *seq)
{
	{
		lock_scope(&f->lock);
		struct reading text = {.place = to->place};
		int r = put_scratch(m, c, f, &text, absent, seq);

		if (r != 0) {
			keep_text(m, c, f);
			return r;
		}
		compare_text(m, c, f, &text.place, &text.item);
		become_item(m, f, dir, to);
		learn_names(m, f, text.partition, text.full);
	}
	file_put(m, f); /* the ref of its name */
	return 0;
}

/* ------------------------------------------------------------ the states */

int
file_create(struct mount *m, struct call *c, const struct handle *h, bool exclusive)
{
	struct file *f = h->node->file;
	lock_scope(&f->lock);
	struct place p;

	if (f->created) {
		return exclusive ? call_fail(c, ERR_CONDITION, "another creator has this name") : 0;
	}
	if (exclusive) {
		int r = place_of(m, c, f->node, &p);

		if (r != 0) {
			return r;
		}
		if (!hub_reserve(m->hub, place_id(&c->arena, &p), &f->reserved)) {
			return call_fail(c, ERR_CONDITION, "another creator has this name");
		}
	}
	f->created = true;
	f->emptier = h;
	f->touched_ns = c->now_ms * 1000000;
	buffer_empty(&f->buffer);
	return 0;
}

void
file_truncate_open(struct mount *m, struct call *c, const struct handle *h)
{
	struct file *f = h->node->file;
	lock_scope(&f->lock);
	if (f->buffer.poisoned) {
		keep_text(m, c, f);
	}
	touch(c, f);
	f->emptier = h;
	buffer_empty(&f->buffer);
}

/* The object is complete: everything that a put would be refused for. */
static int
judge(struct mount *m, struct call *c, struct file *f)
{
	struct reading text;
	struct facts facts;
	int r = read_item(m, c, f, &text);

	if (r == 0) {
		r = view_check(c, text.place.schema, &text.item);
	}
	if (r == 0 && f->reserved != NULL && text.place.known) {
		r = place_stat(m, c, &text.place, NULL, &facts);
		if (r == 0) {
			return call_fail(c, ERR_CONDITION, "the item was made elsewhere meanwhile");
		}
		r = r == PLACE_ABSENT ? 0 : r;
	}
	return r;
}

static int
judge_write(struct mount *m, struct call *c, struct file *f, enum buffer_verdict verdict)
{
	int r;

	switch (verdict) {
	case BUFFER_GOES_ON:
		return 0;
	case BUFFER_TOO_LONG:
		return call_fail(c, ERR_ITEM_TOO_BIG, "the text has over %d bytes", VIEW_TEXT_MAX);
	case BUFFER_REFUSED:
		return call_fail(c, ERR_SERIALIZATION, "%s", buffer_reason(&f->buffer));
	case BUFFER_COMPLETE:
		break;
	}
	r = judge(m, c, f);
	if (r != 0) {
		buffer_poison(&f->buffer);
	}
	return r;
}

static int
write_scratch(struct mount *m, struct call *c, struct file *f, size_t offset, struct slice bytes)
{
	int r = scratch_reserve(m, c, f, offset + bytes.len);

	if (r == 0) {
		buffer_store(&f->buffer, offset, bytes);
		touch(c, f);
	}
	return r;
}

int
file_write(struct mount *m, struct call *c, struct file *f, size_t offset, struct slice bytes)
{
	lock_scope(&f->lock);
	if (f->scratch != NULL) {
		return write_scratch(m, c, f, offset, bytes);
	}
	bool poisoned = f->buffer.poisoned;
	int r = f->gone ? 0 : load(m, c, f);

	if (r != 0) {
		return r;
	}
	enum buffer_verdict verdict = buffer_write(&f->buffer, offset, bytes);

	touch(c, f);
	if (poisoned) {
		return PLACE_POISONED;
	}
	/* An unlinked file is bytes and nothing else. */
	if (f->gone && verdict != BUFFER_TOO_LONG) {
		f->buffer.poisoned = false;
		return 0;
	}
	return judge_write(m, c, f, verdict);
}

int
file_resize(struct mount *m, struct call *c, struct file *f, uint64_t size, uint64_t *seq)
{
	lock_scope(&f->lock);
	bool open = f->gone || file_writers(m, f) > 0;

	if (f->scratch != NULL) {
		int r = scratch_reserve(m, c, f, size);

		if (r == 0) {
			touch(c, f);
			buffer_resize(&f->buffer, size);
		}
		return r;
	}
	if (size > VIEW_TEXT_MAX) {
		return call_fail(c, ERR_ITEM_TOO_BIG, "the text has over %d bytes", VIEW_TEXT_MAX);
	}
	int r = f->gone ? 0 : load(m, c, f);

	if (r != 0 || (!open && size == f->buffer.text.len)) {
		return r;
	}
	if (size == 0 && f->buffer.poisoned) {
		keep_text(m, c, f);
	}
	touch(c, f);
	buffer_resize(&f->buffer, size);
	if (!open) {
		r = commit(m, c, f, seq);
		buffer_release(&f->buffer);
	}
	return r;
}

bool
file_set_time(struct mount *m, struct file *f, uint64_t mtime_ns)
{
	lock_scope(&f->lock);
	enum buffer_state state = f->buffer.state;

	if (f->scratch != NULL) {
		f->mtime_ns = mtime_ns;
		return true;
	}
	if (f->gone) {
		return true;
	}
	if (file_writers(m, f) == 0 || (state != BUFFER_DIRTY && state != BUFFER_EMPTIED)) {
		return false;
	}
	f->mtime_ns = mtime_ns;
	/* touch: nothing will ever be written, and it counts on the FLUSH that follows. */
	if (f->created && state == BUFFER_EMPTIED) {
		f->buffer.state = BUFFER_DIRTY;
	}
	return true;
}

int
file_flush(struct mount *m, struct call *c, struct file *f, bool rename, uint64_t *seq)
{
	lock_scope(&f->lock);
	if (f->gone || f->scratch != NULL) {
		return 0;
	}
	if (f->buffer.poisoned) {
		keep_text(m, c, f);
		f->node->flags |= NODE_OTHER_TEXT;
		if (f->created) {
			vanish(m, f);
		}
		return PLACE_POISONED;
	}
	bool unwritten = rename && f->created && f->buffer.state == BUFFER_EMPTIED;

	int r = f->buffer.state == BUFFER_DIRTY || unwritten ? commit(m, c, f, seq) : 0;

	f->told = r != 0;
	return r;
}

uint64_t
file_finish(struct mount *m, struct call *c, struct file *f, uint32_t uid, const struct handle *h,
	    bool last)
{
	lock_scope(&f->lock);
	enum buffer_state state = f->buffer.state;
	bool unwritten = state == BUFFER_EMPTIED && (h == NULL || f->emptier == h);
	uint64_t seq = 0;
	int r = 0;

	if (f->gone || f->scratch != NULL) {
		return seq;
	}
	if (!f->buffer.poisoned && (state == BUFFER_DIRTY || unwritten)) {
		r = commit(m, c, f, &seq);
	}
	/* Somebody may have begun to write meanwhile. */
	if (!last || file_writers(m, f) > 0) {
		return seq;
	}
	if (r != 0) {
		keep_text(m, c, f);
		if (!f->told) {
			request_note(m, c, uid, r, f->node);
		}
	} else if (f->buffer.poisoned) {
		keep_text(m, c, f);
	}
	if (f->created) {
		vanish(m, f);
	}
	/* What the kernel's pages hold was refused, or is not the rendering. */
	state = f->buffer.state;
	if (f->differs || f->buffer.poisoned || state == BUFFER_DIRTY || state == BUFFER_EMPTIED) {
		f->node->flags |= NODE_OTHER_TEXT;
	}
	buffer_release(&f->buffer);
	return seq;
}

void
file_end_scratch(struct mount *m, struct call *c, struct file *f)
{
	{
		lock_scope(&f->lock);
		if (!scratch_is(f)) {
			return;
		}
		keep_text(m, c, f);
		if (f->kept) {
			int r = call_fail(
				c, ERR_SERIALIZATION,
				"a scratch file was left at unmount; its text is in rejected/");

			request_note(m, c, m->uid, r, f->node);
		}
	}
	scratch_unlink(m, f);
}

void
file_unlinked(struct mount *m, struct file *f, struct slice text)
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
