/*
 * envelope - requests and responses of the API that contain items
 *
 *   {"Items":[...],"Count":2,...}                Query, Scan, ExecuteStatement
 *   {"Responses":{"T":[...]},...}                BatchGetItem
 *   {"Responses":[{"Item":{...}},...]}           TransactGetItems, ExecuteTransaction
 *   {"T":[{"PutRequest":{...}},...]}             BatchWriteItem, in a file for the AWS CLI
 *   {"RequestItems":{"T":[...]},...}             ... and in the API; also "UnprocessedItems" of its response
 *
 * import_parse.c reads objects with one item: {"Item":{...}}, {"PutRequest":{"Item":{...}}}.
 *
 * An item may have attributes with any of these names.  So an object is an envelope only if all its members are members
 * of one envelope; an object with the partition key of the table is an item.
 */
#ifndef TOOLS_LOAD_ENVELOPE_H
#define TOOLS_LOAD_ENVELOPE_H

#include "store/base/text/json.h"
#include "store/model/schema.h"

enum envelope_kind { ENVELOPE_NONE, ENVELOPE_ITEMS, ENVELOPE_RESPONSES, ENVELOPE_REQUESTS };

struct envelope {
	enum envelope_kind kind;
	size_t from;  /* the offset after the [ of the array */
	size_t to;    /* the offset of its ] */
	bool open;    /* the text ends within the array: @to is not set */
	bool partial; /* other pages follow: there is a LastEvaluatedKey or NextToken */
	bool lacks;   /* some items were not read: there are UnprocessedKeys */
	bool counted; /* there is a Count, which is @count */
	uint64_t count;
	uint64_t n;    /* elements of the array; if open, the caller counts them */
	unsigned seen; /* members that were found: bits are the rows of members[] in envelope.c */
	bool among_tables; /* the array is in an object of tables */
};

/* Below, @of is the table of the import. */

/** envelope_may_begin - return true if @text may be the beginning of an envelope of several items, by its first name */
bool envelope_may_begin(struct slice text);

/**
 * envelope_find - determine whether an object is an envelope of several items
 * @text:  one complete JSON object, or the beginning of an object that is too long for an item, which may be open
 * @out:   kind is ENVELOPE_NONE for an item, and for malformed text, whose error the parser of items reports
 *
 * Errors:  -ERR_USAGE  of another table; Count is not the number of elements; a duplicate member
 */
int envelope_find(struct call *c, struct slice text, const struct schema *of, struct envelope *out)
	must_check;

/**
 * envelope_end - parse the rest of an open envelope, after the ]
 * @e:    open; e->n is the number of elements, which the caller has counted
 * @end:  the number of bytes up to the end of the object; 0: @rest does not contain it
 *
 * Errors:  those of envelope_find(); -ERR_SERIALIZATION  @rest is no end of an envelope
 */
int envelope_end(struct call *c, struct slice rest, const struct schema *of, struct envelope *e,
		 size_t *end) must_check;

/** envelope_other_table - fail because a request is for the table @name; Errors: -ERR_USAGE */
int envelope_other_table(struct call *c, struct slice name, const struct schema *of) must_check;

#endif
