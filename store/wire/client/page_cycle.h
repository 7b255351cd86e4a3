/*
 * page_cycle - detects answers whose next page was read before
 *
 * A walk is a chain of requests, each of which begins where the answer before it ended.  After each page
 * the digest of the next request is kept with the digests of the walk's requests, and taken out when that
 * request is made.  So a walk needs no state at its caller.  A cycle of up to 4096 pages is found before any
 * page of it is read twice, a longer one of n pages by Brent's after about 3 n pages.  Of more than a
 * thousand walks at once some are not watched.
 */
#ifndef STORE_WIRE_CLIENT_PAGE_CYCLE_H
#define STORE_WIRE_CLIENT_PAGE_CYCLE_H

#include "store/op/op.h"

struct page_cycles;

/** page_cycles_new - no walks yet */
struct page_cycles *page_cycles_new(void);

/** page_cycles_free - NULL is harmless */
void page_cycles_free(struct page_cycles *pc);

/**
 * page_cycles_closed - does the answer @out to @in lead to a page that this walk has read?
 *
 * A cycle of pages of a stream that have no records is none: a reader waits there for new ones.
 * Thread: any
 */
bool page_cycles_closed(struct page_cycles *pc, const struct op_in *in, const struct op_out *out);

#endif
