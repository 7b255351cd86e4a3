/*
 * expr - the expression language: turns text and placeholders into checked trees, and applies them to items
 *
 *   struct expr_scope *s = expr_scope_open(c, &in->ph);
 *   r = expr_condition(c, s, EXPR_FILTER, in->filter, &filter);
 *   r = expr_projection(c, s, in->projection, &projection);
 *   r = expr_scope_close(c, s);            checks that all placeholders were used
 *   ok = expr_eval(c, filter, &item);      any number of times
 *
 * Uses no clock, no storage, and no schema except the one that is passed.
 * Messages are DynamoDB's, letter by letter where known (BEHAVIOUR 14, 15).
 * c->error.place is set if the fault is at a place in the text.
 *
 * A text that was not given has at == NULL.  A text that is given but empty is an
 * error, as in DynamoDB.  If there are several faults, DynamoDB reports one, in this
 * order: malformed placeholders, syntax and parentheses, the leftmost fault that does not
 * depend on placeholders (expr_check.h), the leftmost of the rest (bind.h).
 */
#ifndef STORE_EXPR_EXPR_H
#define STORE_EXPR_EXPR_H

#include "store/model/placeholders.h"
#include "store/model/schema.h"

struct expr;            /* a checked condition or filter */
struct expr_scope;      /* placeholders of one request, and which of them were used */
struct expr_projection; /* a checked list of document paths */
struct expr_update;     /* a checked update */

/* The request field of a text; messages name it ("Invalid FilterExpression: ..."). */
enum expr_kind { EXPR_UPDATE, EXPR_CONDITION, EXPR_FILTER, EXPR_KEY_CONDITION, EXPR_PROJECTION };

/** expr_scope_open - create the scope for the expressions of a request, in the call's arena; @ph is borrowed */
struct expr_scope *expr_scope_open(struct call *c, const struct placeholders *ph);

/**
 * expr_scope_close - check the use of placeholders, after the last expression of the request
 *
 * Errors:  -ERR_VALIDATION  unused placeholders, empty maps, malformed placeholder names, over the
 *                           limits of BEHAVIOUR 14.8
 */
int expr_scope_close(struct call *c, struct expr_scope *s) must_check;

/**
 * expr_condition - prepare a ConditionExpression or FilterExpression
 * @text: if not given, *out is NULL, which is always true
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, undefined placeholder, operand type, limits
 */
int expr_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
		   struct expr **out) must_check;

/** expr_eval - return true if @e, which may be NULL, is true for @it; a missing item is one without attributes */
bool expr_eval(struct call *c, const struct expr *e, const struct item *it);

/** expr_syntax - check the syntax of @text, if it is given, but not its placeholders; Errors: -ERR_VALIDATION */
int expr_syntax(struct call *c, enum expr_kind kind, struct slice text) must_check;

/** expr_value_text - a scalar as the service prints it; for B only its length, as Java prints a byte buffer */
const char *expr_value_text(struct call *c, const struct value *v);

/** expr_attributes - names of the top-level attributes that @e mentions, each once; Return: their number; 0 for NULL */
size_t expr_attributes(const struct expr *e, const struct slice **names);

/**
 * expr_check_key - refuse paths that lead into a key attribute of the table or of an index: those are scalars
 * @e: may be NULL
 *
 * Errors:  -ERR_VALIDATION
 */
int expr_check_key(struct call *c, const struct expr *e, const struct schema *s) must_check;

/**
 * expr_fail_scalar - fail because a path leads into the key attribute @name
 * @key: it is a key attribute of the table, not of an index
 *
 * In a transaction, the whole request fails, not one action (BEHAVIOUR 11.4).
 * Return: -ERR_VALIDATION
 */
int expr_fail_scalar(struct call *c, bool key, struct slice name) must_check;

/**
 * expr_projection - prepare a ProjectionExpression
 * @text: if not given, *out is NULL, which keeps everything
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, undefined placeholder, overlapping paths
 */
int expr_projection(struct call *c, struct expr_scope *s, struct slice text,
		    struct expr_projection **out) must_check;

/**
 * expr_project - the projected parts of @it, in the order of @it
 *
 * Nested parts keep the maps and lists around them; lists keep no gaps.  A map or
 * list without any projected part is omitted.
 *
 * Memory:  arrays in the call's arena; values that are projected whole are shared with @it
 */
struct item expr_project(struct call *c, const struct expr_projection *p, const struct item *it);

/** expr_projection_attributes - as expr_attributes(), for a projection */
size_t expr_projection_attributes(const struct expr_projection *p, const struct slice **names);

/** expr_projection_check_key - as expr_check_key(), for a projection */
int expr_projection_check_key(struct call *c, const struct expr_projection *p,
			      const struct schema *s) must_check;

/**
 * expr_update - prepare an UpdateExpression
 * @text: if not given, *out is NULL, which changes nothing
 *
 * Errors:  -ERR_VALIDATION  syntax, reserved word, a verb twice, undefined placeholder, overlapping
 *                           paths, operand type, limits
 */
