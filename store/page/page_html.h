/*
 * page_html - head, foot, links and escaping of all pages; the functions of the pages
 *
 * The Content-Security-Policy in the head allows a page to load nothing, to run only its own script, and to send
 * its form only to the server of the page.
 */
#ifndef STORE_PAGE_PAGE_HTML_H
#define STORE_PAGE_PAGE_HTML_H

#include "store/engine/engine.h"
#include "store/page/page.h"

/**
 * page_head - append the head of a page, up to the heading; the <header> element stays open
 * @title:  of the page; empty: that of the list of tables
 * @script: of the page, or NULL
 */
void page_head(struct buf *out, struct slice title, const char *script);

/** page_foot - append the end of a page;  Return: the HTTP status for the error @e, or 200 */
unsigned page_foot(struct buf *out, const struct error *e);

/** page_link_begin - append <a href="@path?; an empty path is the list of tables */
void page_link_begin(struct buf *out, struct slice path);

/** page_link_arg - append an argument to the address of a link, unless @value is empty */
void page_link_arg(struct buf *out, struct slice name, struct slice value);

/** page_link_mark - end the address of a link; @on: it leads to the current page */
void page_link_mark(struct buf *out, bool on);

/** page_link_end - end the address of a link, then append a text that needs no escaping, and </a> */
void page_link_end(struct buf *out, struct slice text);

/** page_text - append any text, escaped; control characters are made visible */
void page_text(struct buf *out, struct slice text);

/** page_count - append "1 item" or "12 items" */
void page_count(struct buf *out, uint64_t n, const char *what);

/** page_bytes - append "812 bytes" or "3.4 KB" */
void page_bytes(struct buf *out, uint64_t n);

/** page_keys - append "PK, SK (N)", escaped */
void page_keys(struct buf *out, const struct key_schema *k);

/**
 * page_error - append an error message
 * @typed: input of the user, to be shown with a mark; or empty
 * @place: 1 + offset of the mark in @typed; 0: none
 */
void page_error(struct buf *out, const char *message, struct slice typed, size_t place);

/** page_failed - append a whole page with an error message;  Return: as page_foot() */
unsigned page_failed(struct buf *out, struct slice title, const struct error *e);

/**
 * page_table_head - append the rest of the header of a table's page: counts, links to the table and its indexes
 * @index: the index of the page, or NULL
 * @kinds: the page shows the kinds of items
 */
void page_table_head(struct buf *out, const struct table_info *table, const struct index *index,
		     bool kinds);

/** page_table_items - append the items of a request and links to further pages, or an error message */
void page_table_items(struct call *c, struct engine *e, const struct page_request *rq,
		      const struct table_info *table, struct buf *out);

/** page_patterns_list - append a section with the access patterns; nothing if there are none */
void page_patterns_list(struct buf *out, const struct page_patterns *all);

/* Each of these appends one page.  Return: as page_answer() */
unsigned page_table(struct call *c, struct engine *e, const struct page_request *rq,
		    const struct table_info *table, struct buf *out);
unsigned page_pattern(struct call *c, struct engine *e, const struct page_request *rq,
		      struct buf *out);
unsigned page_shapes(struct call *c, struct engine *e, const struct page_request *rq,
		     const struct table_info *table, struct buf *out);
unsigned page_changes(struct call *c, struct engine *e, const struct page_request *rq,
		      const struct table_info *table, struct buf *out);

#endif
