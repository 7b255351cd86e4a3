/* yaml_text - see yaml_text.h */
#include "tools/text/yaml_text.h"

#include <dlfcn.h>
#include <yaml.h>

#include "store/base/text/json.h"

#include "tools/text/fmt.h"

enum { YAML_TEXT_NODES = 1000000 }; /* an alias counts as many as its target */

/* The functions of libyaml */
struct yaml_text_library {
	void *handle;
	int (*initialize)(yaml_parser_t *);
	void (*set_input)(yaml_parser_t *, const unsigned char *, size_t);
	int (*load)(yaml_parser_t *, yaml_document_t *);
	void (*end_parser)(yaml_parser_t *);
	yaml_node_t *(*root)(yaml_document_t *);
	yaml_node_t *(*node)(yaml_document_t *, int);
	void (*end_document)(yaml_document_t *);
};

struct yaml_text_reader {
	struct call *c;
	struct yaml_text_library lib;
	yaml_document_t document;
	size_t nodes;
	bool items; /* items, not a template: tags are not allowed */
};

static void
yaml_text_unload(const struct yaml_text_library *lib)
{
	if (lib->handle != NULL) {
		(void)dlclose(lib->handle);
	}
}

static bool
yaml_text_load(struct yaml_text_library *lib)
{
	const struct {
		const char *name;
		void **to;
	} symbols[] = {
		{"yaml_parser_initialize", (void **)&lib->initialize},
		{"yaml_parser_set_input_string", (void **)&lib->set_input},
		{"yaml_parser_load", (void **)&lib->load},
		{"yaml_parser_delete", (void **)&lib->end_parser},
		{"yaml_document_get_root_node", (void **)&lib->root},
		{"yaml_document_get_node", (void **)&lib->node},
		{"yaml_document_delete", (void **)&lib->end_document},
	};

	lib->handle = dlopen("libyaml-0.so.2", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; lib->handle != NULL && i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		*symbols[i].to = dlsym(lib->handle, symbols[i].name);
		if (*symbols[i].to == NULL) {
			return false;
		}
	}
	return lib->handle != NULL;
}

/* ------------------------------------------------------------ scalars */

static bool
yaml_text_is_number(struct slice s)
{
	size_t at;
	bool starts = s.len > 0 && (s.at[0] == '-' || (s.at[0] >= '0' && s.at[0] <= '9'));

	/* Only JSON's form of a number is one; other forms of YAML are strings. */
	return starts && json_fault(s, &at) == NULL && s.at[s.len - 1] >= '0' &&
	       s.at[s.len - 1] <= '9';
}

static enum json_type
yaml_text_plain(struct slice s)
{
	if (s.len == 0 || slice_is(s, "~") || slice_is(s, "null")) {
		return JSON_NULL;
	}
	if (slice_is(s, "true") || slice_is(s, "false")) {
		return s.at[0] == 't' ? JSON_TRUE : JSON_FALSE;
	}
	return yaml_text_is_number(s) ? JSON_NUMBER : JSON_STRING;
}

static struct slice
yaml_text_copy(struct call *c, const void *at, size_t n)
{
	return slice_copy(&c->arena, slice_of(at, n));
}

/* ------------------------------------------------------------ nodes */

static int yaml_text_node(struct yaml_text_reader *y, int number, int depth, struct json *out);

static int
yaml_text_sequence(struct yaml_text_reader *y, const yaml_node_t *node, int depth, struct json *out)
{
	const struct json **next = &out->child;

	out->type = JSON_ARRAY;
	for (const int *item = node->data.sequence.items.start;
	     item < node->data.sequence.items.top; item++) {
		struct json *child = arena_new(&y->c->arena, struct json, 1);
		int r = yaml_text_node(y, *item, depth + 1, child);

		if (r < 0) {
			return r;
		}
		*next = child;
		next = &child->next;
		out->n++;
	}
	return 0;
}

