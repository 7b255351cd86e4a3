/* shape_unknown - finds members of a request that no row describes, which shape_read() ignores */
#include "store/base/text/near.h"
#include "store/wire/codec/shape.h"

static bool shape_unknown_value(const struct shape_member *m, const struct json *json,
				struct buf *path);

static bool
shape_unknown_member(const struct shape *s, const struct json *json, struct buf *path)
{
	if (json->type != JSON_OBJECT || s->n == 0) {
		return false; /* without rows, any member may be known */
	}
	json_each (child, json) {
		size_t before = path->len;
		const struct shape_member *m = shape_find(s, child->name);

		buf_fmt(path, "%s%.*s", before == 0 ? "" : ".", SLICE_ARG(child->name));
		if (m == NULL) {
			struct near near = near_start(child->name);

			for (size_t i = 0; i < s->n; i++) {
				near_try(&near, s->members[i].name);
			}
			near_put(path, &near, "");
			return true;
		}
		if (shape_unknown_value(m, child, path)) {
			return true;
		}
		path->len = before;
	}
	return false;
}

/* Search the elements of a list or the entries of a map. */
static bool
shape_unknown_element(const struct shape_member *m, const struct json *json, struct buf *path)
{
	size_t number = 0;

	json_each (element, json) {
		size_t before = path->len;

		if (json->type == JSON_ARRAY) {
			buf_fmt(path, "[%zu]", number++);
		} else {
			buf_fmt(path, ".%.*s", SLICE_ARG(element->name));
		}
		if (m->of->bare ? shape_unknown_value(m->of->members, element, path)
				: shape_unknown_member(m->of, element, path)) {
			return true;
		}
		path->len = before;
	}
	return false;
}

static bool
shape_unknown_value(const struct shape_member *m, const struct json *json, struct buf *path)
{
	switch ((int)m->kind) {
	case SHAPE_STRUCT:
		return shape_unknown_member(m->of, json, path);
	case SHAPE_LIST:
		return json->type == JSON_ARRAY && shape_unknown_element(m, json, path);
	case SHAPE_MAP:
		return json->type == JSON_OBJECT && shape_unknown_element(m, json, path);
	default:
		return false;
	}
}

bool
codec_unknown(enum op_type type, const struct json *body, struct buf *path)
{
	return shape_unknown_member(shape_of_request(type), body, path);
}

struct slice
codec_member(enum op_type type, size_t i)
{
	const struct shape *s = shape_of_request(type);

	return i < s->n ? s->members[i].name : SLICE("");
}
