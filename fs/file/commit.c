/* commit - see commit.h; puts the items that writers have written, and keeps texts that are no items */
#include "fs/file/commit.h"

#include "store/base/system/say.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"

#include "fs/core/hub.h"
#include "fs/core/inode.h"
#include "fs/core/mount_int.h"
#include "fs/core/pending.h"
#include "fs/file/buffer.h"
#include "fs/file/file.h"
#include "fs/file/file_list.h"
#include "fs/file/hidden.h"
#include "fs/file/origin.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/format/view.h"
#include "fs/place/place.h"
#include "fs/place/place_find.h"
#include "fs/place/place_remote.h"
#include "fs/place/place_stat.h"
#include "fs/saved/rejected.h"
#include "fs/saved/unstored.h"

/* Parsed texts that are kept from WRITE to FLUSH.  They are larger than their texts and not counted, so they are few. */
enum { JUDGED_BYTES_MAX = 16 * 1024, JUDGED_MAX = 64 };

/*
 * Keep @text in STORE/rejected.
 * @kept_at: replaced by the path, on the heap; NULL: not wanted
 */
static bool
commit_keep(struct mount *m, struct call *c, struct file *f, uint32_t uid, struct slice text,
	    char **kept_at)
{
	struct rejected_owner owner = {
		.mount = slice_from(m->mountpoint), .uid = uid, .mode = 0666 & ~m->umask};
	const struct scratch *scratch = f->scratch;
	struct buf where;
	struct slice name = inode_name(&m->inodes, &c->arena, f->node);

	name = f->node->kind == NODE_SCRATCH
		       ? slice_skip(name, 1)
		       : slice_from(arena_print(&c->arena, "%.*s%s", SLICE_ARG(name), m->suffix));
	if (scratch != NULL) {
		owner.uid = scratch->uid;
		owner.mode = scratch->mode;
	}
	buf_init(&where, NULL);
	bool done = rejected_keep_at(&m->hub->rejected, c->now_ms, &owner, name, text, m->ending,
				     &where) == 0;

	buf_char(&where, '\0');
	if (done && kept_at != NULL) {
		free(*kept_at);
		*kept_at = where.at;
	} else {
		buf_release(&where);
	}
	return done;
}

void
commit_left(struct mount *m, struct call *c, struct file *f, struct slice path)
{
	assert(lock_held(&f->lock));
	if (f->buffer.text.len == 0) {
		return;
	}
	const char *said = arena_print(&c->arena, "%s%s %s",
				       f->node->kind == NODE_SCRATCH && m->ending
					       ? "a scratch file that was left"
					       : "a text that was refused",
				       f->kept ? "; it is kept in" : " cannot be kept in",
				       f->kept ? f->kept_at : m->hub->rejected.shown);

	if (m->ending) {
		say("%.*s: %s", SLICE_ARG(path), said);
	}
	unstored_add(&m->unstored, path, slice_from(said), m->ending);
}

void
commit_keep_bytes(struct mount *m, struct call *c, struct file *f, uint32_t uid, struct slice bytes)
{
	(void)commit_keep(m, c, f, uid, bytes, NULL);
}

void
commit_keep_text(struct mount *m, struct call *c, struct file *f)
{
	assert(lock_held(&f->lock));
	struct slice text = buffer_text(&f->buffer);

	if (!f->kept && text.len > 0) {
		f->kept = commit_keep(m, c, f, f->uid, text, &f->kept_at);
	}
}

void
commit_learn(struct mount *m, struct call *c, struct file *f, const struct reading *text)
{
	assert(lock_held(&f->lock));
	origin_renew(f, &text->item);
	request_settle(m, c, f->node);
	if (m->unstored.n > 0) {
		unstored_forget(&m->unstored, request_path(m, &c->arena, f->node, NULL));
	}
	if (text->full.len > 0) {
		inode_set_full(&m->inodes, f->node, text->full);
	}
	if (text->partition.len > 0) {
		struct node *dir = inode_parent(&m->inodes, f->node);

		inode_set_full(&m->inodes, dir, text->partition);
		inode_unref(&m->inodes, dir);
	}
}

