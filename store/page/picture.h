/*
 * picture - the item collections of a table or index, as texts in rows
 *
 *   partition key | sort key | attribute  attribute ...
 *                 |          | value      value
 *
 * For itemctl draw and for the pages of a browser.  What a picture looks like is picture_html.c's and
 * tools/picture/picture_svg.c's; every text here is visible (visible.h) and of bounded length.
 */
#ifndef STORE_PAGE_PICTURE_H
#define STORE_PAGE_PICTURE_H

#include "store/base/core/buf.h"
#include "store/model/schema.h"

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
	size_t kinds; /* there was room for some collections of each of so many kinds alone; 0: for all of them */
	uint64_t of; /* items that there are then, about */
};

/**
 * picture_text - a text as a cell has it; one that is cut tells how long it is, and is shorter so
 * @size: bytes that it tells
 */
struct slice picture_text(struct arena *a, struct slice text, size_t size);

/** picture_value - the cell of a value: binary is base64, what has members is JSON */
struct slice picture_value(struct arena *a, const struct value *v);

/** picture_begin - an empty picture; everything of it is in @a's memory */
void picture_begin(struct picture *p, struct arena *a, const struct schema *s,
		   const struct index *ix);

/** picture_add - an item, in the order of its collection; Return: is there room for another? */
bool picture_add(struct picture *p, const struct item *it);

/** picture_end - collections one after the other, by the value of their partition key */
void picture_end(struct picture *p);

/** picture_number - "12,000,000" */
void picture_number(struct buf *out, uint64_t n);

/** picture_note - what the picture leaves unsaid: how many items and collections, and whether that is all */
void picture_note(const struct picture *p, struct buf *out);

/** picture_style - a page's style sheet, an element of its head */
void picture_style(struct buf *out);

/** Called after each row, so that @out need not hold them all; Return: go on? */
typedef bool picture_drain_fn(struct buf *out, void *arg);

/**
 * picture_section - one picture as a section of a page
 * @number: it is "#p0", "#p1" ... there
 * @drain:  or NULL
 *
 * Return: false as soon as @drain does
 */
bool picture_section(struct buf *out, const struct picture *p, size_t number,
		     picture_drain_fn *drain, void *arg);

#endif
