/* node - trees of store/expr, made by hand */
#include "store/partiql/partiql_reader.h"

struct node *
node_make(struct call *c, enum node_type type, size_t place, struct node *const *arg, size_t n)
{
	struct node *made = arena_new(&c->arena, struct node, 1);

	made->type = type;
	made->place = place;
	made->n = n;
	if (n > 0) {
		made->arg = arena_new(&c->arena, struct node *, n);
		memcpy(made->arg, arg, n * sizeof(struct node *));
	}
	return made;
}

struct node *
node_call(struct call *c, const char *function, size_t place, struct node *const *arg, size_t n)
{
	struct node *made = node_make(c, NODE_CALL, place, arg, n);

	made->text = slice_from(function);
	return made;
}

struct node *
node_value(struct call *c, const struct value *v, size_t place)
{
	struct node *made = node_make(c, NODE_VALUE, place, NULL, 0);
	struct value *copy = arena_new(&c->arena, struct value, 1);

	*copy = *v;
	made->value = copy;
	return made;
}

struct node *
node_name(struct call *c, struct slice name, size_t place)
{
	struct node *made = node_make(c, NODE_PATH, place, NULL, 0);

	made->path.at = arena_new(&c->arena, struct step, 1);
	made->path.n = 1;
	made->path.at[0] = (struct step){.text = name, .name = name, .place = place};
	return made;
}
