/* follow_int - a follower: what follow.c, follow_read.c and tail.c share.  All of it is guarded by the lock of the list. */
#ifndef FS_MADE_FOLLOW_INT_H
#define FS_MADE_FOLLOW_INT_H

#include "store/engine/stream_walk.h"

#include "fs/made/follow.h"

struct parked;

struct follower {
	struct follower *next;
	struct mount *m;
	struct handle *handle; /* of .stream; until it is closed */
	uint32_t uid;          /* who opened it */
	struct arena arena;    /* of the schema */
	const struct schema *schema;
	uint64_t from;        /* changes behind this one */
	struct charge charge; /* of itself and its lines */
	struct buf lines;     /* on the heap; read up to @read */
	size_t read;
	uint64_t lost;     /* changes since the newest of the lines */
	uint64_t lost_seq; /* the last of them */
	bool lost_unknown; /* there are more, nobody knows how many */
	bool ended;        /* the table is gone: the lines are followed by the end of the file */
	bool ends; /* a READ that finds no lines is the end of the file: tail(1) reads to it and comes again */
	uint64_t told;         /* with it: the size that the file has, which grows by each line */
	struct parked *parked; /* oldest first */
	struct fuse_pollhandle *poll;

	/* On an endpoint, of tail.c: */
	struct stream_walk *walk; /* NULL: the feed tells */
	uint64_t due_ns;          /* when it is to go on, by the steady clock */
	bool asking;              /* it does right now; only that thread touches it */
	bool closed;              /* meanwhile: that thread frees it */
	bool failing;             /* it was refused the last time, and that was logged */
};

static inline size_t
follow_unread(const struct follower *f)
{
	return f->lines.len - f->read;
}

/** follow_charge - what the lines take now */
void follow_charge(struct follower *f);

/** follow_add - a change's line, or one more that is lost */
void follow_add(struct follower *f, uint64_t seq, struct slice line);

/** follow_put_lost - a line behind the others: changes were lost */
void follow_put_lost(struct follower *f);

/* Those who wait in poll(2): told when the lock is no longer held. */
struct woken {
	struct fuse_pollhandle **at; /* on the heap */
	size_t n;
	size_t cap;
};

/** follow_deal - answer who waits for the follower, as far as there is something to say */
void follow_deal(struct follower *f, struct woken *w);
void follow_wake(struct woken *w);

/** follow_free - one that is off the list */
void follow_free(struct follower *f);

/** tail_start - see to it that somebody asks; Errors: -ERR_BUSY  there is no thread to be had */
int tail_start(struct mount *m, struct call *c) __attribute__((warn_unused_result));

/** tail_go_on - a follower is new, or has been read from */
void tail_go_on(struct mount *m);

#endif
