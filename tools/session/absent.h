/* absent - names of attributes that no item of a sample or of an answer has */
#ifndef TOOLS_SESSION_ABSENT_H
#define TOOLS_SESSION_ABSENT_H

#include "store/base/text/near.h"

#include "tools/session/ctl.h"

/** absent_sample - read the first items of a table into @page, in @own's memory; Return: 0 or the error of the Scan */
int absent_sample(const struct ctl *ctl, struct call *own, struct slice table, struct page *page)
	must_check;

/** absent_is - return true if no item of @sample has an attribute @name, at any depth */
bool absent_is(const struct page *sample, struct slice name);

/** absent_near - likewise; if true, @near has the attribute with the most similar name, if there is one */
bool absent_near(const struct page *sample, struct slice name, struct near *near);

/**
 * absent_say - print a note if no item of @sample has an attribute @name, at any depth
 * @sample: the first items of a table
 *
 * Return: true if the note was printed.
 */
bool absent_say(const struct ctl *ctl, const struct page *sample, struct slice name);

enum { ABSENT_LOOKS = 1000 }; /* items of an answer to examine; their page is examined to its end */

/* Top-level attributes that a projection names, and whether an item of the answer has them. */
struct absent_names {
	struct slice *at;
	struct slice *needles; /* "NAME": as in a line of JSON */
	bool *seen;
	size_t n;
	size_t left;   /* names not seen yet; 0 also after ABSENT_LOOKS items */
	size_t looked; /* items examined */
};

/** absent_named - the attribute that @word, a name or an alias, means */
struct slice absent_named(const struct placeholders *ph, struct slice word);

/** absent_names_of - the names in the ProjectionExpression of a request, which may be empty; in the call's arena */
struct absent_names absent_names_of(struct call *c, struct slice projection,
				    const struct placeholders *ph);

/**
 * absent_names_look - mark the names that @it has, or some of @items items, unless enough items were examined
 * @it: NULL: the items are in @lines, lines of JSON, plain or typed
 */
void absent_names_look(struct absent_names *names, const struct item *it, struct slice lines,
		       size_t items);

static inline void
absent_names_see(struct absent_names *names, const struct item *it)
{
	absent_names_look(names, it, SLICE(""), 1);
}

/** absent_names_first - the first name that has not been seen, or an empty slice */
struct slice absent_names_first(const struct absent_names *names);

#endif
