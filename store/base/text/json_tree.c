/*
 * json_tree - builds the tree of json_parse() in the call's arena: one call for each token
 *
 * Texts of the tree point into the parsed text.  Those with escapes are copies.
 */
#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/json_int.h"

enum { FEW_MEMBERS = 16 }; /* up to this number, names are compared pairwise; more are sorted */

/* Returns a string of which @rest comes after the last escape. */
static struct slice
json_tree_string(struct json_tree *t, struct slice rest)
{
	if (t->unescaped.len == 0) {
		return rest;
	}
	buf_slice(&t->unescaped, rest);
	rest = slice_copy(t->arena, buf_view(&t->unescaped));
	buf_clear(&t->unescaped);
	return rest;
}

void
json_tree_escape(struct json_tree *t, struct slice text, uint32_t ch)
{
	enum { CHARACTER_BYTES = 4 };

	buf_slice(&t->unescaped, text);
	t->unescaped.len += utf8_encode(buf_room(&t->unescaped, CHARACTER_BYTES), ch);
}

void
json_tree_name(struct json_tree *t, struct slice text)
{
	t->name = json_tree_string(t, text);
}

struct json *
json_tree_add(struct json_tree *t, enum json_type type, struct slice text)
{
	struct json *v = arena_new(t->arena, struct json, 1);
	struct json_level *l = t->level;

	v->type = type;
	if (type == JSON_STRING || type == JSON_NUMBER) {
		v->text = json_tree_string(t, text);
	}
	if (l->node->type == JSON_OBJECT) {
		v->name = t->name;
	}
	*l->link = v;
	l->link = &v->next;
	l->node->n++;
	/* The tree of many tiny values takes a multiple of the text's size. */
	t->ended = t->ended || (arena_over(t->arena) && !t->spent);
	return v;
}

void
json_tree_open(struct json_tree *t, enum json_type type)
{
	struct json *v = json_tree_add(t, type, SLICE(""));

	*++t->level = (struct json_level){v, &v->child};
}

/* A member and its position in the object. */
struct json_tree_member {
	const struct json *member;
	size_t at;
};

static int
json_tree_compare(const void *a, const void *b)
{
	const struct json_tree_member *x = a;
	const struct json_tree_member *y = b;
	int r = slice_cmp(x->member->name, y->member->name);

	return r != 0 ? r : (x->at > y->at) - (x->at < y->at);
}

/* Returns a member with the name of an earlier one, or NULL. Compares pairwise: for few members. */
static const struct json *
few_duplicate(const struct json *object)
{
	for (const struct json *m = object->child; m != NULL; m = m->next) {
		for (const struct json *later = m->next; later != NULL; later = later->next) {
			if (slice_eq(m->name, later->name)) {
				return later;
			}
		}
	}
	return NULL;
}

/* Returns the first member with the name of an earlier one, or NULL; with JSON_LAST_WINS, removes the earlier ones. */
static const struct json *
json_tree_duplicate(struct json_tree *t, struct json *object)
{
	struct json_tree_member *members = arena_new(t->arena, struct json_tree_member, object->n);
	bool *drop = arena_new(t->arena, bool, object->n);
	const struct json_tree_member *again = NULL;
	const struct json **link = &object->child;
	size_t n = 0;

	json_each (m, object) {
		members[n] = (struct json_tree_member){m, n};
		n++;
	}
	qsort(members, n, sizeof(*members), json_tree_compare);
	for (size_t i = 1; i < n; i++) {
		if (slice_eq(members[i - 1].member->name, members[i].member->name)) {
			drop[members[i - 1].at] = true;
			again = again == NULL || members[i].at < again->at ? &members[i] : again;
		}
	}
	if (again == NULL || (t->flags & JSON_LAST_WINS) == 0) {
		return again == NULL ? NULL : again->member;
	}
	n = 0;
	object->n = 0;
	json_each (m, object) {
		if (!drop[n++]) {
			*link = m;
			link = &((struct json *)m)->next; /* the tree is const for its users only */
			object->n++;
		}
	}
	*link = NULL;
	return again->member;
}

void
json_tree_close(struct json_tree *t)
{
	struct json *node = t->level->node;
	const struct json *again = NULL;

	t->level--;
	if (node->type == JSON_OBJECT && (node->n > FEW_MEMBERS || few_duplicate(node) != NULL)) {
		again = json_tree_duplicate(t, node);
	}
	if (again != NULL && (t->flags & JSON_LAST_WINS) == 0) {
		t->again = again->name;
		t->ended = true;
	}
}
