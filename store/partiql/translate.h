/*
 * translate - a statement becomes the operation that does it
 *
 * Now the table is known.  Every statement's conditions are checked as a whole
 * first (for the parts that will be keys), then what they say of the key becomes a Key or runs
 * of keys.
 */
#ifndef STORE_PARTIQL_TRANSLATE_H
#define STORE_PARTIQL_TRANSLATE_H

#include "store/partiql/where.h"

/* What is not what the caller may run; nothing is recorded. */
enum translate_outcome { TRANSLATE_NOT_ONE = 1 };

/** translate_check - is the condition right, whatever the key? Errors: -ERR_VALIDATION */
int translate_check(struct call *c, const struct statement *st) __attribute__((warn_unused_result));

/**
 * translate_write - INSERT, UPDATE and DELETE as PutItem, UpdateItem and DeleteItem
 *
 * INSERT puts what is not there yet: that it is shows as a false condition.  UPDATE changes
 * what is there.
 *
 * Errors:  -ERR_VALIDATION  not the whole key, or values of it that do not fit; expressions
 */
int translate_write(struct call *c, const struct schema *s, const struct statement *st,
		    enum return_values on_failure, struct op_in *out)
	__attribute__((warn_unused_result));

/**
 * translate_action - the same, and EXISTS, as an action of a transaction
 *
 * Return: 0; TRANSLATE_NOT_ONE: EXISTS without the whole key, or with nothing else; < 0
 */
int translate_action(struct call *c, const struct schema *s, const struct statement *st,
		     enum return_values on_failure, struct transact_action *out)
	__attribute__((warn_unused_result));

/**
 * translate_get - a SELECT of one item by its key and nothing else
 *
 * Return: 0; TRANSLATE_NOT_ONE: any other SELECT; < 0
 */
int translate_get(struct call *c, const struct schema *s, const struct statement *st,
		  struct transact_get *out) __attribute__((warn_unused_result));

/** translate_check_overlap - of a SELECT that is TRANSLATE_NOT_ONE: do its reads overlap? Errors: -ERR_VALIDATION */
int translate_check_overlap(struct call *c, const struct schema *s, const struct statement *st)
	__attribute__((warn_unused_result));

/* A SELECT: which runs of keys are read, in which direction, and what of the items is answered. */
struct selection {
	struct read_in read; /* table, index, filter and projection; the rest is the caller's */
	struct where_runs runs;
	bool backward;
};

/** translate_select - any SELECT; @ix: the index it names, or NULL */
int translate_select(struct call *c, const struct schema *s, const struct index *ix,
		     const struct statement *st, struct selection *out)
	__attribute__((warn_unused_result));

/** translate_answer - an item as SELECT lists it: the parts under the last names of their paths */
struct item translate_answer(struct call *c, const struct statement *st, const struct item *it);

#endif
