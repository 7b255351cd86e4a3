/*
 * page - HTML pages of a store: its tables, item collections, kinds of items, changes and access patterns
 *
 *   /                                    tables, keys, indexes, counts
 *   /?pattern=NAME&p.PARAMETER=V         an access pattern and the items that it reads
 *   /TABLE?index=I&pk=V&filter=E         item collections; &from=KEY selects a further page
 *         &op=begins_with&sk=V           a condition on the sort key (page_key.h); order=desc reverses the order
 *   /TABLE?index=I&shapes=1              kinds of items
 *   /TABLE?changes=now|oldest|ITERATOR   records of the stream
 *
 * The pages only read. Links are relative, so that the pages work below a secret path.
 * Every value of a store is escaped, and a page may load nothing: see page_html.h.
 */
#ifndef STORE_PAGE_PAGE_H
#define STORE_PAGE_PAGE_H

#include "store/engine/engine.h"

struct page_patterns;

/* A decoded argument of a URL's query. */
struct page_argument {
	struct slice name;
	struct slice value;
};

/* A path and its arguments. */
struct page_request {
	struct slice path; /* begins with '/' */
	const struct page_argument *at;
	size_t n;
	const struct page_patterns *patterns; /* page_patterns.h; NULL: none */
};

/** page_argument - Return: the value of the first argument of that name; .at == NULL: it is not given */
struct slice page_argument(const struct page_request *rq, const char *name);

/**
 * page_answer - append the page of a request; a failure becomes a page, too
 *
 * Return:  the HTTP status
 * Thread:  any that may wait for the engine
 */
unsigned page_answer(struct call *c, struct engine *e, const struct page_request *rq,
		     struct buf *out);

#endif
