/* literal - parses values as users type them in an expression */
#ifndef STORE_EXPR_LITERAL_H
#define STORE_EXPR_LITERAL_H

#include "store/model/value.h"

/**
 * literal_string - parse the string whose opening quote, " or ', is at @from
 * @end: set to the offset after the closing quote
 *
 * Errors:  -ERR_VALIDATION  no closing quote, a bad escape; the place is set
 */
int literal_string(struct call *c, struct slice text, size_t from, struct slice *out, size_t *end)
	must_check;

/**
 * literal_json - parse the list or map whose opening bracket is at @from, written as in an item's file
 * @end: set to the offset after the closing bracket
 *
 * Strings in it may have single quotes.
 * Errors:  -ERR_VALIDATION  no closing bracket, not JSON, not a value; the place is set
 */
int literal_json(struct call *c, struct slice text, size_t from, struct value *out, size_t *end)
	must_check;

/** literal_number_end - offset after the sign, digits, fraction and exponent that begin at @from */
size_t literal_number_end(struct slice text, size_t from);

/** literal_word - parse true, false or null; Return: false for any other word */
bool literal_word(struct slice word, struct value *out);

/** literal_looks_like_word - return true if @word is true, false or null, ignoring case */
bool literal_looks_like_word(struct slice word);

#endif
