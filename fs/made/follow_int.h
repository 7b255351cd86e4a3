/* follow_int - struct follower, which follow.c, follow_read.c and tail.c share; mount.follow.lock guards all of it */
#ifndef FS_MADE_FOLLOW_INT_H
#define FS_MADE_FOLLOW_INT_H

#include "store/engine/stream_walk.h"

#include "fs/made/follow.h"

struct parked;

struct follower {
	struct follower *next;
	struct mount *m;
	struct handle *handle; /* of the .stream; valid until it is closed */
	uint32_t uid;          /* the user that opened it */
	struct arena arena;    /* memory of the schema */
	const struct schema *schema;
	uint64_t from;      /* only changes after this sequence number count */
	struct usage usage; /* for itself and its lines */
	struct buf lines;   /* on the heap; the first @read bytes have been read */
	size_t read;
	uint64_t lost;     /* number of changes that were lost after the newest line */
	uint64_t lost_seq; /* the last one that was lost */
	bool lost_unknown; /* an unknown number was lost in addition */
	bool ended;        /* the table was dropped: the end of the file follows the lines */
	bool ends; /* a READ without lines is the end of the file: tail(1) reads to it and comes again */
	uint64_t told;         /* the size of the file for tail(1), which grows by each line */
	struct parked *parked; /* oldest first */
	struct fuse_pollhandle *poll;

	/* For tail.c, on an endpoint: */
	struct stream_walk *walk; /* NULL: the changes come from the feed */
	uint64_t due_ns;          /* when to ask again, by the steady clock */
	bool asking;              /* the thread asks right now, and only it may touch @walk */
	bool closed;              /* closed while asking: the thread frees it */
	bool failing;             /* the last request failed, and that was logged */
};

static inline size_t
follow_unread(const struct follower *f)
{
	return f->lines.len - f->read;
}

/** follow_free - free a follower that is not in the list */
void follow_free(struct follower *f);

/* ------------------------------------------------------------ follow_read.c: lines */

/** follow_count - count the memory that the lines take now. The caller holds follow.lock. */
void follow_count(struct follower *f);

/** follow_add - append the line of a change, or count it as lost. The caller holds follow.lock. */
void follow_add(struct follower *f, uint64_t seq, struct slice line);

/** follow_put_lost - append a line about the lost changes. The caller holds follow.lock. */
void follow_put_lost(struct follower *f);

/* Poll handles to notify once follow.lock is released. */
struct woken {
	struct fuse_pollhandle **at; /* on the heap */
	size_t n;
	size_t cap;
};

/**
 * follow_distribute, follow_wake - answer the parked READs of the follower if it is readable; notify the poll handles in @w
 *
 * The caller holds follow.lock for follow_distribute() and releases it before follow_wake().
 */
void follow_distribute(struct follower *f, struct woken *w);
void follow_wake(struct woken *w);

/* ------------------------------------------------------------ tail.c: the thread for an endpoint */

/** tail_start - start the thread if it does not run; Errors: -ERR_BUSY  no thread. The caller holds follow.lock. */
int tail_start(struct mount *m, struct call *c) must_check;

/** tail_go_on - wake the thread: a follower is new, or has been read from. The caller holds follow.lock. */
void tail_go_on(struct mount *m);

#endif
