/*
 * shape_dump - formats a JSON value for an error message
 *
 * The service prints the toString() of its Java objects, whose names and members are those of the shapes.
 */
#include <ctype.h>

#include "store/base/text/json.h"
#include "store/wire/codec/shape.h"

enum { SHAPE_DUMP_MAX = 8 * 1024 }; /* bytes, after which further elements are omitted */

static void shape_dump_value(struct buf *b, const struct shape_member *m, const struct json *j);
static void shape_dump_elements(struct buf *b, const struct shape *of, const struct json *j);

/* Append a value that has no shape: {P={S=a}} */
static void
shape_dump_plain(struct buf *b, const struct json *j)
{
	static const char *const words[] = {
		[JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"};

	if (j->type < JSON_NUMBER) {
		buf_str(b, words[j->type]);
	} else if (j->type == JSON_NUMBER || j->type == JSON_STRING) {
		buf_slice(b, j->text);
	} else {
		shape_dump_elements(b, NULL, j);
	}
}

/* Append Class(member=value, other=null). */
static void
shape_dump_struct(struct buf *b, const struct shape *s, const struct json *j)
{
	const char *name = strrchr(s->java_class, '.');

	buf_fmt(b, "%s(", name == NULL ? s->java_class : name + 1);
	for (size_t i = 0; i < s->n; i++) {
		const struct shape_member *m = &s->members[i];
		const struct json *member = json_get_slice(j, m->name);

		buf_fmt(b, "%s%c%.*s=", i == 0 ? "" : ", ", tolower((unsigned char)m->name.at[0]),
			SLICE_ARG(slice_skip(m->name, 1)));
		if (member == NULL) {
			buf_str(b, "null");
		} else {
			shape_dump_value(b, m, member);
		}
	}
	buf_char(b, ')');
}

/* Append the elements of a container; @of: their shape, or NULL */
static void
shape_dump_elements(struct buf *b, const struct shape *of, const struct json *j)
{
	const char *between = "";

	buf_char(b, j->type == JSON_ARRAY ? '[' : '{');
	json_each (child, j) {
		buf_str(b, between);
		between = ", ";
		if (of != NULL && b->len > SHAPE_DUMP_MAX) {
			buf_str(b, "...");
			break;
		}
		if (j->type == JSON_OBJECT) {
			buf_fmt(b, "%.*s=", SLICE_ARG(child->name));
		}
		if (of != NULL && of->bare) {
			shape_dump_value(b, of->members, child);
		} else if (of != NULL && child->type == JSON_OBJECT) {
			shape_dump_struct(b, of, child);
		} else {
			shape_dump_plain(b, child);
		}
	}
	buf_char(b, j->type == JSON_ARRAY ? ']' : '}');
}

static void
shape_dump_value(struct buf *b, const struct shape_member *m, const struct json *j)
{
	if (j->type == JSON_NULL) {
		buf_str(b, "null");
	} else if (m->kind == SHAPE_STRUCT) {
		shape_dump_struct(b, m->of, j);
	} else if (m->kind == SHAPE_LIST || m->kind == SHAPE_MAP) {
		shape_dump_elements(b, m->of, j);
	} else {
		shape_dump_plain(b, j);
	}
}

struct slice
shape_dump(struct codec_reader *r, const struct shape_member *m, const struct json *json)
{
	struct buf b;

	buf_init(&b, &r->c->arena);
	shape_dump_value(&b, m, json);
	return buf_view(&b);
}