int
commit_read_at(struct mount *m, struct call *c, struct file *f, struct reading *out)
{
	assert(lock_held(&f->lock) && out->place.schema != NULL);
	const struct place *p = &out->place;
	int r = view_read(c, p->schema, buffer_text(&f->buffer), &p->key, &out->item,
			  &out->replaced);

	return r != 0 ? r : place_adopt(c, p, m->suffix, &out->item, &out->partition, &out->full);
}

static int
commit_renamed(struct call *c)
{
	int r = call_fail(c, ERR_CONDITION, "renamed to a scratch name while others wrote it");

	return r < 0 ? PLACE_STALE : PLACE_GONE;
}

int
commit_read(struct mount *m, struct call *c, struct file *f, struct reading *out)
{
	if (f->node->kind != NODE_ITEM) {
		return commit_renamed(c);
	}
	int r = place_of(m, c, f->node, &out->place);

	return r != 0 ? r : commit_read_at(m, c, f, out);
}

int
commit_judge(struct mount *m, struct call *c, struct file *f)
{
	assert(lock_held(&f->lock));
	struct judged *j = mem_new(struct judged);

	commit_forget(f);
	f->judged = j;
	j->moves = m->inodes.moves;
	j->drops = m->schemas.drops;
	call_open(&j->keep, c->now_ms, c->arena.budget);
	call_for(&j->keep, c);
	int r = commit_read(m, &j->keep, f, &j->text);
	/* An outcome above 0 may have a reason, too. */
	int failed = j->keep.error.code == ERR_NONE ? 0 : call_adopt(c, &j->keep);

	if (r != 0) {
		commit_forget(f);
	}
	return r < 0 ? failed : r;
}

void
commit_retain(struct mount *m, struct file *f)
{
	struct judged *j = f->judged;
	bool small = j->keep.arena.used <= JUDGED_BYTES_MAX && !mount_is_remote(m);

	assert(lock_held(&f->lock) && j->kept == NULL);
	if (small) {
		j->kept = &m->n_judged;
	}
	if (!small || atomic_fetch_add(j->kept, 1) >= JUDGED_MAX) {
		commit_forget(f);
	}
}

void
commit_forget(struct file *f)
{
	struct judged *j = f->judged;

	if (j != NULL) {
		f->judged = NULL;
		if (j->kept != NULL) {
			(void)atomic_fetch_sub(j->kept, 1);
		}
		call_close(&j->keep);
		free(j);
	}
}

/* The text as WRITE has parsed it, unless a name or a table has changed since; otherwise parse it now. */
static int
commit_read_once(struct mount *m, struct call *c, struct file *f, struct reading *out)
{
	const struct judged *j = f->judged;

	if (j == NULL || j->moves != m->inodes.moves || j->drops != m->schemas.drops) {
		return commit_read(m, c, f, out);
	}
	*out = j->text;
	return 0;
}

int
commit_put(struct mount *m, struct call *c, uint64_t mtime_ns, bool absent, const struct item *seen,
	   const struct reading *text, uint64_t *seq)
{
	const struct place *p = &text->place;
	struct put_item_in in = {.write = {.table = p->table,
					   .item = text->item,
					   .seen.item = seen,
					   .unsynced = true},
				 .mtime_ns = mtime_ns};
	struct put_item_out out;

	/* An endpoint reports an item that is too large only by its message. */
	if (mount_is_remote(m)) {
		int refused = view_check(c, p->schema, &text->item);

		if (refused < 0) {
			return refused;
		}
	}
	int r = seen == NULL || !p->known ? 0 : unchanged_look(m, c, p->table, &p->key, seen);

	if (r != 0) {
		return r;
	}
	if (absent) {
		place_demand_absence(m, &c->arena, p, DEMAND(&in.write));
	}
	unchanged_demand(m, &c->arena, DEMAND(&in.write));
	r = engine_put_item(m->engine, c, &in, &out);
	place_wrote(m);

	if (r == 0 && mount_is_remote(m)) {
		*seq = COMMIT_UNNUMBERED;
	} else if (r == 0) {
		place_stored(m, p, &out.written);
		*seq = out.written.seq;
	}
	return r;
}

void
commit_compare(struct mount *m, struct call *c, struct file *f, const struct reading *text)
{
	assert(lock_held(&f->lock));
	struct buf rendering;

	buf_init(&rendering, &c->arena);
	view_render(&rendering, text->place.schema, m->form, &text->item);
	f->differs = f->mixed || !slice_eq(buf_view(&rendering), buffer_text(&f->buffer));
	if (f->differs) {
		f->node->flags |= NODE_OTHER_TEXT;
	}
}

