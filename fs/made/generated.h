/*
 * generated - open generated files: .jsonl .json .csv .count
 *
 *   READ at 0              a new producer: the newest state of the store
 *   READ at the furthest byte that was read, or up to PRODUCER_BACK before it: the same state
 *   READ elsewhere         EINVAL
 *
 * An interrupt answers a waiting READ with EINTR. The producer stays, and the next READ continues it, even at 0 as long
 * as no READ has got anything of it.
 */
#ifndef FS_MADE_GENERATED_H
#define FS_MADE_GENERATED_H

#include "fs/core/mount_int.h"

struct handle;
struct generated_handle;

void generated_list_init(struct generated_list *all);
void generated_list_release(struct generated_list *all);

/** generated_open - set up @h, a handle of a generated file's node: sets h->generated and h->close_made */
void generated_open(struct mount *m, struct handle *h);

/** generated_read - answer a READ now or later */
void generated_read(struct mount *m, struct generated_handle *t, fuse_req_t req, uint64_t offset,
		    size_t size);

/** generated_list_tidy - called when the store changes: release snapshots that have not been read for long */
void generated_list_tidy(struct mount *m, uint64_t now_ns);

#endif
