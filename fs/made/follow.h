/*
 * follow - the .stream of a table: its changes from the OPEN on, one line each
 *
 *   change (feed) -> inval.c's thread -> follow_tell() -> each follower's lines -> READ
 *   records of the table's stream (endpoint) -> tail.c's thread ->
 *
 * "tail -f" reads to the end of the file before it shows anything, and then reads as much as the file has grown. So for
 * a process of that name a READ without lines is the end of the file, and the file's size grows with each line.
 *
 * A follower is one open .stream. A READ that finds no lines is parked and holds no thread. The thread of the feed
 * answers it later, or an interrupt, the end of the table or the end of the mount does.
 *
 * No thread waits for a follower, and its lines take a bounded amount of memory. A follower that does not read loses
 * changes until it has read all lines that were kept. Then it gets this line, and .itemfs/errors gets one (EOVERFLOW):
 *
 *   {"eventName":"LOST","seq":"000000000000000004711","lost":12}
 *
 * seq is the last change that was lost; lost is null when the number is not known. On an endpoint a slow reader loses
 * nothing as long as the stream keeps it; seq is always null there.
 */
#ifndef FS_MADE_FOLLOW_H
#define FS_MADE_FOLLOW_H

#include "fs/file/handle.h"
#include "fs/file/request.h"

enum {
	FOLLOW_BYTES = 4 << 20, /* unread lines of a follower; one line may be longer */
	FOLLOWERS_MAX = 64,     /* per user and mount */
};

struct follower;

void follow_init(struct follow_list *l);
void follow_release(struct follow_list *l);

/**
 * follow_open - follow the table @p from now on
 * @h: of its .stream; gets the follower
 *
 * Return:  0; on an endpoint also PLACE_NO_QUERY  the table has no stream
 * Errors:  -ERR_LIMIT  the user has FOLLOWERS_MAX open; -ERR_BUSY  no thread; -ERR_NO_SPACE; the endpoint's
 */
int follow_open(struct request *rq, struct handle *h, const struct place *p) must_check;

/** follow_size - the size of the .stream of @table for tail(1); 0 when tail does not follow it */
uint64_t follow_size(struct mount *m, struct slice table);

/** follow_tell, follow_lost - pass on a change; note that unknown changes up to @seq were lost. Thread: the feed's */
void follow_tell(struct mount *m, struct call *c, const struct change *ch);
void follow_lost(struct mount *m, uint64_t seq);

/** follow_end - at the end of the mount, answer all READs with EINTR from now on */
void follow_end(struct mount *m);

/** follow_read - answer a READ now, or later unless @now */
void follow_read(struct follower *f, fuse_req_t req, size_t size, bool now);

/** follow_poll - answer a POLL; @ph: to notify when there are lines, or NULL */
void follow_poll(struct follower *f, fuse_req_t req, struct fuse_pollhandle *ph);

/** tail_wait - after follow_end(), wait for the thread of tail.c */
void tail_wait(struct mount *m);

#endif
