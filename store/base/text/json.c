/*
 * json - parses a whole document; finds members, the end of a value, and the fault of a text that is not JSON
 *
 * The state machine of json_check.c reads the text, json_tree.c builds the tree.
 */
#include "store/base/text/json.h"

#include "store/base/core/utf8.h"
#include "store/base/text/json_int.h"

enum { NAME_SHOWN = 64 }; /* bytes of a name in a message */

/* The beginning of messages. */
#define JSON_FAULT_LINE "not JSON: line "

/* Makes the duplicate name the fault or, if it has escapes and so was copied, the end of its object. */
static void
json_explain_duplicate(struct json_check *k, struct slice text)
{
	struct slice name = k->tree->again;
	bool in_text = name.at >= text.at && name.at < text.at + text.len;
	struct buf why;

	buf_init(&why, k->tree->arena);
	buf_str(&why, "duplicate name ");
	json_put_string(&why, utf8_cut(name, NAME_SHOWN));
	buf_char(&why, '\0');
	k->why = why.at;
	k->next = in_text ? (size_t)(name.at - text.at) - 1 : k->next;
}

static int
json_fail_over(struct call *c)
{
	return c->arena.starved ? call_fail_over(c, "JSON")
				: call_fail(c, ERR_SERIALIZATION,
					    "JSON that needs more than %zu bytes of memory",
					    c->arena.budget);
}

int
json_parse(struct call *c, struct slice text, int flags, const struct json **out)
{
	struct json_level level[JSON_DEPTH_MAX + 1]; /* not zeroed: json_tree_open() does that */
	struct json top = {.type = JSON_ARRAY};      /* contains the root */
	struct json_tree tree = {.arena = &c->arena,
				 .flags = flags,
				 .spent = arena_over(&c->arena),
				 .unescaped = {.arena = &c->arena},
				 .level = level};
	struct json_check k = {.at = VALUE, .tree = &tree};
	struct buf why;

	level[0] = (struct json_level){&top, &top.child};
	json_check_run(&k, text);
	bool whole = !tree.ended && json_check_end(&k, text);

	if (whole && !tree.ended) {
		*out = top.child;
		return 0;
	}
	if (tree.again.at != NULL) {
		json_explain_duplicate(&k, text);
	} else if (tree.ended) {
		return json_fail_over(c);
	}
	buf_init(&why, &c->arena);
	json_fault_put(&why, &k, text);
	return call_fail(c, ERR_SERIALIZATION, "%s", why.at);
}

size_t
json_string_end(struct slice text, size_t at)
{
	for (at++; at < text.len && text.at[at] != '"'; at++) {
		at += text.at[at] == '\\';
	}
	return at < text.len ? at + 1 : text.len;
}

size_t
json_length(struct slice text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.len;) {
		char ch = text.at[i];

		i = ch == '"' ? json_string_end(text, i) : i + 1;
		depth += ch == '{' || ch == '[';
		if ((ch == '}' || ch == ']') && --depth == 0) {
			return i;
		}
	}
	return 0;
}

const struct json *
json_get(const struct json *obj, const char *name)
{
	return json_get_slice(obj, slice_from(name));
}

const struct json *
json_get_slice(const struct json *obj, struct slice name)
{
	if (obj == NULL || obj->type != JSON_OBJECT) {
		return NULL;
	}
	json_each (m, obj) {
		if (slice_eq(m->name, name)) {
			return m;
		}
	}
	return NULL;
}

struct slice
json_text(const struct json *obj, const char *name)
{
	const struct json *member = json_get(obj, name);

	return member != NULL && member->type == JSON_STRING ? member->text : SLICE("");
}

/* ------------------------------------------------------------ faults */

const char *
json_fault(struct slice text, size_t *at)
{
	struct json_check k = {.at = VALUE};

	json_check_run(&k, text);
	*at = k.next;
	return k.why;
}

static void
json_fault_put_byte(struct buf *b, char ch)
{
	if (ch == '\n') {
		buf_str(b, ", found the end of the line");
	} else if (ch == '"') {
		buf_str(b, ", found a quote");
	} else if (ch > ' ' && ch < 0x7f) {
		buf_fmt(b, ", found \"%c\"", ch);
	} else {
		buf_fmt(b, ", found byte 0x%02x", (uint8_t)ch);
	}
}

void
json_fault_put(struct buf *b, const struct json_check *k, struct slice text)
{
	struct slice mark = SLICE(UTF8_MARK);
	size_t line = 1;
	size_t column = 1;

	for (size_t i = 0; i < k->next; i++) {
		column = text.at[i] == '\n' ? 1 : column + utf8_begins(text.at[i]);
		line += text.at[i] == '\n';
	}
	if (line == 1 && k->next >= mark.len && slice_starts(text, mark)) {
		column--; /* the mark is not part of the text */
	}
	buf_fmt(b, JSON_FAULT_LINE "%zu, column %zu: %s", line, column, k->why);
	if (k->shown) {
		json_fault_put_byte(b, text.at[k->next]);
	}
	buf_char(b, '\0');
}

size_t
json_fault_line(const char *message, const char **rest)
{
	char *end;

	if (strncmp(message, JSON_FAULT_LINE, strlen(JSON_FAULT_LINE)) != 0) {
		return 0;
	}
	size_t line = strtoul(message + strlen(JSON_FAULT_LINE), &end, 10);

	*rest = end + strlen(", ");
	return line;
}
