/* case - two tables, random requests to them, and what is in them in the end */
#include <stdio.h>

#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
add(struct call *c, struct requests *out, struct request r)
{
	out->at = arena_room(&c->arena, out->at, out->n, &out->cap);
	out->at[out->n++] = r;
}

/* ------------------------------------------------------------ tables */

static void
put_key_schema(struct json_writer *w, const char *hash, const char *range)
{
	json_name(w, "KeySchema");
	json_open(w, '[');
	for (const char *name = hash; name != NULL; name = name == hash ? range : NULL) {
		json_open(w, '{');
		json_name(w, "AttributeName");
		json_string(w, slice_from(name));
		json_name(w, "KeyType");
		json_string(w, slice_from(name == hash ? "HASH" : "RANGE"));
		json_close(w);
	}
	json_close(w);
}

static void
put_projection(struct make *m, struct json_writer *w)
{
	static const char *const kinds[] = {"ALL", "ALL", "KEYS_ONLY", "INCLUDE"};
	const char *kind = kinds[make_pick(m, COUNT(kinds))];

	json_name(w, "Projection");
	json_open(w, '{');
	json_name(w, "ProjectionType");
	json_string(w, slice_from(kind));
	if (strcmp(kind, "INCLUDE") == 0) {
		json_name(w, "NonKeyAttributes");
		json_raw(w, SLICE("[\"a\",\"m\"]"));
	}
	json_close(w);
}

static void
put_index(struct make *m, struct json_writer *w, const struct make_index *index)
{
	json_name(w, index->name[0] == 'l' ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
	json_open(w, '[');
	json_open(w, '{');
	json_name(w, "IndexName");
	json_string(w, slice_from(index->name));
	put_key_schema(w, index->hash, index->range);
	put_projection(m, w);
	json_close(w);
	json_close(w);
}

/* A GSI by "g" ("h" too, or the table's key turned round), an LSI by "h": each may be there. */
static void
draw_indexes(struct make *m, struct make_table *t)
{
	static const char *const ranges[] = {NULL, "h", "pk"};

	if (make_chance(m, 70)) {
		t->index[t->n_indexes++] =
			(struct make_index){"global", "g", ranges[make_pick(m, 3)]};
	}
	if (t->types[1] != 0 && make_chance(m, 50)) {
		t->index[t->n_indexes++] = (struct make_index){"local", "pk", "h"};
	}
}

static bool
is_key(const struct make_table *t, const char *name)
{
	bool used = strcmp(name, "pk") == 0 || (strcmp(name, "sk") == 0 && t->types[1] != 0);

	for (size_t i = 0; i < t->n_indexes; i++) {
		used = used || strcmp(t->index[i].hash, name) == 0 ||
		       (t->index[i].range != NULL && strcmp(t->index[i].range, name) == 0);
	}
	return used;
}

static void
put_definitions(struct json_writer *w, const struct make_table *t)
{
	static const char *const names[] = {"pk", "sk", "g", "h"};

	json_name(w, "AttributeDefinitions");
	json_open(w, '[');
	for (size_t i = 0; i < COUNT(names); i++) {
		char type = make_type(t, names[i]);

		if (is_key(t, names[i])) {
			json_open(w, '{');
			json_name(w, "AttributeName");
			json_string(w, slice_from(names[i]));
			json_name(w, "AttributeType");
			json_string(w, slice_of(&type, 1));
			json_close(w);
		}
	}
	json_close(w);
}

static struct request
create_table(struct make *m, struct make_table *t)
{
	struct request r = {.op = "CreateTable"};
	struct json_writer w;
	struct buf b;

	t->types[0] = "SSNB"[make_pick(m, 4)];
	t->types[1] = "SNB\0"[make_pick(m, 4)];
	draw_indexes(m, t);
	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_name(&w, "TableName");
	json_string(&w, slice_from(t->name));
	json_name(&w, "BillingMode");
	json_string(&w, SLICE("PAY_PER_REQUEST"));
	put_definitions(&w, t);
	put_key_schema(&w, "pk", t->types[1] != 0 ? "sk" : NULL);
	for (size_t i = 0; i < t->n_indexes; i++) {
		put_index(m, &w, &t->index[i]);
	}
	json_close(&w);
	r.body = buf_view(&b);
	return r;
}

/* ------------------------------------------------------------ faults */

struct cut {
	size_t k; /* the node to change, counted down */
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
		/* What is inside goes with it and is not counted: nobody asks for two cuts. */
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
		add(c, out, create_table(&m, t));
		add(c, out, about(&m, "DescribeTable", t));
	}
	for (unsigned i = 0; i < o->steps; i++) {
		struct request r = make_request(&m);

		if (make_chance(&m, o->broken)) {
			breaks(&m, &r);
		}
		add(c, out, r);
	}
	for (size_t i = 0; i < COUNT(m.table); i++) {
		add(c, out, about(&m, "Scan", &m.table[i]));
	}
}
