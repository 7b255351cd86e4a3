/*
 * handle - open files, and the commit rule of NAMESPACE 4
 *
 *   struct handle   one open file description
 *   struct file     a text and its writers; made by the first of them, gone with the last handle
 *
 * A node has one file, until a writer begins anew (O_TRUNC) while another one writes: he has a file of his own
 * then, so that each text is judged and saved alone and the last close wins, as between mounts.
 *
 *   node.file --> file --older--> file ...     the newest text first: what is read, and what further writers share
 *
 * A file's states are those of its buffer (buffer.h).  When it commits:
 *
 *   FLUSH, FSYNC, RENAME   if DIRTY; fails with EBADMSG while it is no item
 *   RELEASE                if DIRTY; if EMPTIED by this handle and never written
 *   SETATTR(size)          at once, if there is no writer
 *   unmount                as the RELEASE of every writer
 *
 * A scratch file (scratch.h) has the same states, and commits only when it is renamed to an item.
 */
#ifndef FS_FILE_HANDLE_H
#define FS_FILE_HANDLE_H

#include "fs/core/opened.h"
#include "fs/file/buffer.h"
#include "fs/place/place.h"

struct file {
	struct file *next;  /* in mount.files; guarded by files_lock, as link, refs and writers */
	struct file **link; /* what points to it there */
	struct node *node;  /* one ref */
	struct file *older; /* of the same node; guarded likewise */
	unsigned
		refs; /* requests that use it, a scratch file's name; node.file also lives while node.opens > 0 */
	unsigned handles; /* that have it, until they are closed */
	unsigned writers; /* of these open for writing */
	atomic_bool
		mixed; /* the node had other texts beside this: the kernel's pages may be of several */

	pthread_mutex_t lock; /* of all that follows */
	struct buffer buffer;
	atomic_bool created; /* no such item at CREATE, and nothing committed since */
	atomic_bool gone;    /* unlinked, or a new file that was refused: commits nothing */
	atomic_bool kept;    /* the refused text is in STORE/rejected, and shown no more */
	char *kept_at;       /* where its text is kept, on the heap; NULL: nowhere */
	const struct handle *emptier; /* whose O_CREAT or O_TRUNC made it EMPTIED */
	bool told;                    /* why this text is no item was said by FLUSH */
	bool differs;                 /* the committed text is not the item's rendering */
	uint32_t uid;                 /* who changed the text last */
	uint64_t touched_ns;          /* last change of the text */
	uint64_t mtime_ns;            /* given by utimensat for the next commit; 0: none */
	struct reserved *reserved;    /* by O_EXCL, until the first commit */
	struct origin *origins;       /* what the store had when its writers opened it */
	struct origin
		*origin; /* of these that of the text: what a commit may replace; NULL: anything */
	atomic_bool
		unsaved; /* a scratch file whose copy has to be written: there was an item, or an older copy */
	_Atomic uint64_t save_ns; /* steady: not before that, after a failure */
	atomic_bool stale;        /* the item was changed elsewhere since the text was loaded */
	_Atomic(struct scratch *) scratch; /* it is bytes and no item; NULL: an item */
	atomic_bool refused; /* it shows a refused text, unchanged, which is in STORE/rejected */
};

struct handle {
	struct opened opened;
	struct node *node;
	struct file *file; /* what it writes; NULL: it was opened for reading */
	bool writer;
	bool direct;  /* each READ says where the program reads: the kernel keeps no pages of it */
	uint32_t uid; /* who opened it */
	struct charge charge; /* his, of it and its text */
	struct origin
		*origin; /* what the store had then; NULL: nobody asks; guarded by file.lock */
	struct follower *follower; /* of a .stream; NULL: another file */
	struct tap *terminal;      /* of a .jsonl and the like; NULL: another file */
	void (*close_made)(struct mount *m,
			   struct handle *h); /* of these two, by whom it was set */
	pthread_mutex_t lock;                 /* of what follows */
	struct buf
		text; /* rendering kept for the next READ: all that a direct one reads; on the heap */
	uint64_t newest; /* the feed's newest change when it was rendered */
};

