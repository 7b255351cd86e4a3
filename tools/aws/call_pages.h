/*
 * call_pages - all pages of an answer as one, as the AWS command line puts them together
 *
 * Its tokens are taken, and it takes ours: base64 of {"ExclusiveStartKey":KEY,"boto_truncate_amount":N}, the place where
 * a page begins and how many of its elements have been printed.
 */
#ifndef TOOLS_AWS_CALL_PAGES_H
#define TOOLS_AWS_CALL_PAGES_H

#include "store/base/text/json.h"

#include "tools/aws/call_ask.h"
#include "tools/cli/opts.h"

struct call_paging {
	struct opt_count max_items; /* elements at most; NextToken says where to go on */
	struct opt_count page_size; /* Limit of each request */
	const char *token;          /* where to begin; NULL: at the beginning */
};

/** call_pages_known - has the operation pages that can be put together? */
bool call_pages_known(enum op_type type);

/**
 * call_pages - ask for one page after the other
 * @w:     gets the answer
 * @sink:  what @w writes to, written out on the way; NULL: all of it is kept
 * @items: the elements that were printed, or were counted
 *
 * Errors:  those of call_ask();  -ERR_USAGE  the token is none
 */
int call_pages(struct ctl *ctl, struct call *c, const struct call_ask *a,
	       const struct call_paging *p, struct json_writer *w, struct sink *sink, size_t *items)
	__attribute__((warn_unused_result));

#endif
