/* json_check_int - state of json_check, shared by json_check.c and json_fault.c */
#ifndef STORE_BASE_TEXT_JSON_CHECK_INT_H
#define STORE_BASE_TEXT_JSON_CHECK_INT_H

#include "store/base/text/json.h"

/* The beginning of messages: line and column. */
#define JSON_CHECK_LINE "not JSON: line "
#define JSON_CHECK_PLACE JSON_CHECK_LINE "%zu, column %zu: "

/* json_check_step() depends on the order: outside tokens, in strings, in unfinished numbers, in valid numbers. */
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
	ESCAPE,
	HEX,
	LOW,
	LOW_U,
	UTF8,
	MINUS,
	DOT,
	E,
	SIGN,
	ZERO,
	INT,
	FRACTION,
	POWER,
	WORD,
	BROKEN,
};

struct json_check {
	enum at at;
	bool any;           /* any value is allowed, not only an object */
	bool name;          /* the string is a member's name */
	unsigned mark;      /* bytes of a leading byte order mark so far */
	bool low;           /* the escape must be the second half of a pair */
	unsigned hex_left;  /* digits that are missing */
	unsigned unit;      /* value of the digits so far */
	unsigned utf8_left; /* bytes that are missing */
	uint8_t lo;         /* lo..hi: range of the next of them */
	uint8_t hi;
	const char *word;            /* missing letters of true, false, null */
	size_t line;                 /* of the next byte, from 1 */
	size_t column;               /* of the next byte, in characters, from 1 */
	size_t depth;                /* open containers */
	bool object[JSON_DEPTH_MAX]; /* the container is an object, not an array */
	const char *why;             /* reason of BROKEN; else NULL */
	char reason[128];            /* the same with its place: the message */
};

#endif