static int
yaml_text_mapping(struct yaml_text_reader *y, const yaml_node_t *node, int depth, struct json *out)
{
	const struct json **next = &out->child;

	out->type = JSON_OBJECT;
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = y->lib.node(&y->document, pair->key);
		struct json *child = arena_new(&y->c->arena, struct json, 1);

		if (key->type != YAML_SCALAR_NODE) {
			return call_fail(
				y->c, ERR_SERIALIZATION,
				"not YAML of a template or of items: line %zu: a name is not a word",
				key->start_mark.line + 1);
		}
		int r = yaml_text_node(y, pair->value, depth + 1, child);

		if (r < 0) {
			return r;
		}
		child->name = yaml_text_copy(y->c, key->data.scalar.value, key->data.scalar.length);
		*next = child;
		next = &child->next;
		out->n++;
	}
	return 0;
}

static void
yaml_text_scalar(struct yaml_text_reader *y, const yaml_node_t *node, struct json *out)
{
	if (strcmp((const char *)node->tag, "tag:yaml.org,2002:binary") == 0) {
		struct json *text = arena_new(&y->c->arena, struct json, 1);

		text->type = JSON_STRING;
		text->name = SLICE("B");
		text->text =
			yaml_text_copy(y->c, node->data.scalar.value, node->data.scalar.length);
		*out = (struct json){.type = JSON_OBJECT, .child = text, .n = 1};
		return;
	}
	out->text = yaml_text_copy(y->c, node->data.scalar.value, node->data.scalar.length);
	out->type = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? yaml_text_plain(out->text)
								       : JSON_STRING;
}

/*
 * Convert a tag to its long form: !Ref and !Condition keep their names, others begin with "Fn::".
 * @out: in: the tagged value; out: the object of the long form
 */
static void
yaml_text_tagged(struct yaml_text_reader *y, const char *tag, struct json *out)
{
	struct json *value = arena_new(&y->c->arena, struct json, 1);
	bool bare = strcmp(tag, "Ref") == 0 || strcmp(tag, "Condition") == 0;
	struct slice name = fmt_slice(&y->c->arena, "%s%s", bare ? "" : "Fn::", tag);

	*value = *out;
	if (value->type != JSON_ARRAY && value->type != JSON_OBJECT) {
		value->type = JSON_STRING;
	}
	value->name = name;
	*out = (struct json){.type = JSON_OBJECT, .child = value, .n = 1};
}

static int
yaml_text_node(struct yaml_text_reader *y, int number, int depth, struct json *out)
{
	const yaml_node_t *node = y->lib.node(&y->document, number);
	const char *tag = (const char *)node->tag;
	int r = 0;

	if (depth >= JSON_DEPTH_MAX || ++y->nodes > YAML_TEXT_NODES) {
		return call_fail(
			y->c, ERR_SERIALIZATION,
			"not YAML of a template or of items: line %zu: it is nested too deeply, "
			"or too large",
			node->start_mark.line + 1);
	}
	*out = (struct json){0};
	switch ((int)node->type) {
	case YAML_SEQUENCE_NODE:
		r = yaml_text_sequence(y, node, depth, out);
		break;
	case YAML_MAPPING_NODE:
		r = yaml_text_mapping(y, node, depth, out);
		break;
	default:
		yaml_text_scalar(y, node, out);
		break;
	}
	bool tagged = tag != NULL && tag[0] == '!' && tag[1] != '\0';

	if (r == 0 && tagged && y->items) {
		return call_fail(
			y->c, ERR_SERIALIZATION,
			"not YAML of items: line %zu: %s is a tag of a template; quote text that "
			"begins this way",
			node->start_mark.line + 1, tag);
	}
	if (r == 0 && tagged) {
		yaml_text_tagged(y, tag + 1, out);
	}
	return r;
}

/* ------------------------------------------------------------ documents */

static int
yaml_text_begin(struct yaml_text_reader *y, yaml_parser_t *parser, struct slice text)
{
	bool loaded = yaml_text_load(&y->lib);

	if (!loaded || y->lib.initialize(parser) == 0) {
		yaml_text_unload(&y->lib);
		return call_fail(
			y->c, ERR_USAGE, "%s",
			loaded ? "libyaml is out of memory"
			       : "YAML is read with libyaml, which is not installed (libyaml-0-2)");
	}
	y->lib.set_input(parser, (const unsigned char *)text.at, text.len);
	return 0;
}

