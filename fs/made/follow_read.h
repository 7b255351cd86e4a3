/* follow_read - the lines of a follower, and the READs and POLLs that wait for them */
#ifndef FS_MADE_FOLLOW_READ_H
#define FS_MADE_FOLLOW_READ_H

#include "fs/made/follow.h"

/** follow_read - answer a READ now, or later unless @now */
void follow_read(struct follower *f, fuse_req_t req, size_t size, bool now);

/** follow_poll - answer a POLL; @ph: to notify when there are lines, or NULL */
void follow_poll(struct follower *f, fuse_req_t req, struct fuse_pollhandle *ph);

/** follow_charge - charge the memory that the lines take now. The caller holds follow.lock. */
void follow_charge(struct follower *f);

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

#endif
