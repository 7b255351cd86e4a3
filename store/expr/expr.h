/*
 * expr - the expression language: text and placeholders in, checked trees out
 *
 *   struct expr_scope *s = expr_scope_open(c, &in->ph);
 *   r = expr_condition(c, s, EXPR_FILTER, in->filter, &filter);
 *   r = expr_projection(c, s, in->projection, &projection);
 *   r = expr_scope_close(c, s);            every placeholder used?
 *   ok = expr_eval(c, filter, &item);      as often as you like
 *
 * Pure: no clock, no storage, no schema but the one that is passed.
 * Messages are DynamoDB's, letter by letter where known (BEHAVIOUR 14, 15).
 * c->error.place is set where a place in the text is to blame.
 *
 * A text that was not given has at == NULL; one that is given but empty is an
 * error, as DynamoDB has it.  Of several faults DynamoDB reports one, in this
 * order: malformed placeholders, syntax and parentheses, the leftmost of what no
 * placeholder can mend (expr_check.h), the leftmost of the rest (bind.h).
 */
#ifndef STORE_EXPR_EXPR_H
#define STORE_EXPR_EXPR_H

#include "store/model/placeholders.h"
#include "store/model/schema.h"

struct expr;            /* a checked condition or filter */
struct expr_scope;      /* placeholders of one request and which of them were used */
struct expr_projection; /* a checked list of document paths */
struct expr_update;     /* a checked update */

/* Which request field a text is; messages name it ("Invalid FilterExpression: ..."). */
enum expr_kind { EXPR_UPDATE, EXPR_CONDITION, EXPR_FILTER, EXPR_KEY_CONDITION, EXPR_PROJECTION };

/** expr_scope_open - placeholders for the expressions that follow; in the call's arena */
struct expr_scope *expr_scope_open(struct call *c, const struct placeholders *ph);

/**
 * expr_scope_close - after the last expression of the request
 *
 * Errors:  -ERR_VALIDATION  unused placeholders, empty maps, malformed placeholder names, over the
 *                           limits of BEHAVIOUR 14.8
 */
int expr_scope_close(struct call *c, struct expr_scope *s) __attribute__((warn_unused_result));

/**
 * expr_condition - a ConditionExpression or FilterExpression
 * @text: not given gives NULL, which is always true
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, undefined placeholder, operand type, limits
 */
int expr_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
		   struct expr **out) __attribute__((warn_unused_result));

/** expr_eval - is it true of @it? NULL @e is true; @it without attributes stands for a missing item
 */
bool expr_eval(struct call *c, const struct expr *e, const struct item *it);

/** expr_syntax - is @text well formed, if it is given? Nothing is asked of its placeholders; Errors: -ERR_VALIDATION */
int expr_syntax(struct call *c, enum expr_kind kind, struct slice text)
	__attribute__((warn_unused_result));

/** expr_value_text - a value as the service prints it: for B only a length, as its language shows a byte buffer */
const char *expr_value_text(struct call *c, const struct value *v);

/** expr_attributes - names of the top-level attributes that @e mentions, each once; NULL @e: none
 */
size_t expr_attributes(const struct expr *e, const struct slice **names);

/**
 * expr_check_key - key attributes, of the table and of every index, are scalars: does @e lead into
 * one?
 *
 * Errors:  -ERR_VALIDATION  it does; NULL @e never
 */
int expr_check_key(struct call *c, const struct expr *e, const struct schema *s)
	__attribute__((warn_unused_result));

/**
 * expr_fail_scalar - refuse a path that leads into a key attribute
 * @key: of the table, not of an index
 *
 * Whoever reads or writes it: alone the request fails, in a transaction too, as a whole (BEHAVIOUR 11.4).
 * Return: -ERR_VALIDATION
 */
int expr_fail_scalar(struct call *c, bool key, struct slice name)
	__attribute__((warn_unused_result));

/**
 * expr_projection - a ProjectionExpression
 * @text: not given gives NULL, which keeps everything
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, undefined placeholder, overlapping paths
 */
int expr_projection(struct call *c, struct expr_scope *s, struct slice text,
		    struct expr_projection **out) __attribute__((warn_unused_result));

/**
 * expr_project - only the projected parts of @it, in its order
 *
 * Nested parts keep the maps and lists around them, lists without gaps; a map or
 * list of which nothing is found is left out.
 *
 * Memory:  arrays in the call's arena; values that are wanted whole are shared with @it
 */
struct item expr_project(struct call *c, const struct expr_projection *p, const struct item *it);

/** expr_projection_attributes - top-level names as expr_attributes() */
size_t expr_projection_attributes(const struct expr_projection *p, const struct slice **names);

/** expr_projection_check_key - as expr_check_key() */
int expr_projection_check_key(struct call *c, const struct expr_projection *p,
			      const struct schema *s) __attribute__((warn_unused_result));

