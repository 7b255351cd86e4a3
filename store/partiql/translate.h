/*
 * translate - translation of statements into operations, with the definition of the table
 *
 * The whole condition of a statement is checked first, including the parts that will be removed from it.
 * Then the comparisons of key attributes become a Key or key ranges, and the rest becomes a condition or filter.
 */
#ifndef STORE_PARTIQL_TRANSLATE_H
#define STORE_PARTIQL_TRANSLATE_H

#include "store/partiql/where.h"

/* The statement is not of the kind that the function translates; the call has no error. */
enum translate_outcome { TRANSLATE_NOT_ONE = 1 };

/** translate_check - check the condition of @st without a table;  Return: 0, -ERR_VALIDATION */
int translate_check(struct call *c, const struct statement *st) must_check;

/**
 * translate_write - translate INSERT, UPDATE and DELETE into PutItem, UpdateItem and DeleteItem
 *
 * Conditions are added: an INSERT fails if the item exists, an UPDATE if it does not.
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  the key is not complete, or its values have wrong types; a wrong expression
 */
int translate_write(struct call *c, const struct schema *s, const struct statement *st,
		    enum return_values on_failure, struct op_in *out) must_check;

/**
 * translate_action - translate INSERT, UPDATE, DELETE or EXISTS into an action of a transaction
 *
 * Return:  0;  TRANSLATE_NOT_ONE: EXISTS without the whole key, or without a further condition;  < 0
 */
int translate_action(struct call *c, const struct schema *s, const struct statement *st,
		     enum return_values on_failure, struct transact_action *out) must_check;

/**
 * translate_get - translate a SELECT of one item by its key, without a further condition
 *
 * Return:  0;  TRANSLATE_NOT_ONE: any other SELECT;  < 0
 */
int translate_get(struct call *c, const struct schema *s, const struct statement *st,
		  struct transact_get *out) must_check;

/** translate_check_overlap - refuse a SELECT, for which translate_get() returned TRANSLATE_NOT_ONE, if reads overlap */
int translate_check_overlap(struct call *c, const struct schema *s, const struct statement *st)
	must_check;

/* A translated SELECT. */
struct selection {
	struct read_in read;    /* table, index, filter and projection; the caller sets the rest */
	struct where_runs runs; /* key ranges to read */
	bool backward;          /* in descending order of sort keys */
};

/** translate_select - translate any SELECT; @ix: the index that it names, or NULL;  Return: 0, -ERR_VALIDATION */
int translate_select(struct call *c, const struct schema *s, const struct index *ix,
		     const struct statement *st, struct selection *out) must_check;

/** translate_answer - Return: an item with the listed parts of @it, under the last names of their paths; borrows @it */
struct item translate_answer(struct call *c, const struct statement *st, const struct item *it);

#endif
