/*
 * shape_leaf - reads members that contain no other members: scalars, attribute values and items
 */
#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ scalars */

static int
shape_read_bool(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		bool *out)
{
	bool v;

	if (!typed_json_bool(j, &v)) {
		return typed_json_not_scalar(r->c, j, "Boolean");
	}
	if (out != NULL) {
		*out = v != ((m->flags & SHAPE_OPPOSITE) != 0);
	}
	return 0;
}

/* Check that a number is one of JSON.  A number in quotes is recorded, and accepted where SHAPE_QUOTED allows it. */
static int
shape_read_quoted(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		  uint64_t *v)
{
	if (j->type == JSON_NUMBER) {
		return 0;
	}
	int status = typed_json_not_scalar(r->c, j, m->kind == SHAPE_INTEGER ? "Integer" : "Long");

	if ((m->flags & SHAPE_QUOTED) == 0 || j->type != JSON_STRING || !codec_digits(j->text, v)) {
		return status;
	}
	r->quoted = r->c->error;
	r->c->error = (struct error){0};
	return 0;
}

static int
shape_read_number(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		  void *out)
{
	uint64_t v = 0;
	int status = shape_read_quoted(r, m, j, &v);

	if (status < 0) {
		return status;
	}
	bool limit = (m->flags & SHAPE_LIMIT) != 0;

	/* Answers are not judged, but no count or size in one is negative. */
	if (r->in != NULL && !limit && j->text.at[0] == '-') {
		return call_fail(r->c, ERR_SERIALIZATION, "%.*s: %.*s", SLICE_ARG(m->name),
				 SLICE_ARG(j->text));
	}
	status = !limit && codec_digits(j->text, &v) ? 0 : codec_amount(r, j->text, 0, &v);
	if (out == NULL || status < 0) {
		return status;
	}
	if (m->kind == SHAPE_INTEGER) {
		*(uint32_t *)out = (uint32_t)(v > INT32_MAX ? INT32_MAX : v);
	} else {
		*(uint64_t *)out = v;
	}
	return 0;
}

/* Another type than a number is ignored, and a time before 1970 is read as 0, see codec_amount(). */
static int
shape_read_time(struct codec_reader *r, const struct json *j, uint64_t *out)
{
	uint64_t ms = 0;
	int status = j->type == JSON_NUMBER ? codec_amount(r, j->text, 3, &ms) : 0;

	if (out != NULL) {
		*out = ms;
	}
	return status;
}

/* A word that is not in the set is left to shape_judge() in a request, and ignored in an answer. */
static int
shape_read_enum(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		void *out)
{
	struct slice word = {0};
	bool known = false;
	int status = codec_text(r, j, &word);

	for (int i = 0; status == 0 && out != NULL && m->words->at[i] != NULL; i++) {
		if (word.len == 0 || !slice_is(word, m->words->at[i])) {
			continue;
		}
		known = true;
		if (m->kind == SHAPE_FLAG) {
			*(bool *)out = i % 2 == 1;
		} else {
			memcpy(out, &i, sizeof(i));
		}
	}
	if (status == 0 && !known && r->in != NULL && (m->flags & SHAPE_ANSWERED) != 0) {
		return call_fail(r->c, ERR_VALIDATION, "an answer with a different %.*s: %.*s",
				 SLICE_ARG(m->name), SLICE_ARG(word));
	}
	if (status == 0 && out != NULL && !known && r->in == NULL && m->words->wrong != NULL) {
		return codec_defer(r, ORDER_ITEM,
				   call_fail(r->c, ERR_VALIDATION, "%s", m->words->wrong));
	}
	return status;
}

/* ------------------------------------------------------------ attribute values */

static int
shape_read_attribute(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		     struct value *out)
{
	if (j->type != JSON_OBJECT) {
		return typed_json_not_container(r->c, j, "class " SHAPE_CLASS("AttributeValue"),
						m->name.len == 0);
	}
	return out == NULL ? typed_json_check_value(r->c, j)
			   : codec_defer(r, r->now, value_from_typed_json(r->c, j, out));
}

/* The older layer reports a bad value with its name; both layers do if the value does not have exactly one type. */
static int
shape_fail_named(const struct codec_reader *r, int status, struct slice name)
{
	bool types =
		slice_starts(slice_from(r->c->error.message), SLICE("Supplied AttributeValue"));

	return r->c->older || types ? item_fail_value(r->c, status, name) : status;
}

/* Read each value on its own, since a bad one is reported with its name. */
static int
shape_read_named(struct codec_reader *r, const struct json *map, struct item *out)
{
	*out = (struct item){arena_new(&r->c->arena, struct attr, map->n), 0};
	json_each (child, map) {
		struct attr *a = &out->at[out->n++];
		int status = value_from_typed_json(r->c, child, &a->value);

		a->name = child->name;
		if (status < 0) {
			codec_defer(r, r->now, shape_fail_named(r, status, a->name));
		}
	}
	return 0;
}

static int
shape_read_item(struct codec_reader *r, const struct shape_member *m, const struct json *map,
		struct item *out)
{
	if (out == NULL || map->type != JSON_OBJECT) {
		return typed_json_check_item(r->c, map);
	}
	return (m->flags & SHAPE_NAMED) != 0
		       ? shape_read_named(r, map, out)
		       : codec_defer(r, r->now, item_from_typed_json(r->c, map, out));
}

/* ------------------------------------------------------------ by kind */

int
shape_leaf_read(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		void *out)
{
	struct slice ignored;

	assert(m->kind <= SHAPE_ITEM);
	switch ((int)m->kind) {
	case SHAPE_STRING:
		return codec_text(r, j, out == NULL ? &ignored : out);
	case SHAPE_BOOL:
		return shape_read_bool(r, m, j, out);
	case SHAPE_INTEGER:
	case SHAPE_LONG:
		return shape_read_number(r, m, j, out);
	case SHAPE_TIME:
		return shape_read_time(r, j, out);
	case SHAPE_ENUM:
	case SHAPE_FLAG:
		return shape_read_enum(r, m, j, out);
	case SHAPE_VALUE:
		return shape_read_attribute(r, m, j, out);
	default: /* SHAPE_ITEM */
		return shape_read_item(r, m, j, out);
	}
}
