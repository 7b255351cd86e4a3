/*
 * page_cycle - detects answers whose next page was read before
 *
 * A walk is a chain of requests, each of which begins where the answer before it ended.  After each page the walk, with
 * the digests of its requests, is stored under the digest of the next request, and removed when that request is
 * answered.  So the caller keeps no state.  A cycle of up to 16384 pages is found before any page of it is read twice; a
 * longer one is not found.  If there are more than about a thousand walks at once, some are not watched.
 */
#ifndef STORE_WIRE_CLIENT_PAGE_CYCLE_H
#define STORE_WIRE_CLIENT_PAGE_CYCLE_H

#include "store/op/op.h"

struct page_cycles;

/** page_cycles_new - Return: an object without walks */
struct page_cycles *page_cycles_new(void);

/** page_cycles_free - NULL is harmless */
void page_cycles_free(struct page_cycles *pc);

/**
 * page_cycles_closed - Return: whether the answer @out to @in leads to a page that this walk has read
 *
 * A cycle of stream pages without records does not count, since a reader waits there for new records.
 * Thread: any
 */
bool page_cycles_closed(struct page_cycles *pc, const struct op_in *in, const struct op_out *out);

#endif
