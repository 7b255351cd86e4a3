/*
 * page_html - what all pages have in common: head, foot, links, escaping
 *
 * The policy in the head lets a page load nothing, run no script but its own, and send its form nowhere
 * else.
 */
#ifndef STORE_PAGE_PAGE_HTML_H
#define STORE_PAGE_PAGE_HTML_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"
#include "store/page/page.h"

/**
 * page_head - up to the heading
 * @title:  of the page; empty: the store's
 * @script: that it runs, or NULL
 */
void page_head(struct buf *out, struct slice title, const char *script);

/** page_foot - the end of a page; Return: as page_answer(), of a page that tells of @e */
unsigned page_foot(struct buf *out, const struct error *e);

/** page_link_begin - "<a href="@path", or "./" for the list of tables, up to the first argument */
void page_link_begin(struct buf *out, struct slice path);

/** page_link_arg - one argument behind it, unless @value is empty */
void page_link_arg(struct buf *out, struct slice name, struct slice value);

/** page_link_mark - the end of its address; @on: it leads to what is shown */
void page_link_mark(struct buf *out, bool on);

/** page_link_end - likewise, and the rest, with a text that needs no escaping */
void page_link_end(struct buf *out, struct slice text);

/** page_text - any text, escaped, and nothing in it acts */
void page_text(struct buf *out, struct slice text);

/** page_count - "1 item", "12 items" */
void page_count(struct buf *out, uint64_t n, const char *what);

/** page_bytes - "812 bytes", "3.4 KB" */
void page_bytes(struct buf *out, uint64_t n);

/** page_keys - "PK, SK (N)", escaped */
void page_keys(struct buf *out, const struct key_schema *k);

/**
 * page_error - tell what has failed
 * @typed: what @place is a place of, for a mark; or empty
 */
void page_error(struct buf *out, const char *message, struct slice typed, size_t place);

/**
 * page_table_head - the rest of the header of a table's page: counts, links to the table and its indexes
 * @index: that is shown, or NULL
 * @kinds: the kinds of items are shown
 */
void page_table_head(struct buf *out, const struct table_info *table, const struct index *index,
		     bool kinds);

/** page_table_items - the items that a request asks for and links to more of them, or what has failed */
void page_table_items(struct call *c, struct engine *e, const struct page_request *rq,
		      const struct table_info *table, struct buf *out);

/** page_patterns_list - a section with the access patterns; nothing without any */
void page_patterns_list(struct buf *out, const struct page_patterns *all);

/* The pages; Return: as page_answer(). */
unsigned page_tables(struct call *c, struct engine *e, const struct page_request *rq,
		     struct buf *out);
unsigned page_table(struct call *c, struct engine *e, const struct page_request *rq,
		    const struct table_info *table, struct buf *out);
unsigned page_pattern(struct call *c, struct engine *e, const struct page_request *rq,
		      struct buf *out);
unsigned page_shapes(struct call *c, struct engine *e, const struct page_request *rq,
		     const struct table_info *table, struct buf *out);
unsigned page_changes(struct call *c, struct engine *e, const struct page_request *rq,
		      const struct table_info *table, struct buf *out);

#endif
