/* scratch_save - see scratch.h */
#include "fs/core/inode.h"
#include "fs/file/buffer.h"
#include "fs/file/file_list.h"
#include "fs/file/request.h"
#include "fs/file/scratch.h"
#include "fs/saved/scratch_area.h"

/* Return: 0 or an errno. */
static int
scratch_write_copy(struct mount *m, struct call *c, struct file *f)
{
	assert(lock_held(&f->lock) && f->scratch != NULL);
	struct scratch *s = f->scratch;
	const struct scratch_text t = {.mount = m->mountpoint,
				       .path = request_path(m, &c->arena, f->node, NULL),
				       .uid = s->uid,
				       .mode = s->mode,
				       .text = buffer_text(&f->buffer)};
	int error = scratch_area_keep(&m->hub->area, &t, &s->copy);

	if (error == 0) {
		s->saved = true;
		f->unsaved = false;
	}
	return error;
}

static enum err
scratch_error_code(int error)
{
	return error == ENOSPC || error == EDQUOT ? ERR_NO_SPACE : ERR_IO;
}

static const char *
scratch_cure(int error)
{
	return scratch_error_code(error) == ERR_NO_SPACE ? "make room there"
							 : "make this directory writable";
}

static int
scratch_fail(struct mount *m, struct call *c, int error)
{
	return call_fail(c, scratch_error_code(error),
			 "the text of this scratch file cannot be made durable in %s: %s; "
			 "%s, then sync it again",
			 m->hub->area.shown, strerrordesc_np(error), scratch_cure(error));
}

int
scratch_save(struct mount *m, struct call *c, struct file *f, bool answers)
{
	lock_scope(&f->lock);
	struct scratch *s = f->scratch;

	if (!scratch_is(f) || s->saved) {
		f->unsaved = false;
		return 0;
	}
	int error = scratch_write_copy(m, c, f);

	s->told = s->told || (error != 0 && answers);
	return error == 0 ? 0 : scratch_fail(m, c, error);
}

/* The texts of a directory that could not be saved. */
struct scratch_loss {
	struct slice path; /* path of one of them */
	size_t n;
	int error;
};

/* Save a file of the directory. An empty text need not be saved. */
static void
scratch_save_beside(struct mount *m, struct call *c, struct file *f, struct scratch_loss *loss)
{
	lock_scope(&f->lock);
	struct scratch *s = f->scratch;

	if (!scratch_is(f) || s->saved || s->told || f->buffer.text.len == 0) {
		return;
	}
	int error = scratch_write_copy(m, c, f);

	if (error == 0) {
		return;
	}
	s->told = true;
	request_note(m, c, s->uid, scratch_fail(m, c, error), f->node);
	c->error = (struct error){0};
	loss->path = request_path(m, &c->arena, f->node, NULL);
	loss->error = error;
	loss->n++;
}

static int
scratch_refuse_removal(struct mount *m, struct call *c, const struct scratch_loss *loss)
{
	char more[64] = "";

	if (loss->n > 1) {
		(void)snprintf(more, sizeof(more), " (and of %zu more in this directory)",
			       loss->n - 1);
	}
	return call_fail(
		c, scratch_error_code(loss->error),
		"the text of the scratch file %.*s%s is only in memory, and may be the last "
		"copy of the item that you are removing; it cannot be made durable in %s: %s; "
		"%s, or remove the item a second time to remove it anyway",
		SLICE_ARG(loss->path), more, m->hub->area.shown, strerrordesc_np(loss->error),
		scratch_cure(loss->error));
}

int
scratch_save_below(struct mount *m, struct call *c, struct node *dir, const struct file *but)
{
	struct scratch_loss loss = {.n = 0};
	struct file **all;

	/* Usually there is none. A text that changes from here on sets the flag again. */
	if (!inode_take_flag(dir, NODE_UNSAVED)) {
		return 0;
	}
	size_t n = file_all(m, &c->arena, &all);

	for (size_t i = 0; i < n; i++) {
		if (all[i] != but && inode_is_child(&m->inodes, all[i]->node, dir)) {
			scratch_save_beside(m, c, all[i], &loss);
		}
		file_put(m, all[i]);
	}
	return loss.n == 0 ? 0 : scratch_refuse_removal(m, c, &loss);
}

bool
scratch_is_durable(struct file *f)
{
	lock_scope(&f->lock);
	const struct scratch *s = f->scratch;

	return s != NULL && s->copy != 0;
}

unsigned
scratch_leave_copy(struct file *f)
{
	assert(lock_held(&f->lock) && f->scratch != NULL);
	struct scratch *s = f->scratch;
	unsigned copy = s->copy;

	s->copy = 0;
	return copy;
}
