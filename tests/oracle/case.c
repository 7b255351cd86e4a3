/* case - two tables (table.c), random requests to them, and reads of their final contents */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
add(struct call *c, struct requests *out, struct request r)
{
	out->at = arena_room(&c->arena, out->at, out->n, &out->cap);
	out->at[out->n++] = r;
}

/* ------------------------------------------------------------ faults */

struct cut {
	size_t k; /* number of the node to change, counted down */
	struct slice instead;
	struct buf *out;
};

static void put_tree(struct cut *cut, const struct json *j, bool *first, bool named);

static void
put_children(struct cut *cut, const struct json *j)
{
	bool first = true;

	buf_char(cut->out, j->type == JSON_OBJECT ? '{' : '[');
	json_each (child, j) {
		put_tree(cut, child, &first, j->type == JSON_OBJECT);
	}
	buf_char(cut->out, j->type == JSON_OBJECT ? '}' : ']');
}

static void
put_leaf(struct buf *b, const struct json *j)
{
	switch (j->type) {
	case JSON_STRING:
		json_put_string(b, j->text);
		break;
	case JSON_NUMBER:
		buf_slice(b, j->text);
		break;
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
	case JSON_ARRAY:
	case JSON_OBJECT:
		buf_str(b, j->type == JSON_NULL ? "null" : j->type == JSON_TRUE ? "true" : "false");
		break;
	}
}

static void
put_tree(struct cut *cut, const struct json *j, bool *first, bool named)
{
	bool here = cut->k-- == 0;

	if (here && cut->instead.len == 0) {
		/* Nodes inside a cut one are not counted: they cannot be cut separately. */
		return;
	}
	buf_str(cut->out, *first ? "" : ",");
	*first = false;
	if (named) {
		json_put_string(cut->out, j->name);
		buf_char(cut->out, ':');
	}
	if (here) {
		buf_slice(cut->out, cut->instead);
	} else if (j->type == JSON_ARRAY || j->type == JSON_OBJECT) {
		put_children(cut, j);
	} else {
		put_leaf(cut->out, j);
	}
}

struct slice
make_without(struct call *c, const struct json *tree, size_t k, struct slice instead)
{
	struct buf b;
	struct cut cut = {k, instead, &b};
	bool first = true;

	buf_init(&b, &c->arena);
	put_tree(&cut, tree, &first, false);
	return buf_view(&b);
}

static size_t
nodes(const struct json *tree)
{
	size_t n = 1;

	json_each (child, tree) {
		n += nodes(child);
	}
	return n;
}

static void
breaks(struct make *m, struct request *r)
{
	static const char *const instead[] = {"",
					      "",
					      "",
					      "{}",
					      "[]",
					      "\"\"",
					      "1",
					      "null",
					      "true",
					      "{\"S\":\"a\"}",
					      "{\"N\":\"1\"}",
					      "{\"N\":\"x\"}",
					      "\"a\"",
					      "\":v9\"",
					      "{\"SS\":[\"a\",\"a\"]}"};
	const struct json *tree;

	if (json_parse(m->c, r->body, JSON_LAST_WINS, &tree) == 0) {
		size_t k = 1 + make_pick(m, nodes(tree) - 1);

		r->body = make_without(m->c, tree, k,
				       slice_from(instead[make_pick(m, COUNT(instead))]));
	}
}

/* ------------------------------------------------------------ a case */

static struct request
about(struct make *m, const char *op, const struct make_table *t)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	buf_fmt(&b, "{\"TableName\":\"%s\"}", t->name);
	return (struct request){
		.op = op, .body = buf_view(&b), .pages = strcmp(op, "Scan") == 0, .order = ""};
}

void
make_requests(struct call *c, uint64_t seed, const struct make_options *o, struct requests *out)
{
	struct make m = {.c = c, .random = seed, .o = o};

	for (size_t i = 0; i < COUNT(m.table); i++) {
		struct make_table *t = &m.table[i];

		(void)snprintf(t->name, sizeof(t->name), "oracle-%zu", i);
		add(c, out, make_create_table(&m, t));
		add(c, out, about(&m, "DescribeTable", t));
	}
	for (unsigned i = 0; i < o->steps; i++) {
		struct request r = make_request(&m);

		if (make_chance(&m, o->broken)) {
			breaks(&m, &r);
		}
		add(c, out, r);
		for (size_t k = 0; k < COUNT(m.table) && strcmp(r.op, "UpdateTable") == 0; k++) {
			add(c, out, about(&m, "DescribeTable", &m.table[k]));
		}
	}
	for (size_t i = 0; i < COUNT(m.table); i++) {
		add(c, out, about(&m, "Scan", &m.table[i]));
	}
}