/**
 * expr_update - an UpdateExpression
 * @text: not given gives NULL, which changes nothing
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, a verb twice, undefined placeholder, overlapping
 *                           paths, operand type, limits
 */
int expr_update(struct call *c, struct expr_scope *s, struct slice text, struct expr_update **out)
	__attribute__((warn_unused_result));

/** expr_update_check_key - refuse to change an attribute of the key; NULL @u changes nothing */
int expr_update_check_key(struct call *c, const struct expr_update *u, const struct schema *s)
	__attribute__((warn_unused_result));

/** expr_update_check_scalars - refuse to read a part of a key attribute of the table or an index */
int expr_update_check_scalars(struct call *c, const struct expr_update *u, const struct schema *s)
	__attribute__((warn_unused_result));

enum update_effect { UPDATES_NOTHING, UPDATES_PART, UPDATES_WHOLE };

/**
 * expr_update_effect - does @u change the top-level attribute @name, or a part of it?
 * @type: what the whole will be where that shows without an item; else VALUE_TYPES
 */
enum update_effect expr_update_effect(const struct expr_update *u, struct slice name,
				      enum value_type *type);

/** expr_update_is_legacy - was it made of AttributeUpdates? */
bool expr_update_is_legacy(const struct expr_update *u);

/** expr_update_removes - does it nothing but REMOVE and DELETE?  NULL @u does not */
bool expr_update_removes(const struct expr_update *u);

/**
 * expr_update_charge - bytes that the service counts for what @u writes, whatever the item holds
 *
 * Of an UpdateExpression; NULL @u writes nothing.  Over LIMIT_ITEM_BYTES it is refused.
 */
size_t expr_update_charge(const struct expr_update *u);

/** expr_update_touched - the paths it changes: what UPDATED_OLD and UPDATED_NEW project */
const struct expr_projection *expr_update_touched(const struct expr_update *u);

/**
 * expr_update_apply - the item as @u makes it
 * @old: as it is, or only its key when there is none
 * @new: attributes in the order of @old, new ones behind them
 *
 * Everything is computed from @old.  Source: BEHAVIOUR E
 * Errors:  -ERR_VALIDATION    paths that lead nowhere, operands that are missing or of the wrong
 *                             type, numbers out of range, nesting
 *          -ERR_ITEM_TOO_BIG  surely over 400 KB; that it is not is for the caller to check
 * Memory:  arrays in the call's arena; values are shared with @old and with the placeholders
 */
int expr_update_apply(struct call *c, const struct expr_update *u, const struct item *old,
		      struct item *new) __attribute__((warn_unused_result));

enum keycond_op {
	KEYCOND_NONE, /* no condition beside the equalities */
	KEYCOND_EQ,
	KEYCOND_LT,
	KEYCOND_LE,
	KEYCOND_GT,
	KEYCOND_GE,
	KEYCOND_BETWEEN, /* a <= sk <= b; PartiQL: without an end that is open */
	KEYCOND_BEGINS_WITH,
};

/*
 * A key condition: the whole partition key, and conditions on the first attributes of the sort key,
 * of which only the last may be another than "=".
 */
struct keycond {
	struct key_values
		equal;      /* partition key, sort attributes before the last one that is given */
	enum keycond_op op; /* on the sort attribute behind those */
	const struct value *a;
	const struct value *b; /* BETWEEN only */
	bool open_a;           /* likewise: a < sk */
	bool open_b;           /* likewise: sk < b */
};

struct key_terms; /* a key condition of which the key is not known yet */

/**
 * expr_key_condition - a KeyConditionExpression, as far as any condition is judged without a table
 *
 * Errors:  -ERR_VALIDATION  what is no condition
 */
int expr_key_condition(struct call *c, struct expr_scope *s, struct slice text,
		       struct key_terms **out) __attribute__((warn_unused_result));

/**
 * expr_key_condition_judge - is it one of a key?  Behind the request's other expressions
 *
 * Errors:  -ERR_VALIDATION  everything of BEHAVIOUR A that needs no key
 */
int expr_key_condition_judge(struct call *c, struct key_terms *terms)
	__attribute__((warn_unused_result));

/** expr_key_condition_names - is there a condition on each of @n key attributes? */
bool expr_key_condition_names(const struct key_terms *terms, const struct key_attr *attrs,
			      size_t n);

/**
 * expr_key_condition_match - likewise for the key of a table or index
 *
 * The lengths of key values are not looked at.
 *
 * Errors:  -ERR_VALIDATION  the rest of BEHAVIOUR A, key values of the wrong type or empty included
 */
int expr_key_condition_match(struct call *c, const struct key_terms *terms,
			     const struct schema *schema, const struct index *ix,
			     struct keycond *out) __attribute__((warn_unused_result));

/** expr_reserved - is @word one of the 573 reserved words, in any case? */
bool expr_reserved(struct slice word);

#endif
