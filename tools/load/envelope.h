/*
 * envelope - what the API and its tools put around items
 *
 *   {"Items":[...],"Count":2,...}                Query, Scan, ExecuteStatement
 *   {"Responses":{"T":[...]},...}                BatchGetItem
 *   {"Responses":[{"Item":{...}},...]}           TransactGetItems, ExecuteTransaction
 *   {"T":[{"PutRequest":{...}},...]}             BatchWriteItem, as the file of aws has it
 *   {"RequestItems":{"T":[...]},...}             ... and as the API has it; "UnprocessedItems" of its answer
 *   {"Item":{...}}, {"PutRequest":{"Item":{...}}}    one item
 *
 * An item may have attributes of any of these names.  So the whole object decides: all its members must be
 * those of one envelope, and what has the table's partition key is an item.
 */
#ifndef TOOLS_LOAD_ENVELOPE_H
#define TOOLS_LOAD_ENVELOPE_H

#include "store/base/text/json.h"
#include "store/model/schema.h"

enum envelope_kind { ENVELOPE_NONE, ENVELOPE_ITEMS, ENVELOPE_RESPONSES, ENVELOPE_REQUESTS };

/* What is imported. */
struct envelope_of {
	struct slice table;
	const struct key_schema *key;
};

struct envelope {
	enum envelope_kind kind;
	size_t from;  /* the offset behind the array's [ */
	size_t to;    /* the offset of its ] */
	bool open;    /* the text ends within the array: there is no @to yet */
	bool partial; /* others follow: it has a LastEvaluatedKey or NextToken */
	bool lacks;   /* some were not read: it has UnprocessedKeys */
	bool counted; /* it has a Count, which is @count */
	uint64_t count;
	uint64_t n;        /* elements that were counted; of an open one: by the caller */
	unsigned seen;     /* members: a bit for each row of the table */
	bool among_tables; /* the array stands in an object of tables */
};

/** envelope_may_begin - can a text that begins with @text be an envelope of several items?  Its first name tells */
bool envelope_may_begin(struct slice text);

/**
 * envelope_find - is the object an envelope of several items?
 * @text:  one JSON object as a whole; or the beginning of one that is too long for an item, which may be open
 *
 * Malformed text is no envelope: the parser of items says what is wrong with it.
 *
 * Errors:  -ERR_USAGE  of another table; Count is another number than there are elements; a member twice
 */
int envelope_find(struct call *c, struct slice text, const struct envelope_of *of,
		  struct envelope *out) __attribute__((warn_unused_result));

/**
 * envelope_end - read what stands behind the ] of an open one; e->n says how many elements there were
 * @end:  the bytes up to the end of the object; 0: @rest does not reach so far
 *
 * Errors:  as envelope_find(); -ERR_SERIALIZATION  it is no end of an envelope
 */
int envelope_end(struct call *c, struct slice rest, const struct envelope_of *of,
		 struct envelope *e, size_t *end) __attribute__((warn_unused_result));

/**
 * envelope_item - the typed item of {"Item":...}, {"PutRequest":{"Item":...}}
 * @out: NULL: @json itself may be an item; what has the partition key is one
 *
 * Errors: -ERR_USAGE  an answer or request that is no item, members beside "Item" that would be lost
 */
int envelope_item(struct call *c, const struct json *json, const struct envelope_of *of,
		  const struct json **out) __attribute__((warn_unused_result));

#endif
