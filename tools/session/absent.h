/* absent - attributes that are named and that no item has */
#ifndef TOOLS_SESSION_ABSENT_H
#define TOOLS_SESSION_ABSENT_H

#include "store/base/text/near.h"

#include "tools/session/ctl.h"

/** absent_sample - the first items of a table, in @own's memory; Return: 0 or the error */
int absent_sample(const struct ctl *ctl, struct call *own, struct slice table, struct page *page)
	__attribute__((warn_unused_result));

/** absent_is - does no item of @sample have such an attribute, at any depth? */
bool absent_is(const struct page *sample, struct slice name);

/** absent_near - likewise; then @near has the attribute whose name is near, if there is one */
bool absent_near(const struct page *sample, struct slice name, struct near *near);

/**
 * absent_say - tell of @name if no item of @sample has such an attribute, at any depth; else false
 * @sample: the first items of a table
 */
bool absent_say(const struct ctl *ctl, const struct page *sample, struct slice name);

enum { ABSENT_LOOKS = 1000 }; /* items of an answer that are looked at, to the end of their page */

/* Top-level attributes that a projection names, and whether an item of the answer has them. */
struct absent_names {
	struct slice *at;
	struct slice *needles; /* "NAME": as lines have it; NULL: only items are looked at */
	bool *seen;
	size_t n;
	size_t left;   /* how many are looked for */
	size_t looked; /* at how many items */
};

/** absent_names_of - those of a request's ProjectionExpression, which may be none */
struct absent_names absent_names_of(struct call *c, struct slice projection,
				    const struct placeholders *ph);

/** absent_names_see - note what @it has */
void absent_names_see(struct absent_names *names, const struct item *it);

/** absent_names_see_text - likewise of @items as lines of JSON, plain or typed */
void absent_names_see_text(struct absent_names *names, struct slice lines, size_t items);

/** absent_names_first - the first one that has not been seen; empty: there is none */
struct slice absent_names_first(const struct absent_names *names);

#endif
