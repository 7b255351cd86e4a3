/* scratch - see scratch.h; file.c reads and writes scratch files, scratch_save.c makes them durable */
#include "fs/file/scratch.h"

#include "fs/core/inode.h"
#include "fs/core/memory_account.h"
#include "fs/file/buffer.h"
#include "fs/file/file_list.h"
#include "fs/file/handle.h"
#include "fs/place/place_stat.h"
#include "fs/saved/scratch_area.h"

/* It counts for the creating user, whatever owner the file shows. */
static struct scratch *
scratch_copy(struct mount *m, const struct call *c, const struct scratch *like)
{
	struct scratch *s = mem_new(struct scratch);

	*s = *like;
	s->account = account_of(&m->accounts, c->uid);
	s->usage = (struct usage){.account = s->account};
	return s;
}

/* Take @size bytes of what a user may have in scratch files. */
static bool
take_room(struct mount *m, struct scratch *s, size_t size)
{
	/* A larger size is refused in any case; the bound avoids an overflow. */
	size_t need =
		SCRATCH_FILE_BYTES + (size < ACCOUNT_SCRATCH_MAX ? size : ACCOUNT_SCRATCH_MAX);

	if (need <= s->counted) {
		return true;
	}
	size_t more = need - s->counted;

	if (atomic_fetch_add(&s->account->scratch, more) + more > ACCOUNT_SCRATCH_MAX) {
		s->account->scratch -= more;
		return false;
	}
	m->scratch_bytes += more;
	s->counted += more;
	return true;
}

static void
give_room(struct mount *m, struct scratch *s, size_t bytes)
{
	m->scratch_bytes -= bytes;
	s->account->scratch -= bytes;
	s->counted -= bytes;
}

/* @made: whether the file became the scratch file; another request may have done that just before */
static int
file_scratch_create(struct mount *m, struct call *c, struct file *f, const struct scratch *like,
		    bool *made)
{
	lock_scope(&f->lock);

	*made = false;
	if (f->gone || f->scratch != NULL) {
		return f->gone ? PLACE_GONE : 0;
	}
	f->scratch = scratch_copy(m, c, like);
	f->touched_ns = c->now_ms * 1000000;
	buffer_empty(&f->buffer);
	int r = scratch_reserve(m, c, f, 0);

	if (r != 0) {
		scratch_free(m, f);
	}
	*made = r == 0;
	return r;
}

int
scratch_create(struct mount *m, struct call *c, struct node *n, const struct scratch *like)
{
	struct file *f = file_make(m, n); /* the reference of its name */
	bool made;
	int r = file_scratch_create(m, c, f, like, &made);

	if (!made) {
		file_put(m, f);
	}
	return r;
}

int
scratch_open(struct mount *m, struct call *c, struct node *n, const struct scratch *like,
	     struct handle **out, bool *is_new)
{
	struct file *f = file_get(m, n);

	/* The kernel creates only names that it does not know, so a file is found only after a race. */
	*is_new = f == NULL || !scratch_is(f);
	file_put(m, f);
	int r = *is_new ? scratch_create(m, c, n, like) : 0;

	if (r != 0) {
		return r;
	}
	*out = handle_open(m, c, n, true);
	if (*out == NULL && *is_new) {
		f = file_get(m, n);
		scratch_unlink(m, f);
		file_put(m, f);
	}
	return *out == NULL ? handle_none(c) : 0;
}

static struct slice
scratch_text_of(struct call *c, struct file *f)
{
	lock_scope(&f->lock);

	return slice_copy(&c->arena, buffer_text(&f->buffer));
}

/* Set the text of the scratch file of a new node, or of one that shows an older text; a user's file keeps its own. */
static void
show_text(struct mount *m, struct call *c, struct node *n, struct slice text)
{
	const struct scratch like = {.mode = 0666 & ~m->umask, .uid = c->uid, .gid = m->gid};
	struct error error = c->error;
	struct file *f = file_get(m, n);
	bool made = f == NULL && scratch_create(m, c, n, &like) == 0;

	f = made ? file_get(m, n) : f;
	if (f != NULL) {
		lock_scope(&f->lock);

		if (scratch_is(f) && (made || f->refused) &&
		    scratch_reserve(m, c, f, text.len) == 0) {
			buffer_load(&f->buffer, text);
			f->refused = true;
		}
	}
	file_put(m, f);
	c->error = error;
}

/* Remove the name; @shown: only if it still shows a refused text, which a user may be changing. */
static void
scratch_unlink_file(struct mount *m, struct file *f, bool shown)
{
	bool was_named;
	{
		lock_scope(&f->lock);
		if (shown && !scratch_is_refused(f)) {
			return;
		}
		was_named = scratch_is(f);
		f->gone = true;
		f->unsaved = false;
		if (was_named) {
			scratch_area_drop(&m->hub->area, scratch_leave_copy(f));
		}
	}
	inode_detach(&m->inodes, f->node);
	if (was_named) {
		file_put(m, f);
	}
}

/* Not while a program has it open for writing: what it writes to a file without a name would be lost. */
static void
hide_text(struct mount *m, struct node *n)
{
	struct file *f = file_get(m, n);

	if (f != NULL && scratch_is_refused(f)) {
		write_scope(&m->names_lock); /* no program opens it meanwhile */
		if (file_writers(m, f) == 0) {
			scratch_unlink_file(m, f, true);
		}
	}
	file_put(m, f);
}

