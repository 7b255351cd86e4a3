/*
 * scratch - files beside the items that are none: editors' and programs' temporary files
 *
 * Bytes in memory with mode, owner and times of their own, seen in this mount only.
 * One is a struct file (handle.h) that has a struct scratch; its node is a
 * NODE_SCRATCH.  Its name holds one ref of the file.
 *
 *            CREATE                       RENAME to an item's name: a put
 *   (none) ----------> scratch file ------------------------------------> item
 *                          |   ^
 *         UNLINK, unmount  |   | RENAME to another scratch name
 *                          v   +---
 *                        (none): at unmount its text is kept in STORE/rejected
 */
#ifndef FS_FILE_SCRATCH_H
#define FS_FILE_SCRATCH_H

#include "fs/file/handle.h"

enum {
	SCRATCH_FILE_BYTES = ACCOUNT_OBJECT_BYTES, /* each file takes so many, however short */
};

#define SCRATCH_REFUSED ".rejected" /* ends the name of one that shows a refused text */

/* Guarded by the file's lock. */
struct scratch {
	mode_t mode; /* permissions */
	uid_t uid;
	gid_t gid;
	struct account *account; /* who made it */
	struct charge charge;    /* beside the text */
	size_t charged;          /* part of mount.scratch_bytes, and of account.scratch */
	bool pristine;           /* an item's text, unchanged */
	unsigned copy; /* of a text that it has or had, in STORE/scratch; 0: there is none */
	bool saved;    /* that is the text it has, with its name, owner and mode */
	bool told;     /* a user has the errno why its text cannot be saved */
};

static inline bool
scratch_is(const struct file *f)
{
	return f->scratch != NULL && !f->gone;
}

/** scratch_is_refused - is it a scratch file that shows a refused text, which is kept? No lock is needed to look */
static inline bool
scratch_is_refused(const struct file *f)
{
	return f->refused && !f->gone;
}

/** scratch_create - the node of a new name becomes an empty scratch file; -ERR_NO_SPACE */
int scratch_create(struct mount *m, struct call *c, struct node *n, const struct scratch *like)
	__attribute__((warn_unused_result));

/**
 * scratch_open - open the scratch file of a name for writing, made when there is none
 * @is_new: it was made, and does not stay if it cannot be opened
 */
int scratch_open(struct mount *m, struct call *c, struct node *n, const struct scratch *like,
		 struct handle **out, bool *is_new) __attribute__((warn_unused_result));

/**
 * scratch_become - an item's file becomes one; takes the lock
 * @text:    of the item, unless the file has a text that is being written
 * @is_item: a text that a writer has committed is that item still
 *
 * Errors: -ERR_NO_SPACE
 */
int scratch_become(struct mount *m, struct call *c, struct file *f, const struct scratch *like,
		   struct slice text, uint64_t mtime_ns, bool is_item)
	__attribute__((warn_unused_result));

/** scratch_stay_item - undo that: its item has not got another name */
void scratch_stay_item(struct mount *m, struct file *f);

/** scratch_free - the file is freed, or an item now; the lock is held, or nobody has the file */
void scratch_free(struct mount *m, struct file *f);

/* The following are for files with a scratch whose lock is held. */

/** scratch_reserve - room for a text of @size bytes; -ERR_NO_SPACE */
int scratch_reserve(struct mount *m, struct call *c, struct file *f, size_t size)
	__attribute__((warn_unused_result));

/** scratch_is_pristine - is its text still that of the item it was? */
bool scratch_is_pristine(const struct file *f);

/** scratch_facts - what stat shows */
void scratch_facts(const struct file *f, struct facts *out);

/** scratch_owner - whose it is */
static inline uint32_t
scratch_owner(const struct file *f)
{
	const struct scratch *s = f->scratch;

	return s->uid;
}

/** scratch_changed - its text is another one; harmless for other files, whose lock is held too */
void scratch_changed(struct mount *m, struct file *f);

/**
 * scratch_leave_copy - the file is going to be an item: what was saved stays in STORE/scratch
 *
 * Return: for scratch_area_drop(), when the item is durable; 0 when nothing was saved
 */
unsigned scratch_leave_copy(struct file *f);

/* These take it. */

/**
 * scratch_save - make the text durable in STORE/scratch; harmless for other files, and when it was not changed since
 * @answers: who asks is told of a failure
 *
 * Errors: -ERR_NO_SPACE, -ERR_IO; an older copy is as it was then
 */
int scratch_save(struct mount *m, struct call *c, struct file *f, bool answers)
	__attribute__((warn_unused_result));

/**
 * scratch_save_below - the same of all scratch files in @dir, before an item there is removed
 * @but: is going to be removed itself; NULL: none
 *
 * Those that are open for writing, too: the RELEASE of a program that has closed its file may come later.
 *
 * Errors: as scratch_save(), of texts whose failure no user was told of yet.  So a second attempt succeeds, by which
 * room can be made on a disk that is full.
 */
int scratch_save_below(struct mount *m, struct call *c, struct node *dir, const struct file *but)
	__attribute__((warn_unused_result));

/** scratch_uid - scratch_owner(); of a file that is an item by now, that of @m */
uint32_t scratch_uid(const struct mount *m, struct file *f);

/** scratch_is_durable - is there a copy of a text that it has or had? */
bool scratch_is_durable(struct file *f);

/**
 * scratch_set_owner - chmod, chown; those of @to_set (FUSE_SET_ATTR_*)
 *
 * Return: is there a copy, which has to be written again? Then hidden_look() sees to it.
 */
bool scratch_set_owner(struct file *f, const struct stat *attr, int to_set)
	__attribute__((warn_unused_result));

/**
 * scratch_show_refused - show the text of an item's file in a scratch file beside it, NAME.json.rejected; no lock is held
 * @refused: else an item has that name now, and the scratch file goes if nobody has changed it
 *
 * Nothing is shown if there is no memory for it.
 */
void scratch_show_refused(struct mount *m, struct call *c, struct file *item, bool refused);

/** scratch_renamed - its name or that of its directory is another one; Return: as scratch_set_owner() */
bool scratch_renamed(struct mount *m, struct file *f) __attribute__((warn_unused_result));

/** scratch_unlink - its name is gone; who has it open goes on */
void scratch_unlink(struct mount *m, struct file *f);

#endif
