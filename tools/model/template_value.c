/* template_value - see template_value.h */
#include "tools/model/template_value.h"

#include "store/base/text/json.h"

enum { TEMPLATE_DEPTH = 64 }; /* nested references */

void
template_value_note(struct call *c, struct template_notes *notes, struct slice what,
		    struct slice instead)
{
	for (size_t i = 0; i < notes->n; i++) {
		if (slice_eq(notes->at[i].what, what)) {
			return;
		}
	}
	if (notes->at == NULL) {
		notes->at = arena_new(&c->arena, struct template_note, TEMPLATE_NOTES_MAX);
	}
	if (notes->n == TEMPLATE_NOTES_MAX) {
		notes->more = true;
		return;
	}
	notes->at[notes->n++] = (struct template_note){what, instead};
}

/* Return the only member of an object if its name is @name, else NULL. */
static const struct json *
template_value_of(const struct json *json, const char *name)
{
	bool only = json->type == JSON_OBJECT && json->n == 1;

	return only && slice_is(json->child->name, name) ? json->child : NULL;
}

static const struct json *
template_value_element(const struct json *list, size_t n)
{
	const struct json *json = list->type == JSON_ARRAY ? list->child : NULL;

	while (json != NULL && n-- > 0) {
		json = json->next;
	}
	return json;
}

bool
template_value_is_absent(const struct json *json)
{
	const struct json *ref = json == NULL ? NULL : template_value_of(json, "Ref");

	return json == NULL || json->type == JSON_NULL ||
	       (ref != NULL && slice_is(ref->text, "AWS::NoValue"));
}

/* Return the value of a name in a reference: of a parameter, variable or pseudo parameter, else the name. */
static struct slice
template_value_named(const struct template_scope *s, struct slice name)
{
	static const struct {
		const char *name;
		const char *value;
	} pseudo[] = {
		{"AWS::Region", "us-east-1"},
		{"AWS::AccountId", "000000000000"},
		{"AWS::Partition", "aws"},
		{"AWS::StackName", "stack"},
	};
	const struct json *value = json_get(json_get_slice(s->parameters, name), "Default");

	if (slice_starts(name, SLICE("var."))) {
		name = slice_of(name.at + 4, name.len - 4);
		value = json_get_slice(s->variables, name);
		value = value != NULL && value->type == JSON_ARRAY ? value->child : value;
		value = json_get(value, "default");
	}
	if (value != NULL && (value->type == JSON_STRING || value->type == JSON_NUMBER)) {
		return value->text;
	}
	for (size_t i = 0; i < sizeof(pseudo) / sizeof(pseudo[0]); i++) {
		if (slice_is(name, pseudo[i].name)) {
			if (s->unknown != NULL && slice_is(name, "AWS::StackName")) {
				template_value_note(s->c, s->unknown, name,
						    slice_from(pseudo[i].value));
			}
			return slice_from(pseudo[i].value);
		}
	}
	return name;
}

static struct slice template_value_nested(const struct template_scope *s, const struct json *json,
					  int depth);

/* Return @text with each ${NAME} replaced; @own: names that are local to this text, or NULL. */
static struct slice
template_value_fill(const struct template_scope *s, struct slice text, const struct json *own,
		    int depth)
{
	struct buf b = {.arena = &s->c->arena};
	size_t at = 0;

	while (at < text.len) {
		const char *close = NULL;

		if (text.len - at > 2 && text.at[at] == '$' && text.at[at + 1] == '{') {
			close = memchr(text.at + at, '}', text.len - at);
		}
		if (close == NULL) {
			buf_char(&b, text.at[at++]);
			continue;
		}
		struct slice name = slice_of(text.at + at + 2, (size_t)(close - text.at) - at - 2);
		const struct json *mine = json_get_slice(own, name);

		if (name.len > 0 && name.at[0] == '!') {
			buf_fmt(&b, "${%.*s}", (int)name.len - 1, name.at + 1);
		} else {
			buf_slice(&b, mine == NULL ? template_value_named(s, name)
						   : template_value_nested(s, mine, depth + 1));
		}
		at = (size_t)(close - text.at) + 1;
	}
	return buf_view(&b);
}

static struct slice
template_value_join(const struct template_scope *s, const struct json *join, int depth)
{
	const struct json *separator = template_value_element(join, 0);
	const struct json *parts = template_value_element(join, 1);
	struct buf b = {.arena = &s->c->arena};

	if (parts == NULL || parts->type != JSON_ARRAY) {
		return buf_view(&b);
	}
	json_each (part, parts) {
		if (part != parts->child) {
			buf_slice(&b, separator->text);
		}
		buf_slice(&b, template_value_nested(s, part, depth + 1));
	}
	return buf_view(&b);
}

