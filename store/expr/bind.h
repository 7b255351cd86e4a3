/* bind - placeholders of a request, and putting what they stand for into its expressions */
#ifndef STORE_EXPR_BIND_H
#define STORE_EXPR_BIND_H

#include "store/expr/ast.h"

/** scope_trees - what stands instead of texts, or NULL */
const struct trees *scope_trees(const struct expr_scope *s);

/** scope_enter - an expression begins: are the placeholders well-formed? checked once a request */
int scope_enter(struct call *c, struct expr_scope *s) __attribute__((warn_unused_result));

/** scope_name - the name that alias @alias stands for, marked as used; false when undefined */
bool scope_name(struct expr_scope *s, struct slice alias, struct slice *out);

/** scope_value - the value that @placeholder stands for, marked as used; NULL when undefined */
const struct value *scope_value(struct expr_scope *s, struct slice placeholder);

/**
 * bind_condition - of a condition or of what an update sets: resolve names and values, check numbers and types of operands
 *
 * Errors:  -ERR_VALIDATION  undefined placeholders, operands that do not fit; the leftmost fault,
 *                           arguments before their operator
 */
int bind_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct node *n)
	__attribute__((warn_unused_result));

/** known_type - of a bound operand or value; VALUE_TYPES: not known before there is an item */
enum value_type known_type(const struct node *n);

/** bind_path - resolve the names of one path */
int bind_path(struct call *c, struct expr_scope *s, enum expr_kind kind, struct path *p)
	__attribute__((warn_unused_result));

/** condition_bind - from text to a bound tree: all stages before eval.c and keycond.c */
int condition_bind(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
		   struct node **out) __attribute__((warn_unused_result));

/**
 * keycond_terms - a bound tree as conditions on a key
 * @legacy: made of KeyConditions: every operator comes here, and is refused in the words of these;
 *          others wait for expr_key_condition_judge()
 */
int keycond_terms(struct call *c, const struct node *root, bool legacy, struct key_terms **out)
	__attribute__((warn_unused_result));

/** check_scalars - no path of @n leads into a key attribute of the table or of an index */
int check_scalars(struct call *c, const struct node *n, const struct schema *s)
	__attribute__((warn_unused_result));

/** check_scalar - refuse a path, at @place, that leads into @name when that is a key attribute */
int check_scalar(struct call *c, const struct schema *s, size_t place, struct slice name)
	__attribute__((warn_unused_result));

#endif
