/*
 * terminal - open generated files: .jsonl .json .csv .count
 *
 *   READ at 0              a new outflow: the newest state of the store
 *   READ at the furthest byte that was read, or up to OUTFLOW_BACK before it: the same state
 *   READ elsewhere         EINVAL
 *
 * An interrupt answers a waiting READ with EINTR. The outflow stays, and the next READ continues it, even at 0 as long
 * as no READ has got anything of it.
 */
#ifndef FS_MADE_TERMINAL_H
#define FS_MADE_TERMINAL_H

#include "fs/core/mount_int.h"

struct handle;
struct tap;

void terminals_init(struct terminals *all);
void terminals_release(struct terminals *all);

/** terminal_open - set up @h, a handle of a terminal's node */
struct tap *terminal_open(struct mount *m, struct handle *h);

/** terminal_read - answer a READ now or later */
void terminal_read(struct mount *m, struct tap *t, fuse_req_t req, uint64_t offset, size_t size);

/** terminals_tidy - called when the store changes: release snapshots that have not been read for long */
void terminals_tidy(struct mount *m, uint64_t now_ns);

#endif
