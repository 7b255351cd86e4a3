/*
 * terminal - open files whose text is made while they are read: .jsonl .json .csv .count
 *
 *   READ at 0          a new outflow: the newest state of the store
 *   READ at or behind  the furthest byte that was read, OUTFLOW_BACK at most: the same state
 *   READ elsewhere     EINVAL
 *
 * A READ that waits is answered EINTR by an interrupt; the outflow stays, and who reads again goes on, at 0 too
 * as long as nothing of it was read.
 */
#ifndef FS_MADE_TERMINAL_H
#define FS_MADE_TERMINAL_H

#include "fs/core/mount_int.h"

struct handle;
struct tap;

void terminals_init(struct terminals *all);
void terminals_release(struct terminals *all);

/** terminal_open - of @h, a handle of a terminal's node */
struct tap *terminal_open(struct mount *m, struct handle *h);

/** terminal_read - answer a READ, now or later */
void terminal_read(struct mount *m, struct tap *t, fuse_req_t req, uint64_t offset, size_t size);

/** terminals_tidy - the store changes: let go of snapshots that nobody has read from for long */
void terminals_tidy(struct mount *m, uint64_t now_ns);

#endif
