/*
 * commit - turns a file's text into an item
 *
 * For file.c, file_end.c, origin.c and ops_scratch.c. The caller holds the file's lock, where a function has a file.
 */
#ifndef FS_FILE_COMMIT_H
#define FS_FILE_COMMIT_H

#include <stdatomic.h>

#include "fs/file/file.h"

/* A text as an item at a place. */
struct reading {
	struct place place;
	struct item item;
	struct slice partition; /* whole components of shortened names */
	struct slice full;
	/* A sentence if the text and the path have different values of a key attribute. */
	struct slice replaced;
};

/* A complete text as WRITE has parsed it, so that FLUSH need not do it again. */
struct judged {
	struct call keep; /* memory of the reading */
	struct reading text;
	/* inodes.moves and schemas.drops before: the place is valid until they change. */
	uint64_t moves;
	uint64_t drops;
	atomic_uint *kept; /* mount.n_judged, which counts this one; NULL: it does not */
};

/** commit_judge - commit_read(), with the result in f->judged, which is NULL if it fails */
int commit_judge(struct mount *m, struct call *c, struct file *f) must_check;

/** commit_retain - keep f->judged until FLUSH, unless it is large or the mount keeps many */
void commit_retain(struct mount *m, struct file *f);

/** commit_forget - the text has changed, or is stored: free f->judged */
void commit_forget(struct file *f);

/**
 * commit_read - parse the text as the item of its node; 0, PLACE_STALE or PLACE_GONE: a scratch file now; or an error
 */
int commit_read(struct mount *m, struct call *c, struct file *f, struct reading *out) must_check;

/** commit_read_at - parse the text as an item at out->place */
int commit_read_at(struct mount *m, struct call *c, struct file *f, struct reading *out) must_check;

enum { COMMIT_UNNUMBERED = 1 }; /* sequence number of each change, where an endpoint returns none */

/**
 * commit_put - put the item
 * @absent: require that there is none
 * @seen:   require that the store still has this item; NULL: no condition
 * @seq:    set to the sequence number of the change
 */
int commit_put(struct mount *m, struct call *c, uint64_t mtime_ns, bool absent,
	       const struct item *seen, const struct reading *text, uint64_t *seq) must_check;

/** commit_file - store the text as the item of its node; after an error the old item is intact */
int commit_file(struct mount *m, struct call *c, struct file *f, uint64_t *seq) must_check;

/** commit_is_hidden - Return: whether the item of the file's name is hidden */
bool commit_is_hidden(struct mount *m, struct call *c, struct file *f);

/** commit_is_exclusive - Return: whether it was created with O_EXCL, and this mount has saved no item there since */
static inline bool
commit_is_exclusive(const struct file *f)
{
	return f->reserved != NULL && f->created;
}

/** commit_compare - note whether the kernel's pages, which have the text, are the rendering */
void commit_compare(struct mount *m, struct call *c, struct file *f, const struct reading *text);

/** commit_learn - after the put: update the origin, settle logged refusals, note whole components of shortened names */
void commit_learn(struct mount *m, struct call *c, struct file *f, const struct reading *text);

/** commit_keep_bytes - keep in STORE/rejected bytes that @uid has written and that are not in the text */
void commit_keep_bytes(struct mount *m, struct call *c, struct file *f, uint32_t uid,
		       struct slice bytes);

/** commit_keep_text - keep a text that is no item in STORE/rejected, once */
void commit_keep_text(struct mount *m, struct call *c, struct file *f);

/**
 * commit_left - note that the text of @f was not stored at @path: the end of the mount reports it, and where it is kept
 *
 * Without a text it does nothing.
 */
void commit_left(struct mount *m, struct call *c, struct file *f, struct slice path);

#endif
