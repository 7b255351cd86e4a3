/* where_parts - the conditions between which AND stands, and what one of them says of an attribute */
#include <assert.h>

#include "store/model/schema.h"
#include "store/partiql/partiql_reader.h"
#include "store/partiql/where_int.h"

void
parts_add(struct parts *p, struct node *n)
{
	p->at = arena_room_of(p->arena, p->at, sizeof(struct node *), p->n, &p->cap);
	p->at[p->n++] = n;
}

void
parts_take(struct parts *p, struct node *n)
{
	if (n == NULL) {
		return;
	}
	if (n->type != NODE_AND) {
		parts_add(p, n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		parts_take(p, n->arg[i]);
	}
}

struct node *
parts_together(struct call *c, struct parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i] != NULL) {
			p->at[n++] = p->at[i];
		}
	}
	if (n < 2) {
		return n == 0 ? NULL : p->at[0];
	}
	return node_make(c, NODE_AND, p->at[0]->place, p->at, n);
}

bool
parts_is_attribute(const struct node *n, struct slice name)
{
	return n->type == NODE_PATH && n->path.n == 1 && slice_eq(n->path.at[0].name, name);
}

const struct value *
parts_equal_to(const struct node *n, struct slice name)
{
	for (size_t i = 0; n->type == NODE_EQ && i < 2; i++) {
		if (parts_is_attribute(n->arg[i], name) && n->arg[1 - i]->type == NODE_VALUE) {
			return n->arg[1 - i]->value;
		}
	}
	return NULL;
}

bool
parts_is_list(const struct node *n, struct slice name)
{
	if (n->type != NODE_IN || !parts_is_attribute(n->arg[0], name)) {
		return false;
	}
	for (size_t i = 1; i < n->n; i++) {
		if (n->arg[i]->type != NODE_VALUE) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ values of keys */

int
where_check_value(struct call *c, const struct key_attr *attr, const struct value *v)
{
	assert(v != NULL);
	if (v->type != attr->type) {
		return call_fail(c, ERR_VALIDATION,
				 "Key attribute's data type should match its data type in table's "
				 "schema: Key %.*s",
				 SLICE_ARG(attr->name));
	}
	return v->text.len > 0 ? 0 : fail_empty_key(c, "", NULL, attr);
}