/**
 * handle_open - one more handle; @writer makes the file
 *
 * Waits while names are changed, so that whoever removes one knows who has it open.
 *
 * Return: NULL; handle_none() says why
 */
struct handle *handle_open(struct mount *m, struct call *c, struct node *n, bool writer);

/** handle_none - PLACE_GONE: the node has lost its name and nothing is left of it; -ERR_NO_SPACE: the call's user has too much open */
int handle_none(const struct call *c);

/** handle_keep_text - keep a copy of @text for its READs; false: the account of who has opened it is full. Its lock is held, or nobody else has it */
bool handle_keep_text(struct handle *h, struct slice text) __attribute__((warn_unused_result));

/**
 * handle_begin_own - a writer that begins anew has a file of his own, if somebody else writes
 *
 * Return: is there, or was there, somebody else?
 */
bool handle_begin_own(struct mount *m, struct handle *h);

/** handle_is_only - has its node no other open handle? */
bool handle_is_only(struct mount *m, const struct handle *h);

/** handle_end_writing - it is no writer any more; was it the last one of its file? */
bool handle_end_writing(struct mount *m, struct handle *h);

/** handle_close - the last step of RELEASE; NULL is harmless */
void handle_close(struct mount *m, struct handle *h);

/** file_get - the file of a node with one ref more, or NULL */
struct file *file_get(struct mount *m, struct node *n);
/** file_make - the same, made when there is none; without a writer it lasts as long as the ref */
struct file *file_make(struct mount *m, struct node *n);
/** file_of - the file of a writer, or what its node shows to a reader; one ref more, or NULL */
struct file *file_of(struct mount *m, const struct handle *h);

/** file_lead - it is what its node shows from now on */
void file_lead(struct mount *m, struct file *f);

/** file_lead_on - a text that was refused is shown no more: another one that is still written takes its place, if there is one */
void file_lead_on(struct mount *m, struct file *refused);

/** file_of_node - all of the node's files, newest first, one ref more each, in @a's memory */
size_t file_of_node(struct mount *m, struct arena *a, const struct node *n, struct file ***out);

/** file_is_alone - has the node no other file with writers? */
bool file_is_alone(struct mount *m, const struct file *f);

/** file_committed - the item of its node is another one: the other files of the node may not load what was */
void file_committed(struct mount *m, const struct file *f);

/** file_hold - one ref more, while somebody else is known to have one; returns @f */
struct file *file_hold(struct mount *m, struct file *f);
void file_put(struct mount *m, struct file *f);

/**
 * file_unsaved - a file that is marked so, with one ref more
 * @next_ns: when there is none now: when to ask again, or THREAD_FOR_EVER
 *
 * One that is open for writing, too: nobody would ask again when it is closed.
 */
struct file *file_unsaved(struct mount *m, uint64_t now_ns, uint64_t *next_ns);

/** file_any - is any file being written or open though unlinked? */
bool file_any(struct mount *m);

/** file_mark_stale - the node's item was changed elsewhere */
void file_mark_stale(struct mount *m, struct node *n);

/** file_is_open - has the node any open handle? */
bool file_is_open(struct mount *m, const struct node *n);

/** file_writers - handles open for writing */
unsigned file_writers(struct mount *m, const struct file *f);

/** file_is_bytes - is it a text that the store knows nothing of? */
static inline bool
file_is_bytes(const struct file *f)
{
	return f->gone || f->scratch != NULL;
}

/** file_is_new - created and not yet committed: no item has this name */
bool file_is_new(const struct file *f);

/* The following take the file's lock.  @seq: of the commit, 0 if there was none. */

/** file_opened - a writer has opened it; PLACE_GONE */
int file_opened(struct mount *m, struct call *c, struct handle *h)
	__attribute__((warn_unused_result));

