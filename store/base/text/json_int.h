/* json_int - the state machine of json_check.c and the tree that it builds, for json.c */
#ifndef STORE_BASE_TEXT_JSON_INT_H
#define STORE_BASE_TEXT_JSON_INT_H

#include "store/base/text/json.h"

/* An open container. */
struct json_level {
	struct json *node;
	const struct json **link; /* where its next child goes */
};

/* The tree of json_parse().  json_tree.c builds it, one call for each token of the text. */
struct json_tree {
	struct arena *arena;
	int flags;            /* enum json_flags */
	bool spent;           /* the call had exceeded its budget before the text was read */
	struct buf unescaped; /* the string that is read, up to its last escape */
	struct slice name;    /* of the member whose value comes next */
	bool ended;           /* by a duplicate name, or because the call has exceeded its budget */
	struct slice again;   /* the duplicate name */
	struct json_level *level; /* the innermost open container; the first contains the root */
};

/** json_tree_add - add a value; @text: of a number, or of a string without its quotes */
struct json *json_tree_add(struct json_tree *t, enum json_type type, struct slice text);

/** json_tree_name - set the name of the next value; @text: without the quotes */
void json_tree_name(struct json_tree *t, struct slice text);

/** json_tree_escape - an escape of the character @ch comes after @text, which is the part of the string before it */
void json_tree_escape(struct json_tree *t, struct slice text, uint32_t ch);

/** json_tree_open, json_tree_close - begin and end a container */
void json_tree_open(struct json_tree *t, enum json_type type);
void json_tree_close(struct json_tree *t);

/* What comes next; json_check.c has the list.  The order matters: outside tokens, in a string, in a number. */
enum at {
	START,
	FIRST,
	NAME,
	COLON,
	VALUE,
	ELEMENT,
	AFTER,
	DONE,
	STRING,
	ZERO,
	INT,
	FRACTION,
	POWER,
	BROKEN,
};

struct json_check {
	struct json_tree *tree; /* NULL: the text is only checked */
	enum at at;             /* START: an object is expected; VALUE: any value */
	bool name;              /* the string is a member's name */
	bool shown;             /* the byte that broke the check is part of the message */
	size_t next;            /* offset of the next byte; or, if BROKEN, of the fault */
	size_t token;           /* offset of the number, or of the string after its last escape */
	const char *why;        /* reason of BROKEN; else NULL */
	struct buf message;     /* the same with its place, as a C string */
	size_t depth;           /* open containers */
	bool object[JSON_DEPTH_MAX]; /* the container is an object, not an array */
};

/**
 * json_check_run - read @text from k->next on
 *
 * Stops at the end, or earlier if a step needs more bytes, if the check breaks, or if the tree has ended.
 */
void json_check_run(struct json_check *k, struct slice text);

/** json_check_end - end the text after json_check_run(); Return: true if it is one value, else the check is BROKEN */
bool json_check_end(struct json_check *k, struct slice text);

/** json_fault_put - append the message of the fault k->why, with the line and column of k->next, as a C string */
void json_fault_put(struct buf *b, const struct json_check *k, struct slice text);

#endif
