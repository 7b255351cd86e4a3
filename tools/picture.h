/*
 * picture - the item collections of a table or index, as texts in rows
 *
 *   partition key | sort key | attribute  attribute ...
 *                 |          | value      value
 *
 * What a picture looks like is picture_html.c's and picture_svg.c's; every text here is visible
 * (visible.h) and of bounded length.
 */
#ifndef TOOLS_PICTURE_H
#define TOOLS_PICTURE_H

#include "store/model/schema.h"

#include "tools/sink.h"

enum {
	PICTURE_ROWS = 2000, /* of one picture: more than that nobody looks at */
	PICTURE_CELLS = 100, /* of one row */
	PICTURE_TEXT = 60,   /* characters of a value or name that is cut */
};

struct picture_cell {
	struct slice name;
	const char *type; /* "N", "M" ...; "" for S */
	struct slice value;
};

struct picture_row {
	struct value key[KEY_PART_MAX]; /* partition key */
	struct slice pk;
	struct slice sk;
	struct picture_cell *cells;
	size_t n;
	size_t left_out; /* attributes behind the last cell */
	size_t at;       /* as it was added */
	size_t span;     /* rows of its collection; 0: not the first of them */
};

struct picture {
	struct arena *arena;
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct slice title;        /* "Table music", "Global index ByYear" */
	struct slice pk;           /* names of the partition key's attributes */
	struct slice sk;           /* likewise of the sort key; empty: there is none */
	struct picture_row *rows;
	size_t n;
	size_t room;
	size_t collections;
	bool chosen; /* its collections were asked for by their keys */
	bool more;   /* there were more rows than a picture has */
};

/** picture_begin - an empty picture; everything of it is in @a's memory */
void picture_begin(struct picture *p, struct arena *a, const struct schema *s,
		   const struct index *ix);

/** picture_add - an item, in the order of its collection; Return: is there room for another? */
bool picture_add(struct picture *p, const struct item *it);

/** picture_end - collections one after the other, by the value of their partition key */
void picture_end(struct picture *p);

/** picture_note - what the picture leaves unsaid: how many items and collections, and whether that is all */
void picture_note(const struct picture *p, struct buf *out);

/** picture_html, picture_svg - all pictures of a table as one file; Return: as sink_flush() */
bool picture_html(struct sink *out, const struct picture *pictures, size_t n);
bool picture_svg(struct sink *out, const struct picture *pictures, size_t n);

#endif