/** file_create - a new, empty, uncommitted item; fails when @exclusive and another creator has it; PLACE_GONE */
int file_create(struct mount *m, struct call *c, struct handle *h, bool exclusive)
	__attribute__((warn_unused_result));

/** file_truncate_open - O_TRUNC of an existing item */
void file_truncate_open(struct mount *m, struct call *c, const struct handle *h);

/** file_read - bytes for READ, copied to the call's arena; @paged: the kernel keeps them for all; 0, PLACE_ABSENT, error */
int file_read(struct mount *m, struct call *c, struct handle *h, bool paged, size_t offset,
	      size_t size, struct slice *out) __attribute__((warn_unused_result));

/** file_text - bytes of its own text, if it shows that rather than the committed item */
bool file_text(struct mount *m, struct call *c, struct file *f, size_t offset, size_t size,
	       struct slice *out);

/** file_write - bytes for WRITE; at FILE_END: behind all that is there */
#define FILE_END SIZE_MAX
int file_write(struct mount *m, struct call *c, const struct handle *h, size_t offset,
	       struct slice bytes) __attribute__((warn_unused_result));

/** file_resize - SETATTR(size), @h: by ftruncate(), else NULL; without a writer it commits */
int file_resize(struct mount *m, struct call *c, struct file *f, const struct handle *h,
		uint64_t size, uint64_t *seq) __attribute__((warn_unused_result));

/** file_set_time - keep the time for the next commit; false: there is none to come, set it now */
bool file_set_time(struct mount *m, struct file *f, uint64_t mtime_ns);

/** file_remark_scratch - remark on a scratch file whose name may have been meant to be an item's; its lock is held */
void file_remark_scratch(struct mount *m, struct call *c, struct file *f);

/** file_flush - commit if DIRTY: FLUSH, FSYNC; RENAME also commits a file that has no text yet
 */
int file_flush(struct mount *m, struct call *c, struct file *f, bool rename, uint64_t *seq)
	__attribute__((warn_unused_result));

/**
 * file_flush_all - the same for all texts of a node, for who asks for what others write
 *
 * Return: 0: all are items now; else why the newest that is not is none.  Its writer is told by his own close, too.
 */
int file_flush_all(struct mount *m, struct call *c, struct node *n, uint64_t *seq)
	__attribute__((warn_unused_result));

/**
 * file_finish - a writer ends: the first step of RELEASE, unmount; harmless for other handles
 *
 * Failures of the last one go to .itemfs/errors and rejected/.
 *
 * Return: sequence number of the commit, 0 when there was none.
 */
uint64_t file_finish(struct mount *m, struct call *c, struct handle *h);

/** file_keep_scratch - the mount ends: a scratch file's text is kept in STORE/rejected; harmless for others */
void file_keep_scratch(struct mount *m, struct call *c, struct file *f);

/**
 * file_end_scratch - then it goes, and with it the item that it hides; harmless for other files
 * @durable: what was kept is; else the item stays
 */
void file_end_scratch(struct mount *m, struct call *c, struct file *f, bool durable);

/** file_unlinked - the node's name is gone; open handles keep @text (the item's rendering, if they have
 * none) */
void file_unlinked(struct mount *m, struct call *c, struct node *n, struct slice text);

/** file_all - every file, one ref more each, in @a's memory */
size_t file_all(struct mount *m, struct arena *a, struct file ***out);

/** file_has_own - are there new or scratch files below @dir? */
bool file_has_own(struct mount *m, const struct node *dir);

/** file_list_own - nodes' names of new and scratch files below @dir, in @a's memory: a listing shows them too */
size_t file_list_own(struct mount *m, struct arena *a, const struct node *dir, struct slice **out);

/** file_render - the file bytes of the committed item at @p; 0, PLACE_ABSENT, error */
int file_render(struct mount *m, struct call *c, const struct place *p, struct buf *out)
	__attribute__((warn_unused_result));

#endif
