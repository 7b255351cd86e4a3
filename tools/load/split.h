/*
 * split - splits the text of an item file into records, one record per item
 *
 *   lines  one item per line
 *   json   a sequence of objects, or one array of objects; newlines anywhere
 *   csv    RFC 4180: a newline within quotes belongs to its cell
 *
 * Instead of an item there may be an envelope (envelope.h) of any length, whose elements are records.  Only the ends of
 * records are found here; other modules parse them.
 */
#ifndef TOOLS_LOAD_SPLIT_H
#define TOOLS_LOAD_SPLIT_H

#include "tools/load/envelope.h"
#include "tools/system/lines.h"

enum split_kind { SPLIT_LINES, SPLIT_JSON, SPLIT_CSV };

enum { SPLIT_RECORD_MAX = LINES_MAX }; /* bytes of a record; a longer one is an error */

/* The position in a sequence of objects, or in an array of objects. */
struct split_list {
	bool in_array; /* between '[' and ']' */
	bool ended;    /* after ']' */
	bool comma;    /* a comma was seen, and its record follows */
	bool some;     /* a record has been seen */
};

struct splitter {
	enum split_kind kind;
	char delimiter;          /* csv; 0: a comma */
	const struct schema *of; /* the table of envelopes; lines, NULL: they have no envelopes */
	struct split_list documents;
	bool within; /* the array of an envelope */
	struct envelope envelope;
	struct split_list elements; /* of the envelope */
	size_t behind;              /* bytes of the envelope after its array, unless it is open */
	size_t looked; /* length of the text that was last searched for the end of an object */
	bool partial;  /* the last envelope has a LastEvaluatedKey or NextToken */
	bool lacks;    /* an envelope has UnprocessedKeys */
};

/**
 * split_is_json - return true if a file that begins with @text is of the kind SPLIT_JSON, and not JSON Lines
 * @text: contains at least the first line
 *
 * Such files begin with an array, an object of several lines, or an envelope.
 */
bool split_is_json(struct slice text);

enum { SPLIT_MORE = 1, SPLIT_END = 2 };

/**
 * split_next - find the first record of @text
 * @whole:   nothing follows @text
 * @record:  in @text, without newline and separators
 * @used:    bytes of @text that were consumed, with those before and after the record; also set for SPLIT_MORE
 *
 * Return:  0; SPLIT_MORE: the rest of @text is no complete record, or is an object over SPLIT_RECORD_MAX that is no
 *          envelope; SPLIT_END: nothing is left
 * Errors:  -ERR_SERIALIZATION  json: a value that is no object, or a superfluous comma; those of envelope_find()
 */
int split_next(struct splitter *s, struct call *c, struct slice text, bool whole,
	       struct slice *record, size_t *used) must_check;

#endif