void
scratch_show_refused(struct mount *m, struct call *c, struct file *item, bool refused)
{
	struct slice stem = inode_name(&m->inodes, &c->arena, item->node);
	struct node *dir = inode_parent(&m->inodes, item->node);
	struct node *n = NULL;
	struct slice name = slice_from(
		arena_print(&c->arena, "/%.*s%s" SCRATCH_REFUSED, SLICE_ARG(stem), m->suffix));

	if (!refused) {
		n = inode_find(&m->inodes, dir, name);
	} else if (name.len <= PATH_NAME_MAX) {
		n = inode_look(&m->inodes, dir, NODE_SCRATCH, name, SLICE(""));
	}
	if (n != NULL && refused) {
		show_text(m, c, n, scratch_text_of(c, item));
		inode_forget(&m->inodes, n, 1);
	} else if (n != NULL) {
		hide_text(m, n);
		inode_unref(&m->inodes, n);
	}
	inode_unref(&m->inodes, dir);
}

int
scratch_become(struct mount *m, struct call *c, struct file *f, const struct scratch *like,
	       struct slice text, uint64_t mtime_ns, bool is_item)
{
	lock_scope(&f->lock);
	struct scratch *s = scratch_copy(m, c, like);
	enum buffer_state state = f->buffer.state;

	f->scratch = s;
	/* A writer's text stays the file's text, unless others have stored another item since. */
	bool own = state != BUFFER_NONE && (state != BUFFER_LOADED || is_item) &&
		   file_writers(m, f) > 0;
	int r = scratch_reserve(m, c, f, own ? f->buffer.text.len : text.len);

	if (r != 0) {
		scratch_free(m, f);
		return r;
	}
	if (!own) {
		buffer_load(&f->buffer, text);
		f->mtime_ns = mtime_ns;
		s->pristine = true;
	}
	f->unsaved = true;
	file_lead(m, f);
	return 0;
}

void
scratch_stay_item(struct mount *m, struct file *f)
{
	lock_scope(&f->lock);
	scratch_free(m, f);
	/* The loaded text may be older than the item that a writer finds next. */
	if (f->buffer.state == BUFFER_LOADED) {
		f->stale = true;
		f->mtime_ns = 0;
	}
}

void
scratch_free(struct mount *m, struct file *f)
{
	struct scratch *s = f->scratch;

	if (s != NULL) {
		give_room(m, s, s->counted);
		usage_end(&s->usage);
		f->scratch = NULL;
		f->refused = false;
		f->unsaved = false;
		free(s);
	}
}

int
scratch_reserve(struct mount *m, struct call *c, struct file *f, size_t size)
{
	assert(lock_held(&f->lock) && f->scratch != NULL);
	struct scratch *s = f->scratch;
	size_t before = s->counted;

	if (!take_room(m, s, size)) {
		return call_fail(
			c, ERR_NO_SPACE,
			"the scratch files of one user may have at most %d MB in total: remove some",
			ACCOUNT_SCRATCH_MAX >> 20);
	}
	if (!usage_raise(&s->usage, SCRATCH_FILE_BYTES) ||
	    !buffer_reserve(&f->buffer, s->account, size)) {
		give_room(m, s, s->counted - before);
		return account_full(c);
	}
	return 0;
}

void
scratch_changed(struct mount *m, struct file *f)
{
	assert(lock_held(&f->lock));
	struct scratch *s = f->scratch;

	if (s != NULL) {
		s->pristine = false;
		f->refused = false;
		s->saved = false;
		s->told = false;
		inode_flag_parent(&m->inodes, f->node, NODE_UNSAVED);
	}
}

/* ------------------------------------------------------------ */

void
scratch_attributes(const struct file *f, struct attributes *out)
{
	assert(lock_held(&f->lock) && f->scratch != NULL);
	const struct scratch *s = f->scratch;

	out->owned = true;
	out->mode = s->mode;
	out->uid = s->uid;
	out->gid = s->gid;
}

uint32_t
scratch_uid(const struct mount *m, struct file *f)
{
	lock_scope(&f->lock);
	return f->scratch == NULL ? m->uid : scratch_owner(f);
}

/* Path, owner or mode have changed, which a copy contains: mark it as old. Return: whether there is a copy */
static bool
scratch_head_changed(struct file *f)
{
	assert(lock_held(&f->lock));
	struct scratch *s = f->scratch;

	if (s == NULL || s->copy == 0) {
		return false;
	}
	s->saved = false;
	f->unsaved = true;
	return true;
}

bool
scratch_set_owner(struct file *f, const struct stat *attr, int to_set)
{
	const int head = FUSE_SET_ATTR_MODE | FUSE_SET_ATTR_UID;
	lock_scope(&f->lock);
	struct scratch *s = f->scratch;

	if (s == NULL) {
		return false;
	}
	if ((to_set & FUSE_SET_ATTR_MODE) != 0) {
		s->mode = attr->st_mode & ALLPERMS;
	}
	if ((to_set & FUSE_SET_ATTR_UID) != 0) {
		s->uid = attr->st_uid;
	}
	if ((to_set & FUSE_SET_ATTR_GID) != 0) {
		s->gid = attr->st_gid;
	}
	return (to_set & head) != 0 && scratch_head_changed(f);
}

bool
scratch_begin_rename(struct file *f)
{
	lock_scope(&f->lock);
	if (!scratch_is(f)) {
		return false;
	}
	f->refused = false;
	return true;
}

bool
scratch_renamed(struct mount *m, struct file *f)
{
	lock_scope(&f->lock);
	if (f->scratch == NULL) {
		return false;
	}
	inode_flag_parent(&m->inodes, f->node, NODE_UNSAVED);
	return scratch_head_changed(f);
}

void
scratch_unlink(struct mount *m, struct file *f)
{
	scratch_unlink_file(m, f, false);
}