static void
yaml_text_end(struct yaml_text_reader *y, yaml_parser_t *parser)
{
	y->lib.end_parser(parser);
	yaml_text_unload(&y->lib);
}

static int
yaml_text_next(struct yaml_text_reader *y, yaml_parser_t *parser)
{
	assert(y->lib.load != NULL);
	if (y->lib.load(parser, &y->document) == 0) {
		return call_fail(y->c, ERR_SERIALIZATION, "not YAML: line %zu, column %zu: %s",
				 parser->problem_mark.line + 1, parser->problem_mark.column + 1,
				 parser->problem == NULL ? "unreadable" : parser->problem);
	}
	return 0;
}

int
yaml_text_read(struct call *c, struct slice text, const struct json **out)
{
	struct yaml_text_reader y = {.c = c};
	struct json *root = arena_new(&c->arena, struct json, 1);
	yaml_parser_t parser;
	int r = yaml_text_begin(&y, &parser, text);

	if (r < 0) {
		return r;
	}
	r = yaml_text_next(&y, &parser);
	if (r == 0) {
		bool some = y.lib.root(&y.document) != NULL;

		r = some ? yaml_text_node(&y, 1, 0, root) : 0; /* node 1 is the root */
		y.lib.end_document(&y.document);
	}
	yaml_text_end(&y, &parser);
	*out = root;
	return r;
}

/* The list of items in a document: the document itself, or its member "Items"; NULL if the document is one item */
static const yaml_node_t *
yaml_text_list(struct yaml_text_reader *y, const yaml_node_t *root)
{
	if (root->type == YAML_SEQUENCE_NODE) {
		return root;
	}
	const yaml_node_pair_t *pair = root->data.mapping.pairs.start;

	for (; root->type == YAML_MAPPING_NODE && pair < root->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = y->lib.node(&y->document, pair->key);
		const yaml_node_t *value = y->lib.node(&y->document, pair->value);

		if (key->type == YAML_SCALAR_NODE && value->type == YAML_SEQUENCE_NODE &&
		    strcmp((const char *)key->data.scalar.value, "Items") == 0) {
			return value;
		}
	}
	return NULL;
}

static int
yaml_text_item(struct yaml_text_reader *y, int number, yaml_text_item_fn *each, void *arg)
{
	struct json *json = arena_new(&y->c->arena, struct json, 1);
	int r = yaml_text_node(y, number, 0, json);

	if (r == 0) {
		each(arg, json, y->lib.node(&y->document, number)->start_mark.line + 1);
	}
	return r;
}

static int
yaml_text_items_of(struct yaml_text_reader *y, const yaml_node_t *root, yaml_text_item_fn *each,
		   void *arg)
{
	const yaml_node_t *list = yaml_text_list(y, root);
	int r = 0;

	if (list == NULL) {
		return yaml_text_item(y, 1, each, arg);
	}
	for (const int *item = list->data.sequence.items.start;
	     r == 0 && item < list->data.sequence.items.top; item++) {
		r = yaml_text_item(y, *item, each, arg);
	}
	return r;
}

int
yaml_text_items(struct call *c, struct slice text, yaml_text_item_fn *each, void *arg)
{
	struct yaml_text_reader y = {.c = c, .items = true};
	yaml_parser_t parser;
	bool more = true;
	int r = yaml_text_begin(&y, &parser, text);

	if (r < 0) {
		return r;
	}
	while (more && (r = yaml_text_next(&y, &parser)) == 0) {
		const yaml_node_t *root = y.lib.root(&y.document);

		more = root != NULL; /* NULL after the last document */
		r = more ? yaml_text_items_of(&y, root, each, arg) : 0;
		y.lib.end_document(&y.document);
		more = more && r == 0;
	}
	yaml_text_end(&y, &parser);
	return r;
}
