/*
 * follow - .stream of a table: its changes as lines, from the OPEN on, to whoever has it open
 *
 *   change (feed) -> inval.c's thread -> follow_tell() -> each follower's lines -> READ
 *   records of the table's stream (endpoint) -> tail.c's thread ->
 *
 * "tail -f" looks for an end before it shows anything, and from then on reads as much as the file has
 * grown; so to a process of that name a READ without lines is the end of the file, and its size grows by each line.
 *
 * A follower is one open .stream.  A READ that finds no lines is kept and holds no thread: the thread
 * of the feed answers it later, or an interrupt, the end of the table, or of the mount does.
 *
 * Nobody waits for a follower, and its lines take a bounded room: one that does not read loses the
 * changes from there on until it has read all that was kept.  Then a line says so, and a line in
 * .itemfs/errors (EOVERFLOW):
 *
 *   {"eventName":"LOST","seq":"000000000000000004711","lost":12}
 *
 * seq is the last one lost; lost is null when the number is not known.  On an endpoint a slow reader loses nothing
 * as long as the stream keeps it; seq is null, too.
 */
#ifndef FS_MADE_FOLLOW_H
#define FS_MADE_FOLLOW_H

#include "fs/file/handle.h"
#include "fs/file/request.h"

enum {
	FOLLOW_BYTES = 4 << 20, /* of lines that a follower has not read; one line may be longer */
	FOLLOWERS_MAX = 64,     /* of one user in one mount */
};

struct follower;

void follow_init(struct follow_list *l);
void follow_release(struct follow_list *l);

/**
 * follow_open - follow the table @p from now on
 * @h: of its .stream: gets the follower
 *
 * Return:  0; on an endpoint also PLACE_NO_QUERY  the table has no stream
 * Errors:  -ERR_LIMIT  he has FOLLOWERS_MAX open; -ERR_BUSY  there is no thread; -ERR_NO_SPACE;  the endpoint's
 */
int follow_open(struct request *rq, struct handle *h, const struct place *p)
	__attribute__((warn_unused_result));

/** follow_size - of the .stream of @table, as tail(1) has read it; 0 when it is not followed by it */
uint64_t follow_size(struct mount *m, struct slice table);

/** follow_read - answer a READ: now, or later unless @now */
void follow_read(struct follower *f, fuse_req_t req, size_t size, bool now);

/** follow_poll - answer a POLL; @ph: to be told of lines, or NULL */
void follow_poll(struct follower *f, fuse_req_t req, struct fuse_pollhandle *ph);

/** follow_tell - a change; follow_lost - changes that nobody knows. Thread: the feed's */
void follow_tell(struct mount *m, struct call *c, const struct change *ch);
void follow_lost(struct mount *m);

/** follow_end - the mount ends: every READ is answered EINTR, now and from now on */
void follow_end(struct mount *m);

/** follow_wait - after follow_end(): until nobody asks an endpoint any more */
void follow_wait(struct mount *m);

#endif