bool
commit_is_hidden(struct mount *m, struct call *c, struct file *f)
{
	if (!hidden_any(m)) {
		return false;
	}
	struct node *dir = inode_parent(&m->inodes, f->node);
	bool hidden = hidden_is(m, dir, inode_name(&m->inodes, &c->arena, f->node));

	inode_unref(&m->inodes, dir);
	return hidden;
}

static int
commit_replace(struct mount *m, struct call *c, struct file *f, struct reading *text, uint64_t *seq)
{
	/* This put replaces the item that is hidden under the name, if there is one. */
	struct node *dir = inode_parent(&m->inodes, f->node);
	struct hidden *before =
		hidden_any(m) ? hidden_claim(m, dir, inode_name(&m->inodes, &c->arena, f->node))
			      : NULL;
	bool exclusive = before == NULL && commit_is_exclusive(f);
	bool careful = f->origin != NULL;
	const struct item *seen = !careful         ? NULL
				  : before != NULL ? hidden_item(before)
						   : origin_seen(f, c, &text->place);
	bool absent = exclusive || (careful && seen == NULL);
	int r = commit_put(m, c, f->mtime_ns, absent, seen, text, seq);

	hidden_let_go(m, before, r == 0);
	if (r == 0) {
		(void)pending_drop(m, dir);
	}
	inode_unref(&m->inodes, dir);
	if (r == -ERR_CONDITION && !exclusive) {
		return origin_stale(c);
	}
	return r;
}

/*
 * Render the item that a text without anything but the key replaces, as after "jq ... f >f"; else @rendering stays
 * empty.
 */
static void
commit_render_before(struct mount *m, struct call *c, struct file *f, const struct reading *text,
		     struct buf *rendering)
{
	const struct place *p = &text->place;
	size_t n_key = 1 + key_schema_has_sort(&p->schema->key);
	struct error before = c->error;
	struct item item;
	uint64_t mtime_ns;

	if (text->item.n <= n_key && !f->created && !commit_is_hidden(m, c, f) &&
	    place_read(m, c, p, &item, &mtime_ns) == 0 && item.n > n_key) {
		view_render(rendering, p->schema, m->form, &item);
	}
	c->error = before;
}

/* Keep that rendering, since such a commit is seldom intended, and log how to restore it. */
static void
commit_keep_before(struct mount *m, struct call *c, struct file *f, struct slice rendering)
{
	char *where = NULL;
	struct buf b;

	if (rendering.len > 0 && commit_keep(m, c, f, f->uid, rendering, &where)) {
		buf_init(&b, &c->arena);
		buf_str(&b,
			"stored with only its key, as after: jq ... F >F (the shell empties F before "
			"jq reads it; use jq ... F >F.new && mv F.new F); to restore the item: cp ");
		shell_word(&b, slice_from(where));
		buf_char(&b, ' ');
		shell_word(&b, request_path(m, &c->arena, f->node, NULL));
		request_remark(m, c, f->uid, f->node, buf_view(&b));
	}
	free(where);
}

int
commit_file(struct mount *m, struct call *c, struct file *f, uint64_t *seq)
{
	assert(lock_held(&f->lock) && !file_is_bytes(f));
	struct reading text;
	struct buf before;
	int r = commit_read_once(m, c, f, &text);

	buf_init(&before, &c->arena);
	if (r == 0) {
		commit_render_before(m, c, f, &text, &before);
		r = commit_replace(m, c, f, &text, seq);
	}
	if (r != 0) {
		return r;
	}
	commit_learn(m, c, f, &text);
	commit_compare(m, c, f, &text);
	/* cp, tar and install create a file with O_EXCL: there, another key in the text is intended. */
	if (f->reserved == NULL) {
		request_remark(m, c, f->uid, f->node, text.replaced);
	}
	commit_keep_before(m, c, f, buf_view(&before));
	hub_unreserve(m->hub, f->reserved);
	f->reserved = NULL;
	f->created = false;
	f->kept = false;
	f->stale = false;
	f->mtime_ns = 0;
	buffer_committed(&f->buffer);
	commit_forget(f);
	file_committed(m, f);
	return 0;
}