/* Look up [MAP, KEY, NAME] in the mappings of the template. */
static const struct json *
template_value_mapped(const struct template_scope *s, const struct json *path, int depth)
{
	const struct json *json = s->mappings;

	for (size_t i = 0; i < 3; i++) {
		const struct json *name = template_value_element(path, i);

		json = json_get_slice(json, template_value_nested(s, name, depth + 1));
	}
	return json;
}

static struct slice
template_value_nested(const struct template_scope *s, const struct json *json, int depth)
{
	const struct json *part;

	if (json == NULL || depth > TEMPLATE_DEPTH) {
		return SLICE("");
	}
	if (json->type == JSON_STRING && s->variables != NULL) {
		return template_value_fill(s, json->text, NULL, depth);
	}
	if (json->type == JSON_STRING || json->type == JSON_NUMBER) {
		return template_serverless_text(s, json->text);
	}
	if ((part = template_value_of(json, "Ref")) != NULL) {
		return template_value_named(s, part->text);
	}
	if ((part = template_value_of(json, "Fn::Sub")) != NULL) {
		const struct json *text = part->type == JSON_ARRAY ? part->child : part;

		return text == NULL
			       ? SLICE("")
			       : template_value_fill(s, template_serverless_text(s, text->text),
						     template_value_element(part, 1), depth);
	}
	if ((part = template_value_of(json, "Fn::Join")) != NULL) {
		return template_value_join(s, part, depth);
	}
	if ((part = template_value_of(json, "Fn::FindInMap")) != NULL) {
		return template_value_nested(s, template_value_mapped(s, part, depth), depth + 1);
	}
	if ((part = template_value_of(json, "Fn::If")) != NULL) {
		return template_value_nested(s, template_value_element(part, 1), depth + 1);
	}
	return SLICE("");
}

struct slice
template_value_text(const struct template_scope *s, const struct json *json)
{
	return template_value_nested(s, json, 0);
}

/* ------------------------------------------------------------ output */

static void
template_value_scalar(struct json_writer *w, const struct json *json, struct slice text)
{
	bool truth = slice_is(text, "true") || slice_is(text, "false");

	if (json->type == JSON_NUMBER ||
	    (slice_ends(json->name, SLICE("Units")) && text.len > 0 &&
	     ascii_digits_end(text, 0) == text.len) ||
	    (slice_ends(json->name, SLICE("Enabled")) && truth)) {
		json_raw(w, text);
	} else {
		json_string(w, text);
	}
}

static bool
template_value_is_reference(const struct json *json)
{
	return template_value_of(json, "Ref") != NULL ||
	       (json->type == JSON_OBJECT && json->n == 1 &&
		slice_starts(json->child->name, SLICE("Fn::")));
}

const struct json *
template_value_node(const struct template_scope *s, const struct json *json)
{
	const struct json *node = json == NULL || json->type != JSON_STRING
					  ? NULL
					  : template_serverless_value(s, json->text);

	return node == NULL ? json : node;
}

static void
template_value_put_nested(const struct template_scope *s, struct json_writer *w,
			  const struct json *json, int depth)
{
	const struct json *branch = template_value_of(json, "Fn::If");

	branch = branch == NULL ? NULL : template_value_element(branch, 1);
	branch =
		branch == NULL && json->type == JSON_STRING ? template_value_node(s, json) : branch;
	if (depth > TEMPLATE_DEPTH || json->type == JSON_NULL) {
		json_raw(w, SLICE("null"));
	} else if (branch != NULL && (branch->type == JSON_OBJECT || branch->type == JSON_ARRAY)) {
		template_value_put_nested(s, w, branch, depth + 1);
	} else if (json->type == JSON_TRUE || json->type == JSON_FALSE) {
		json_bool(w, json->type == JSON_TRUE);
	} else if (json->type == JSON_STRING || json->type == JSON_NUMBER ||
		   template_value_is_reference(json)) {
		template_value_scalar(w, json, template_value_nested(s, json, depth));
	} else {
		json_open(w, json->type == JSON_OBJECT ? '{' : '[');
		json_each (child, json) {
			if (template_value_is_absent(child)) {
				continue;
			}
			if (json->type == JSON_OBJECT) {
				json_name_slice(w, child->name);
			}
			template_value_put_nested(s, w, child, depth + 1);
		}
		json_close(w);
	}
}

void
template_value_put(const struct template_scope *s, struct json_writer *w, const struct json *json)
{
	assert(json != NULL);
	template_value_put_nested(s, w, json, 0);
}
