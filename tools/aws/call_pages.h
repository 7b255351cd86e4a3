/*
 * call_pages - all pages of an answer joined to one, as the AWS tool does
 *
 * The tokens have the format of the AWS tool: base64 of {"ExclusiveStartKey":KEY,"boto_truncate_amount":N}, the start
 * of a page and the number of its elements that have been printed.
 */
#ifndef TOOLS_AWS_CALL_PAGES_H
#define TOOLS_AWS_CALL_PAGES_H

#include "store/base/text/json.h"

#include "tools/aws/call_request.h"
#include "tools/cli/opts.h"

struct call_paging {
	struct opt_count
		max_items; /* largest number of elements; NextToken then has the position */
	struct opt_count page_size; /* Limit of each request */
	const char *token;          /* NextToken to begin at; NULL: the beginning */
};

/** call_pages_known - return true if the operation has pages that call_pages() can join */
bool call_pages_known(enum op_type type);

/**
 * call_pages - request one page after the other and join them
 * @w:     gets the answer
 * @sink:  the sink of @w, drained before each page; NULL: the whole answer stays in memory
 * @items: number of elements printed, or counted
 *
 * Errors:  those of call_ask();  -ERR_USAGE  invalid token; the operation has no pages, and nothing was requested
 */
int call_pages(struct ctl *ctl, struct call *c, const struct call_ask *a,
	       const struct call_paging *p, struct json_writer *w, struct sink *sink, size_t *items)
	must_check;

#endif
