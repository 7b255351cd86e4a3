/*
 * commit - a file's text becomes an item
 *
 * For file.c and ops_scratch.c, which hold the file's lock.
 */
#ifndef FS_FILE_COMMIT_H
#define FS_FILE_COMMIT_H

#include "fs/file/handle.h"

/* What a text means at a place. */
struct reading {
	struct place place;
	struct item item;
	struct slice partition; /* whole components of shortened names */
	struct slice full;
	struct slice
		replaced; /* a sentence, of a key attribute that the text has otherwise than the path */
};

/** commit_read - what the text means at its node's place, which is found out; PLACE_STALE: it is a scratch file's now */
int commit_read(struct mount *m, struct call *c, struct file *f, struct reading *out)
	__attribute__((warn_unused_result));

/** commit_read_at - what the text would mean at out->place */
int commit_read_at(struct mount *m, struct call *c, struct file *f, struct reading *out)
	__attribute__((warn_unused_result));

enum { COMMIT_UNNUMBERED = 1 }; /* the number of any change where a server elsewhere tells none */

/** commit_put - put the item; @absent: demand that there is none; @seen: if given, demand that it is what it was then */
int commit_put(struct mount *m, struct call *c, uint64_t mtime_ns, bool absent,
	       const struct item *seen, const struct reading *text, uint64_t *seq)
	__attribute__((warn_unused_result));

/** commit_file - the text becomes the item of its node; whatever fails, the old item is intact */
int commit_file(struct mount *m, struct call *c, struct file *f, uint64_t *seq)
	__attribute__((warn_unused_result));

/** commit_is_hidden - is the item of its name hidden? */
bool commit_is_hidden(struct mount *m, struct call *c, struct file *f);

/** commit_is_exclusive - was it made with O_EXCL, and nobody in this mount has saved an item there since? */
static inline bool
commit_is_exclusive(const struct file *f)
{
	return f->reserved != NULL && f->created;
}

/** commit_compare - remember whether the kernel's pages, which hold the text, are the rendering */
void commit_compare(struct mount *m, struct call *c, struct file *f, const struct reading *text);

/** commit_learn - what is known now that the item was put: it, whole components of shortened names, refusals that are settled */
void commit_learn(struct mount *m, struct call *c, struct file *f, const struct reading *text);

/** commit_keep_bytes - keep in STORE/rejected what @uid has written to the file and is not in its text */
void commit_keep_bytes(struct mount *m, struct call *c, struct file *f, uint32_t uid,
		       struct slice bytes);

/** commit_keep_text - keep a text that is no item there, once */
void commit_keep_text(struct mount *m, struct call *c, struct file *f);

/** commit_left - the text of @f, if it has one, was not stored at @path: the end of the mount names it, and where it is kept */
void commit_left(struct mount *m, struct call *c, struct file *f, struct slice path);

#endif
