/*
 * number - DynamoDB's decimal numbers: up to 38 significant digits, 1E-130 .. 9.99..E+125
 *
 * A value holds a number as canonical text: plain decimal, no leading '+', no superfluous zero, "0" for zero, never an
 * exponent ("1500", "-0.25"). Equal numbers have equal text, so the text is parsed only to compare or to compute.
 */
#ifndef STORE_MODEL_NUMBER_H
#define STORE_MODEL_NUMBER_H

#include "store/base/core/base.h"

/*
 * value = (negative ? -1 : 1) * coefficient * 10^exponent
 *
 * Invariants: coefficient < 10^38, without trailing decimal zeros; zero is {0, 0, false}.
 */
struct number {
	unsigned __int128 coefficient;
	int exponent;
	bool negative;
};

/**
 * number_parse - read any decimal spelling ("0001.500", "1e3", "-.5E-2")
 *
 * Errors:  -ERR_VALIDATION  with DynamoDB's message: not a number ("The parameter cannot be converted to a numeric
 *                           value: X"), more than 38 digits, overflow, underflow
 * Source:  Developer Guide, "Naming rules and data types", Number; BEHAVIOUR 2.6, 2.7
 */
int number_parse(struct call *c, struct slice text, struct number *out) must_check;

/** number_read - read a canonical text from a value or record; damaged text that is no number reads as 0 */
struct number number_read(struct slice canonical);

/** number_print - append the canonical text */
void number_print(struct buf *out, const struct number *n);

/**
 * number_canonical - convert @text to canonical form
 * @out: in the call's arena, or @text itself if it is canonical
 *
 * Errors:  as number_parse()
 */
int number_canonical(struct call *c, struct slice text, struct slice *out) must_check;

/** number_cmp - compare by value; Return: < 0, 0, > 0 */
int number_cmp(const struct number *a, const struct number *b);

/** number_add - compute @a + @b, or @a - @b if @subtract; Errors: -ERR_VALIDATION: over 38 digits, overflow */
int number_add(struct call *c, const struct number *a, const struct number *b, bool subtract,
	       struct number *out) must_check;

/**
 * number_divide - compute @a / @n, rounded to 38 significant digits, half to even
 * @n: not 0
 *
 * Errors:  -ERR_VALIDATION: underflow
 */
int number_divide(struct call *c, const struct number *a, uint64_t n, struct number *out)
	must_check;

/**
 * number_to_key - append bytes whose memcmp order is the order of numbers
 *
 * Shape:  described in FORMAT.md, "Numbers in keys"; at most 22 bytes; may contain 00, which sort_key escapes
 */
void number_to_key(struct buf *out, const struct number *n);

/** number_from_key - read the bytes of number_to_key(); return false if @key is not valid */
bool number_from_key(struct slice key, struct number *out);

/** number_size - return the bytes that DynamoDB counts for a number; Source: BEHAVIOUR 2.12 */
size_t number_size(struct slice canonical);

#endif