int expr_update(struct call *c, struct expr_scope *s, struct slice text, struct expr_update **out)
	must_check;

/** expr_update_check_key - refuse an update of a key attribute of the table; @u may be NULL */
int expr_update_check_key(struct call *c, const struct expr_update *u, const struct schema *s)
	must_check;

/** expr_update_check_scalars - refuse values that read a part of a key attribute of the table or of an index */
int expr_update_check_scalars(struct call *c, const struct expr_update *u, const struct schema *s)
	must_check;

enum update_effect { UPDATES_NOTHING, UPDATES_PART, UPDATES_WHOLE };

/**
 * expr_update_effect - whether @u changes the top-level attribute @name, or a part of it
 * @type: set to the new type of the whole attribute if that does not depend on the item, else to VALUE_TYPES
 */
enum update_effect expr_update_effect(const struct expr_update *u, struct slice name,
				      enum value_type *type);

/** expr_update_is_legacy - return true if @u was made of AttributeUpdates */
bool expr_update_is_legacy(const struct expr_update *u);

/** expr_update_removes - return true if @u consists only of REMOVE and DELETE; false for NULL */
bool expr_update_removes(const struct expr_update *u);

/**
 * expr_update_charge - bytes that the service counts for an UpdateExpression, independent of the item
 * @u: may be NULL; not made of AttributeUpdates
 *
 * The service refuses an update that counts more than LIMIT_ITEM_BYTES.
 */
size_t expr_update_charge(const struct expr_update *u);

/** expr_update_touched - the paths that @u changes, which UPDATED_OLD and UPDATED_NEW project */
const struct expr_projection *expr_update_touched(const struct expr_update *u);

/**
 * expr_update_apply - compute the new item that @u makes of @old
 * @u:   may be NULL, which changes nothing
 * @old: the present item; only its key if there is none
 * @new: attributes in the order of @old, followed by new ones
 *
 * Everything is computed from @old.  Source: BEHAVIOUR E
 * Errors:  -ERR_VALIDATION    paths that lead nowhere, operands that are missing or of the wrong
 *                             type, numbers out of range, nesting
 *          -ERR_ITEM_TOO_BIG  certainly over 400 KB; the caller checks the exact size of @new
 * Memory:  arrays in the call's arena; values are shared with @old and with the placeholders
 */
int expr_update_apply(struct call *c, const struct expr_update *u, const struct item *old,
		      struct item *updated) must_check;

enum keycond_op {
	KEYCOND_NONE, /* no condition besides the equalities */
	KEYCOND_EQ,
	KEYCOND_LT,
	KEYCOND_LE,
	KEYCOND_GT,
	KEYCOND_GE,
	KEYCOND_BETWEEN, /* a <= sk <= b; PartiQL: see open_a and open_b */
	KEYCOND_BEGINS_WITH,
};

/*
 * A key condition: equality for the whole partition key, and conditions on the first attributes of the sort key.
 * All of those except the last must be "=".
 */
struct keycond {
	struct key_values equal; /* partition key, sort attributes before the last one given */
	enum keycond_op op;      /* on the last sort attribute given */
	const struct value *a;
	const struct value *b; /* BETWEEN only */
	bool open_a;           /* BETWEEN only: a < sk */
	bool open_b;           /* BETWEEN only: sk < b */
};

struct key_terms; /* a key condition that has not been matched with a key yet */

/**
 * expr_key_condition - prepare a KeyConditionExpression, with the checks that apply to any condition
 *
 * Errors:  -ERR_VALIDATION  @text is not a valid condition
 */
int expr_key_condition(struct call *c, struct expr_scope *s, struct slice text,
		       struct key_terms **out) must_check;

/**
 * expr_key_condition_judge - check that the condition can be one on a key; after the request's other expressions
 *
 * Errors:  -ERR_VALIDATION  the rules of BEHAVIOUR A that do not depend on the key
 */
int expr_key_condition_judge(struct call *c, struct key_terms *terms) must_check;

/** expr_key_condition_names - return true if there is a condition on each of @n key attributes */
bool expr_key_condition_names(const struct key_terms *terms, const struct key_attr *attrs,
			      size_t n);

/**
 * expr_key_condition_match - match a judged condition with the key of a table or index
 * @ix: NULL: the table
 *
 * Does not check the lengths of key values.
 *
 * Errors:  -ERR_VALIDATION  the other rules of BEHAVIOUR A; key values of the wrong type or empty
 */
int expr_key_condition_match(struct call *c, const struct key_terms *terms,
			     const struct schema *schema, const struct index *ix,
			     struct keycond *out) must_check;

/** reserved_among - return true if @word is one of the @n words, sorted as in lower case; the case of ASCII is ignored */
bool reserved_among(struct slice word, const char *const *sorted, size_t n);

/** expr_reserved - return true if @word is one of the 573 reserved words, ignoring case */
bool expr_reserved(struct slice word);

#endif
