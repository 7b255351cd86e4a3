/*
 * file - struct file: a text in memory and its writers; what OPEN, WRITE and SETATTR do to it
 *
 * The first writer creates the file; it is freed with the last handle. A node has one file, until a writer starts again
 * (O_TRUNC) while another one writes: then that writer gets a file of its own, so that each text is judged and saved
 * alone and the last close wins, as between mounts.
 *
 *   node.file --> file --older--> file ...     the newest text first: readers see it, and further writers share it
 *
 * The states of a file are those of its buffer (buffer.h). It is committed (NAMESPACE 4) by:
 *
 *   FLUSH, FSYNC, RENAME   if DIRTY, for RENAME also if EMPTIED; fails with EBADMSG while the text is no item
 *   RELEASE                if DIRTY; if EMPTIED by this handle and never written
 *   SETATTR(size)          immediately, if there is no writer
 *   unmount                as the RELEASE of each writer
 *
 * A scratch file (scratch.h) has the same states, and is committed only when it is renamed to an item.
 */
#ifndef FS_FILE_FILE_H
#define FS_FILE_FILE_H

#include "fs/core/mount_int.h"
#include "fs/file/buffer.h"
#include "fs/place/place_stat.h"

struct handle;
struct judged;
struct origin;
struct scratch;

struct file {
	/* mount.files_lock guards these. */
	struct file *next;  /* in mount.files */
	struct file **link; /* the pointer to it in mount.files */
	struct node *node;  /* one reference; constant */
	struct file *older; /* of the same node */
	/* Requests that use it, and a scratch file's name; node.file also lives while node.opens > 0. */
	unsigned refs;
	unsigned handles; /* handles that have it, until they are closed */
	unsigned writers; /* those of them that are open for writing */
	/* The node had other texts beside this: the kernel's pages may be of several. */
	atomic_bool mixed;

	pthread_mutex_t lock; /* guards all members below that are not atomic */
	struct buffer buffer;
	atomic_bool created; /* no such item at CREATE, and nothing committed since */
	atomic_bool gone;    /* unlinked, or a new file that was refused: never committed */
	atomic_bool kept;    /* the refused text is in STORE/rejected, and no longer shown */
	char *kept_at;       /* path of the kept text, on the heap; NULL: not kept */
	const struct handle *emptier; /* the handle whose O_CREAT or O_TRUNC made it EMPTIED */
	struct judged *judged;        /* the text as WRITE has parsed it (commit.h), or NULL */
	bool told;                    /* FLUSH has reported why this text is no item */
	bool differs;                 /* the committed text is not the item's rendering */
	uint32_t uid;                 /* the user that changed the text last */
	uint64_t touched_ns;          /* last change of the text */
	uint64_t mtime_ns;            /* given by utimensat for the next commit; 0: none */
	struct reserved *reserved;    /* by O_EXCL, until the first commit */
	struct origin *origins;       /* what the store had when its writers opened it */
	struct origin *origin;        /* of the text: what a commit may replace; NULL: anything */
	/* A scratch file whose copy must be written: there was an item, or an older copy. */
	atomic_bool unsaved;
	_Atomic uint64_t save_ns; /* steady: after a failure, do not save before that time */
	atomic_bool stale;        /* the item was changed elsewhere since the text was loaded */
	_Atomic(struct scratch *) scratch; /* set for a scratch file; NULL: an item's file */
	atomic_bool refused; /* it shows a refused text, unchanged, which is in STORE/rejected */
};

/** file_is_bytes - Return: whether its text will never be an item under this name: a scratch file, or unlinked */
static inline bool
file_is_bytes(const struct file *f)
{
	return f->gone || f->scratch != NULL;
}

/*
 * The following functions take the file's lock. @seq: set to the sequence number of the commit; unchanged if there was
 * none.
 */

/** file_opened - note that a writer has opened it; 0, PLACE_GONE, or the engine's error */
int file_opened(struct mount *m, struct call *c, struct handle *h) must_check;

/**
 * file_create - begin a new, empty, uncommitted item; PLACE_GONE
 * @alone: with O_EXCL its place, where no other creator may be; otherwise NULL
 */
