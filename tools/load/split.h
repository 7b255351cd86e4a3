/*
 * split - a file of items cut into records, one record an item
 *
 *   lines  one item a line
 *   json   objects one after the other, or one array of them; newlines anywhere
 *   csv    RFC 4180: a newline within quotes belongs to its cell
 *
 * Instead of an item there may be an envelope (envelope.h), of any length: its elements are records.
 * Cutting looks only for the ends; what a record holds is parsed elsewhere.
 */
#ifndef TOOLS_LOAD_SPLIT_H
#define TOOLS_LOAD_SPLIT_H

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

#include "tools/load/envelope.h"
#include "tools/system/lines.h"

enum split_kind { SPLIT_LINES, SPLIT_JSON, SPLIT_CSV };

enum { SPLIT_RECORD_MAX = LINES_MAX }; /* a longer record is none */

/* Where it stands among objects that follow each other, or are elements of an array. */
struct split_list {
	bool in_array; /* between '[' and ']' */
	bool ended;    /* behind ']' */
	bool comma;    /* a comma waits for its record */
	bool some;     /* a record has been seen */
};

struct splitter {
	enum split_kind kind;
	char delimiter;        /* csv; 0: a comma */
	bool envelopes;        /* there may be some */
	struct envelope_of of; /* with envelopes */
	struct split_list documents;
	bool within; /* an envelope's array */
	struct envelope envelope;
	struct split_list elements; /* of the envelope */
	size_t behind;              /* bytes that follow its array, unless it is open */
	size_t looked;              /* length of an object at which its end was not found */
	bool partial;               /* the last envelope says that others follow */
	bool lacks;                 /* one of them says that some were not read */
};

/**
 * split_is_json - are these the first bytes of what SPLIT_JSON reads, rather than of lines of JSON?
 *
 * An array, an object over several lines, an envelope.  @text reaches to the end of a line, at least.
 */
bool split_is_json(struct slice text);

enum { SPLIT_MORE = 1, SPLIT_END = 2 };

/**
 * split_next - the first record of @text
 * @whole:   nothing follows @text
 * @record:  without the newline and what stands between records
 * @used:    bytes of @text that are done with, those before and behind the record included; also
 *           set with SPLIT_MORE
 * An unfinished object of more than SPLIT_RECORD_MAX that is no envelope gives SPLIT_MORE, too.
 *
 * Return:  0; SPLIT_MORE: the rest of @text is no whole record; SPLIT_END: nothing is left.
 * Errors:  -ERR_SERIALIZATION  json: something other than an object, a comma too many; and those of
 *          envelope_find()
 */
int split_next(struct splitter *s, struct call *c, struct slice text, bool whole,
	       struct slice *record, size_t *used) __attribute__((warn_unused_result));

#endif
