/*
 * page_key - form fields for a key condition, and the KeyConditionExpression that their values make
 *
 *   pk pk2 pk3 pk4             values of the partition key's attributes, as typed
 *   op sk to, op2 sk2 to2 ...  for each attribute of the sort key: operator, value, second value of between
 *   order=desc                 the items of a partition key in descending order
 */
#ifndef STORE_PAGE_PAGE_KEY_H
#define STORE_PAGE_PAGE_KEY_H

#include "store/expr/inline.h"
#include "store/model/schema.h"
#include "store/page/page.h"

/**
 * page_key_condition - make the KeyConditionExpression of a request
 * @to:        the placeholders and values are added to it
 * @condition: set to the expression; empty: no field of the key has a value
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  a value is missing or superfluous, or the operator is unknown;
 *          those of key_text_parse()
 */
int page_key_condition(struct call *c, const struct page_request *rq, const struct key_schema *key,
		       struct inline_request *to, struct slice *condition) must_check;

/* Names of the arguments for one attribute. */
struct page_key_names {
	const char *op; /* NULL: of the partition key, which has only "=" */
	const char *value;
	const char *to; /* likewise */
};

/** page_key_names - Return: the names for attribute @i, below KEY_PART_MAX, of the partition key or the sort key */
const struct page_key_names *page_key_names(bool sort, size_t i);

/** page_key_fields - append the fields of a form, with the values of the request */
void page_key_fields(struct buf *out, const struct page_request *rq, const struct key_schema *key);

#endif
