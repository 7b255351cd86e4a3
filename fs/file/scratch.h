/*
 * scratch - files that are no items: temporary files of editors and programs
 *
 * Bytes in memory with mode, owner and times of their own, visible in this mount only. A scratch file is a struct file
 * (file.h) with a struct scratch; its node is a NODE_SCRATCH. Its name holds one reference to the file.
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
#include "fs/place/place_stat.h"

enum {
	SCRATCH_FILE_BYTES = ACCOUNT_OBJECT_BYTES, /* the least that a file counts */
};

#define SCRATCH_REFUSED ".rejected" /* suffix of a file that shows a refused text */

/* The file's lock guards all members. */
struct scratch {
	mode_t mode; /* permissions */
	uid_t uid;
	gid_t gid;
	struct account *account; /* of the user that created it */
	struct usage usage;      /* in addition to the text's */
	size_t counted;          /* part of mount.scratch_bytes, and of account.scratch */
	bool pristine;           /* an item's text, unchanged */
	/* Number of the copy in STORE/scratch, of the present text or an older one; 0: none. */
	unsigned copy;
	bool saved; /* the copy has the present text, name, owner and mode */
	bool told;  /* a user was told why its text cannot be saved */
};

static inline bool
scratch_is(const struct file *f)
{
	return f->scratch != NULL && !f->gone;
}

/** scratch_is_refused - Return: whether it shows a refused text, which is kept. No lock is needed */
static inline bool
scratch_is_refused(const struct file *f)
{
	return f->refused && !f->gone;
}

/** scratch_create - create an empty scratch file for the node of a name, unless it has one; PLACE_GONE, -ERR_NO_SPACE */
int scratch_create(struct mount *m, struct call *c, struct node *n, const struct scratch *like)
	must_check;

/**
 * scratch_open - open the scratch file of a name for writing, created if there is none
 * @is_new: it was created; if it cannot be opened, it is removed again
 */
int scratch_open(struct mount *m, struct call *c, struct node *n, const struct scratch *like,
		 struct handle **out, bool *is_new) must_check;

/**
 * scratch_become - turn an item's file into a scratch file; takes the lock
 * @text:    of the item, unless the file has a text that is being written
 * @is_item: a text that a writer has committed is still that item
 *
 * Errors: -ERR_NO_SPACE
 */
int scratch_become(struct mount *m, struct call *c, struct file *f, const struct scratch *like,
		   struct slice text, uint64_t mtime_ns, bool is_item) must_check;

/** scratch_stay_item - undo scratch_become(), because the item was not renamed; takes the lock */
void scratch_stay_item(struct mount *m, struct file *f);

/**
 * scratch_free - drop the struct scratch: the file is freed, or an item now
 *
 * The caller holds the lock, or no other thread has the file.
 */
void scratch_free(struct mount *m, struct file *f);

/* For the following functions the caller holds the lock of the file, which is a scratch file. */

/** scratch_reserve - count a text of @size bytes; -ERR_NO_SPACE */
int scratch_reserve(struct mount *m, struct call *c, struct file *f, size_t size) must_check;

/** scratch_attributes - set owner and mode for stat */
void scratch_attributes(const struct file *f, struct attributes *out);

/** scratch_owner - the user that it belongs to */
static inline uint32_t
scratch_owner(const struct file *f)
{
	const struct scratch *s = f->scratch;

	return s->uid;
}

/** scratch_changed - note that its text has changed; harmless for other files */
void scratch_changed(struct mount *m, struct file *f);

/* The following functions take the lock. */

/** scratch_uid - scratch_owner(), or the mount's user if the file is an item by now */
uint32_t scratch_uid(const struct mount *m, struct file *f);

/**
 * scratch_set_owner - chmod, chown
 * @to_set: which members to set, FUSE_SET_ATTR_*
 *
 * Return: whether there is a copy that must be written again; the caller then calls hidden_look()
 */
bool scratch_set_owner(struct file *f, const struct stat *attr, int to_set) must_check;

/**
 * scratch_show_refused - show the text of an item's file in a scratch file beside it, NAME.json.rejected
 * @refused: false: an item has that name now: remove the scratch file, unless a user has changed or renamed it, or can change it
 *
 * Nothing is shown if there is no memory for it. The caller holds no lock.
 */
void scratch_show_refused(struct mount *m, struct call *c, struct file *item, bool refused);

/**
 * scratch_begin_rename - before a rename to another scratch name: a file that shows a refused text becomes the user's
 *
 * Return: false if it is gone. From here on no stored item removes it
 */
bool scratch_begin_rename(struct file *f) must_check;

/** scratch_renamed - note that its name, or its directory's, has changed; Return: as scratch_set_owner() */
bool scratch_renamed(struct mount *m, struct file *f) must_check;

/** scratch_unlink - note that its name is gone; open handles keep it */
void scratch_unlink(struct mount *m, struct file *f);

/* ------------------------------------------------------------ durable copies (scratch_save.c) */

/**
 * scratch_save - make the text durable; harmless for other files, and if it has not changed since the last time
 * @answers: a failure is reported to the user
 *
 * It takes the file's lock.
 * Errors: -ERR_NO_SPACE, -ERR_IO; an older copy is unchanged then, unless only syncing the directory failed
 */
int scratch_save(struct mount *m, struct call *c, struct file *f, bool answers) must_check;

/**
 * scratch_save_below - likewise for all scratch files in @dir, before an item there is removed
 * @but: a file that will be removed itself, or NULL
 *
 * Files that are open for writing are saved, too: the RELEASE of a program that has closed its file may arrive later.
 * It takes the locks of the files.
 *
 * Errors: as scratch_save(), for texts whose failure was not reported before. So a second attempt succeeds, which allows
 * a user to make room on a full disk.
 */
int scratch_save_below(struct mount *m, struct call *c, struct node *dir, const struct file *but)
	must_check;

/** scratch_is_durable - Return: whether there is a copy of a text that the file has or had. It takes the file's lock. */
bool scratch_is_durable(struct file *f);

/**
 * scratch_leave_copy - give up the copy of a scratch file that ends: it stays in STORE/scratch
 *
 * The caller holds the file's lock.
 * Return: its number for scratch_area_drop(), when the item is durable; 0: there is no copy
 */
unsigned scratch_leave_copy(struct file *f);

#endif
