/*
 * split - a file of items cut into records, one record an item
 *
 *   lines  one item a line
 *   json   objects one after the other, or one array of them, or the answer of a Scan, Query or
 *          ExecuteStatement, whose first member is "Items"; newlines anywhere
 *   csv    RFC 4180: a newline within quotes belongs to its cell
 *
 * Cutting looks only for the ends; what a record holds is parsed elsewhere.
 */
#ifndef TOOLS_SPLIT_H
#define TOOLS_SPLIT_H

#include "store/base/call.h"
#include "store/base/slice.h"

enum split_kind { SPLIT_LINES, SPLIT_JSON, SPLIT_CSV };

struct splitter {
	enum split_kind kind;
	char delimiter; /* csv; 0: a comma */
	bool began;     /* json: something other than blanks has been seen */
	bool in_array;  /* json: between '[' and ']' */
	bool ended;     /* json: behind ']' */
	bool comma;     /* json: a comma waits for its record */
	bool some;      /* json: a record has been seen */
	bool answer;    /* json: what stands behind ']' is the rest of an answer */
	bool partial;   /* json: ... with a LastEvaluatedKey or NextToken */
};

/**
 * split_is_json - are these the first bytes of what SPLIT_JSON reads, rather than of lines of JSON?
 *
 * An array, an object over several lines, an answer.
 */
bool split_is_json(struct slice text);

enum { SPLIT_MORE = 1, SPLIT_END = 2 };

/**
 * split_next - the first record of @text
 * @whole:   nothing follows @text
 * @record:  without the newline and what stands between records; empty: a blank line
 * @used:    bytes of @text that are done with, those before and behind the record included; also
 *           set with SPLIT_MORE
 *
 * Return:  0; SPLIT_MORE: the rest of @text is no whole record; SPLIT_END: nothing is left.
 * Errors:  -ERR_SERIALIZATION  json: something other than an object, a comma too many
 */
int split_next(struct splitter *s, struct call *c, struct slice text, bool whole,
	       struct slice *record, size_t *used) __attribute__((warn_unused_result));

#endif
