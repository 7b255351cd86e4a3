/* bind - binds the placeholders of a request to its expressions; declares scope.c, too */
#ifndef STORE_EXPR_BIND_H
#define STORE_EXPR_BIND_H

#include "store/expr/ast.h"

/** scope_trees - the trees that replace the texts of the request, or NULL */
const struct trees *scope_trees(const struct expr_scope *s);

/** scope_enter - check that the placeholders are well-formed, before the first expression of the request; once only */
int scope_enter(struct call *c, struct expr_scope *s) must_check;

/** scope_name - look up the name of an alias and mark the alias as used; Return: false if it is undefined */
bool scope_name(struct expr_scope *s, struct slice alias, struct slice *out);

/** scope_value - look up the value of a placeholder and mark that as used; Return: NULL if it is undefined */
const struct value *scope_value(struct expr_scope *s, struct slice placeholder);

/**
 * bind_condition - bind a condition, or the value that an update sets, and check number and types of operands
 *
 * Errors:  -ERR_VALIDATION  undefined placeholders, wrong operands; the leftmost fault is reported,
 *                           arguments before their operator
 */
int bind_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct node *n)
	must_check;

/** known_type - type of a bound operand or value; VALUE_TYPES if it depends on the item */
enum value_type known_type(const struct node *n);

/** bind_path - resolve the names of one path */
int bind_path(struct call *c, struct expr_scope *s, enum expr_kind kind, struct path *p) must_check;

/** condition_bind - parse, check and bind a text: all stages before eval.c and keycond.c */
int condition_bind(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
		   struct node **out) must_check;

/**
 * keycond_terms - wrap a bound tree as conditions on a key
 * @legacy: the tree is made of KeyConditions: it is split into terms now, any operator is accepted so far, and messages
 *          are those of KeyConditions; other trees are split by expr_key_condition_judge()
 */
int keycond_terms(struct call *c, const struct node *root, bool legacy, struct key_terms **out)
	must_check;

/** check_scalars - refuse paths of @n that lead into a key attribute of the table or of an index */
int check_scalars(struct call *c, const struct node *n, const struct schema *s) must_check;

/** check_scalar - refuse a path, at @place, that leads into the attribute @name, if that is a key attribute */
int check_scalar(struct call *c, const struct schema *s, size_t place, struct slice name)
	must_check;

#endif
