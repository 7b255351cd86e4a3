/* literal - values as people type them in an expression */
#ifndef STORE_EXPR_LITERAL_H
#define STORE_EXPR_LITERAL_H

#include "store/model/value.h"

/**
 * literal_string - the string whose opening quote, " or ', stands at @from
 * @end: behind the closing quote
 *
 * Errors:  -ERR_VALIDATION  no closing quote, a bad escape; the place is set
 */
int literal_string(struct call *c, struct slice text, size_t from, struct slice *out, size_t *end)
	__attribute__((warn_unused_result));

/**
 * literal_json - the list or map whose opening bracket stands at @from, as an item's file has it; texts may have single quotes
 * @end: behind the closing bracket
 *
 * Errors:  -ERR_VALIDATION  no closing bracket, not JSON, no value; the place is set
 */
int literal_json(struct call *c, struct slice text, size_t from, struct value *out, size_t *end)
	__attribute__((warn_unused_result));

/** literal_number_end - behind the sign, digits, fraction and exponent that begin at @from */
size_t literal_number_end(struct slice text, size_t from);

/** literal_word - true, false or null as a value; false for any other word */
bool literal_word(struct slice word, struct value *out);

/** literal_looks_like_word - is it true, false or null in any case? */
bool literal_looks_like_word(struct slice word);

#endif
