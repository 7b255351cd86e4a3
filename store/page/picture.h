/*
 * picture - the item collections of a table or index as rows of texts
 *
 *   partition key | sort key | attribute  attribute ...
 *                 |          | value      value
 *
 * Used by itemctl draw and by the pages.  picture_html.c and tools/picture/picture_svg.c draw a picture.  Texts are
 * escaped with escape.h and have a bounded length.
 */
#ifndef STORE_PAGE_PICTURE_H
#define STORE_PAGE_PICTURE_H

#include "store/model/schema.h"

enum {
	PICTURE_ROWS = 2000, /* rows of a picture, at most */
	PICTURE_CELLS = 100, /* cells of a row, at most */
	PICTURE_TEXT = 60,   /* characters of a truncated value or name */
};

struct picture_cell {
	struct slice name;
	const char *type; /* "N", "M" ...; "" for a string */
	struct slice value;
};

struct picture_row {
	struct value key[KEY_PART_MAX]; /* partition key */
	struct slice pk;
	struct slice sk;
	struct picture_cell *cells;
	size_t n;
	size_t left_out; /* number of attributes without a cell */
	size_t at;       /* position in the order of picture_add() */
	size_t span;     /* in the first row of a collection: number of its rows; else 0 */
};

struct picture {
	struct arena *arena;
	const struct schema *schema;
	const struct index *index; /* NULL: the table itself */
	struct slice title;        /* "Table music", "Global index ByYear" */
	struct slice pk;           /* names of the partition key's attributes */
	struct slice sk;           /* names of the sort key's attributes; empty: there are none */
	struct picture_row *rows;
	size_t n;
	size_t room; /* capacity of @rows */
	size_t collections;
	bool chosen; /* the user selected the collections by their keys */
	bool more;   /* there were more rows than fit */
	size_t kinds; /* the picture has only some collections of each of this number of kinds; 0: it has all */
	uint64_t of; /* if @kinds > 0: approximate number of all items */
};

/**
 * picture_text - Return: a text for a cell, in @a; a truncated text ends with its size
 * @size: in bytes, to be shown if @text is truncated
 */
struct slice picture_text(struct arena *a, struct slice text, size_t size);

/** picture_value - Return: the text of a value, in @a: binary as base64, lists, maps and sets as JSON */
struct slice picture_value(struct arena *a, const struct value *v);

/** picture_begin - initialize an empty picture; its memory is in @a */
void picture_begin(struct picture *p, struct arena *a, const struct schema *s,
		   const struct index *ix);

/** picture_add - add an item, in the order of its collection;  Return: false: the picture is full, nothing was added */
bool picture_add(struct picture *p, const struct item *it);

/** picture_end - sort the rows by partition key, so that collections are adjacent; call it after the last item */
void picture_end(struct picture *p);

/** picture_number - append "12,000,000" */
void picture_number(struct buf *out, uint64_t n);

/** picture_note - append the numbers of items and collections, and whether these are all */
void picture_note(const struct picture *p, struct buf *out);

/** picture_style - append the style sheet of a page, an element of its head */
void picture_style(struct buf *out);

/** picture_drain_fn - called after each row, to empty @out;  Return: whether to continue */
typedef bool picture_drain_fn(struct buf *out, void *arg);

/**
 * picture_section - append a picture as a section of a page
 * @number: of the section's id: "p0", "p1" ...
 * @drain:  or NULL
 *
 * Return:  false: @drain returned false
 */
bool picture_section(struct buf *out, const struct picture *p, size_t number,
		     picture_drain_fn *drain, void *arg);

#endif