int file_create(struct mount *m, struct call *c, struct handle *h, const struct place *alone)
	must_check;

/** file_truncate_open - O_TRUNC of an existing item */
void file_truncate_open(struct mount *m, struct call *c, const struct handle *h);

/** file_text - copy bytes of its own text; false: it shows the committed item */
bool file_text(struct mount *m, struct call *c, struct file *f, size_t offset, size_t size,
	       struct slice *out);

/** file_write - WRITE; at FILE_END: append */
#define FILE_END SIZE_MAX
int file_write(struct mount *m, struct call *c, const struct handle *h, size_t offset,
	       struct slice bytes) must_check;

/** file_resize - SETATTR(size); @h: for ftruncate(), else NULL; commits if there is no writer */
int file_resize(struct mount *m, struct call *c, struct file *f, const struct handle *h,
		uint64_t size, uint64_t *seq) must_check;

/** file_set_time - keep the time for the next commit; false: no commit will follow, so set it now */
bool file_set_time(struct mount *m, struct file *f, uint64_t mtime_ns);

/** attr_of_writer - attributes of the text of an open writer, instead of the store's; false: there is none */
bool attr_of_writer(struct mount *m, struct node *n, struct attributes *attributes);

/* ------------------------------------------------------------ ends of texts (file_end.c) */

/* All functions but file_remark_scratch() take the file's lock. */

/** file_remark_scratch - log a scratch file that may have been meant as an item. The caller holds the file's lock. */
void file_remark_scratch(struct mount *m, struct call *c, struct file *f);

/**
 * file_flush - FLUSH, FSYNC: commit if DIRTY
 * @rename: RENAME: also commit a file that has no text yet
 * @seq:    set to the sequence number of the commit; unchanged if there was none
 *
 * Return: 0, PLACE_POISONED, PLACE_STALE, or an error: the text is no item, or was not stored
 */
int file_flush(struct mount *m, struct call *c, struct file *f, bool rename, uint64_t *seq)
	must_check;

/**
 * file_flush_all - likewise for all texts of a node, oldest first, for an FSYNC by a reader
 *
 * A text that was only emptied is not committed and counts as a success. A failure counts only if the text has a writer
 * or is the newest one; the close of its writer reports it again.
 *
 * Return: 0, or the result of the newest failure that counts
 */
int file_flush_all(struct mount *m, struct call *c, struct node *n, uint64_t *seq) must_check;

/**
 * file_finish - end a writer: the first step of RELEASE, and unmount; harmless for other handles
 *
 * Failures of the last writer go to .itemfs/errors and rejected/.
 *
 * Return: sequence number of the commit, 0 when there was none
 */
uint64_t file_finish(struct mount *m, struct call *c, struct handle *h);

/**
 * file_keep_scratch - at the end of the mount, keep a scratch file's text in STORE/rejected
 *
 * Harmless for other files.
 */
void file_keep_scratch(struct mount *m, struct call *c, struct file *f);

/**
 * file_end_scratch - after that, remove the scratch file and the item that it hides; harmless for other files
 * @durable: the kept texts are durable; otherwise the item stays
 */
void file_end_scratch(struct mount *m, struct call *c, struct file *f, bool durable);

/**
 * file_unlinked - note that the node's name is gone
 * @text: the item's rendering: open handles without a text keep it
 */
void file_unlinked(struct mount *m, struct call *c, struct node *n, struct slice text);

/* ------------------------------------------------------------ READ (file_read.c) */

/**
 * file_read - bytes for READ, copied to the call's arena
 * @paged: the kernel caches them for all readers of the file
 *
 * Return: 0, PLACE_ABSENT, or an error. It takes the locks of handle and file.
 */
int file_read(struct mount *m, struct call *c, struct handle *h, bool paged, size_t offset,
	      size_t size, struct slice *out) must_check;

/** file_render - append the file's bytes of the committed item at @p; 0, PLACE_ABSENT, error */
int file_render(struct mount *m, struct call *c, const struct place *p, struct buf *out) must_check;

#endif
