/*
 * shape_read - a JSON object becomes a struct
 *
 * Members are taken in the order of the text, as the service's deserializer
 * takes them: the first JSON value of a wrong type is the one that is reported.
 */
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#include "store/base/text/json.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

/* Of every struct that a shape describes. */
enum { SHAPE_ALIGN = _Alignof(max_align_t) };

static int shape_read_value(struct codec_reader *r, const struct shape_member *m,
			    const struct json *json, void *out);

/* ------------------------------------------------------------ scalars */

static int
shape_read_bool(struct codec_reader *r, const struct json *j, bool *out)
{
	bool v;

	if (!typed_json_bool(j, &v)) {
		return typed_json_not_scalar(r->c, j, "Boolean");
	}
	if (out != NULL) {
		*out = v;
	}
	return 0;
}

/* Is the number not one of JSON?  It is recorded where it may stand in quotes, and can be read: @v. */
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
	/* Of an answer, where nothing is judged: no count or size is negative. */
	if (r->in != NULL && j->text.at[0] == '-') {
		return call_fail(r->c, ERR_SERIALIZATION, "%.*s: %.*s", SLICE_ARG(m->name),
				 SLICE_ARG(j->text));
	}
	status = codec_digits(j->text, &v) ? 0 : codec_amount(r, j->text, 0, &v);
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

/* What is no number is passed over; see codec_amount() on times before 1970. */
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

/* A word that is not in the set is shape_judge()'s in a request, and passed over in an answer. */
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
		return call_fail(r->c, ERR_VALIDATION, "an answer with another %.*s: %.*s",
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

static int
shape_read_value_at(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    const struct value **out)
{
	struct value *v = out == NULL ? NULL : arena_new(&r->c->arena, struct value, 1);

	if (out != NULL) {
		*out = v;
	}
	return shape_read_attribute(r, m, j, v);
}

/*
 * The name of a bad value is reported by the older layer, and by both when there is not one type
 * in it.
 */
static int
shape_fail_named(const struct codec_reader *r, int status, struct slice name)
{
	bool types =
		slice_starts(slice_from(r->c->error.message), SLICE("Supplied AttributeValue"));

	return r->c->older || types ? item_fail_value(r->c, status, name) : status;
}

/* Each value by itself, since a bad one is reported with its name. */
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

static int
shape_read_item_at(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		   const struct item **out)
{
	struct item *it = out == NULL ? NULL : arena_new(&r->c->arena, struct item, 1);

	if (out != NULL) {
		*out = it;
	}
	return shape_read_item(r, m, j, it);
}

/* ------------------------------------------------------------ containers */

/* An element of a list or an entry of a map. */
static int
shape_read_element(struct codec_reader *r, const struct shape *s, const struct json *j, void *out)
{
	if (s->bare) {
		return shape_read_value(r, s->members, j,
					out == NULL ? NULL : (char *)out + s->members->at);
	}
	if (j->type == JSON_OBJECT) {
		return shape_read(r, s, j, out);
	}
	char class[160];

	(void)snprintf(class, sizeof(class), "class %s", s->class);
	return typed_json_not_container(r->c, j, class, true);
}

/* The elements of @j, an array or an object; @base: the struct around them, or NULL */
static int
shape_read_elements(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    void *base)
{
	const struct shape *s = m->of;
	size_t budget = r->c->arena.budget;

	if (base != NULL && (arena_over(&r->c->arena) || j->n >= budget / s->size)) {
		return call_fail(r->c, ERR_SERIALIZATION,
				 "lists that need more than %zu bytes of memory", budget);
	}
	char *elements =
		base == NULL ? NULL : arena_alloc(&r->c->arena, j->n + 1, SHAPE_ALIGN, s->size);
	size_t n = 0;

	json_each (child, j) {
		char *one = base == NULL ? NULL : elements + s->size * n;
		int status = 0;

		if (child->type == JSON_NULL && r->in != NULL) {
			continue; /* of an answer */
		}
		if (m->kind == SHAPE_MAP && one != NULL) {
			*(struct slice *)(void *)(one + s->key) = child->name;
		}
		status = shape_read_element(r, s, child, one);
		if (status < 0) {
			return status;
		}
		n++;
	}
	if (base != NULL) {
		*(void **)(void *)((char *)base + m->at) = elements;
		*(size_t *)(void *)((char *)base + m->count) = n;
	}
	return 0;
}

static int
shape_read_list(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		void *base)
{
	return j->type == JSON_ARRAY ? shape_read_elements(r, m, j, base)
				     : typed_json_not_container(r->c, j, "", false);
}

static int
shape_read_map(struct codec_reader *r, const struct shape_member *m, const struct json *j,
	       void *base)
{
	char class[160];

	if (j->type == JSON_OBJECT) {
		return shape_read_elements(r, m, j, base);
	}
	(void)snprintf(class, sizeof(class), "java.util.Map<java.lang.String, %s>", m->of->class);
	return typed_json_not_container(r->c, j, class, false);
}

static int
shape_read_struct(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		  void *out)
{
	char class[160];

	if (j->type == JSON_OBJECT) {
		return shape_read(r, m->of, j, out);
	}
	(void)snprintf(class, sizeof(class), "class %s", m->of->class);
	return typed_json_not_container(r->c, j, class, false);
}

/* ------------------------------------------------------------ members */

/* What does not exist here yet. */
static int
shape_refuse(struct codec_reader *r, const struct shape_member *m)
{
	return r->in != NULL
		       ? 0
		       : codec_defer(r, ORDER_ITEM,
				     call_fail(r->c, ERR_NOT_SUPPORTED, "%.*s is not supported yet",
					       SLICE_ARG(m->name)));
}

/* @out: the field, or NULL; not of lists, maps and custom members, which need the whole struct */
static int
shape_read_value(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		 void *out)
{
	struct slice ignored;

	switch (m->kind) {
	case SHAPE_STRING:
		return codec_text(r, j, out == NULL ? &ignored : out);
	case SHAPE_BOOL:
		return shape_read_bool(r, j, out);
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
	case SHAPE_VALUE_AT:
		return shape_read_value_at(r, m, j, out);
	case SHAPE_ITEM:
		return shape_read_item(r, m, j, out);
	case SHAPE_ITEM_AT:
		return shape_read_item_at(r, m, j, out);
	case SHAPE_STRUCT:
		return shape_read_struct(r, m, j, out);
	case SHAPE_CUSTOM:
		return m->custom->read(r, j, out);
	case SHAPE_REFUSED:
		return shape_refuse(r, m);
	case SHAPE_CONSTANT:
	case SHAPE_REGION:
		return 0;
	case SHAPE_LIST:
	case SHAPE_MAP:
		break;
	}
	void *base = out == NULL ? NULL : (char *)out - m->at;

	return m->kind == SHAPE_LIST ? shape_read_list(r, m, j, base)
				     : shape_read_map(r, m, j, base);
}

static const struct shape_member *
shape_find(const struct shape *s, struct slice name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_eq(s->members[i].name, name)) {
			return &s->members[i];
		}
	}
	return NULL;
}

/* The member is there. */
static void
shape_mark(const struct shape_member *m, void *out)
{
	if (m->given > 0) {
		*((bool *)out + m->given - 1) = true;
	}
	if (m->tag_at > 0) {
		memcpy((char *)out + m->tag_at - 1, &m->tag, sizeof(m->tag));
	}
}

size_t
shape_choices(const struct shape *s, const struct json *json)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		n += s->members[i].tag_at > 0 &&
		     !codec_is_null(json_get_slice(json, s->members[i].name));
	}
	return n;
}

/* A list or string of an answer that was read. */
static bool
shape_is_empty(const struct shape_member *m, const void *out)
{
	size_t n = 1;

	if (m->kind == SHAPE_LIST) {
		memcpy(&n, (const char *)out + m->count, sizeof(n));
	} else if (m->kind == SHAPE_STRING) {
		n = ((const struct slice *)(const void *)((const char *)out + m->at))->len;
	}
	return n == 0;
}

/* Of an answer: are the members there that its users rely on? */
static int
shape_check_answered(struct codec_reader *r, const struct shape *s, const struct json *json,
		     const void *out)
{
	for (size_t i = 0; r->in != NULL && out != NULL && i < s->n; i++) {
		const struct shape_member *m = &s->members[i];

		if ((m->flags & SHAPE_ANSWERED) != 0 &&
		    (codec_is_null(json_get_slice(json, m->name)) || shape_is_empty(m, out))) {
			return call_fail(r->c, ERR_VALIDATION, "an answer without %.*s",
					 SLICE_ARG(m->name));
		}
	}
	return 0;
}

static int
shape_read_members(struct codec_reader *r, const struct shape *s, const struct json *json,
		   void *out)
{
	enum order_part around = r->now;

	json_each (child, json) {
		const struct shape_member *m = shape_find(s, child->name);

		if (m == NULL || child->type == JSON_NULL) {
			continue;
		}
		r->now = m->part == ORDER_ITEM ? around : m->part;
		int status =
			shape_read_value(r, m, child, out == NULL ? NULL : (char *)out + m->at);

		r->now = around;
		if (status < 0) {
			return status;
		}
		if (out != NULL) {
			shape_mark(m, out);
		}
	}
	return shape_check_answered(r, s, json, out);
}

int
shape_read(struct codec_reader *r, const struct shape *s, const struct json *json, void *out)
{
	void *base = out == NULL || s->draft == 0
			     ? out
			     : arena_alloc(&r->c->arena, 1, SHAPE_ALIGN, s->draft);
	int status = shape_read_members(r, s, json, base);

	if (status == 0 && s->finish != NULL && base != NULL) {
		status = s->finish(r, json, base);
	}
	if (status == 0 && s->own != NULL && r->own != NULL) {
		status = shape_read_members(r, s->own, r->own, base);
	}
	return status < 0 || base == out ? status : s->unpack(r, base, out);
}

int
shape_take_fault(struct codec_reader *r, const struct shape *s, const struct json *json,
		 struct slice *why)
{
	if (r->deferred.code != ERR_VALIDATION) {
		return 0;
	}
	*why = slice_from(r->deferred.message);
	r->deferred = (struct error){0};
	return shape_read(r, s, json, NULL);
}

/* When a value is bad, a wrong JSON type anywhere comes first. */
int
shape_read_request(struct codec_reader *r, const struct shape *s, const struct json *json, void *in)
{
	int status = shape_read(r, s, json, in);

	if (status == 0 && r->deferred.code != 0) {
		status = shape_read(r, s, json, NULL);
	}
	if (status == 0) {
		shape_judge(r, s, json);
	}
	return status;
}

/* ------------------------------------------------------------ elements that many lists have */

static const struct shape_member shape_string[] = {{.kind = SHAPE_STRING}};
static const struct shape_member shape_item[] = {{.kind = SHAPE_ITEM}};
static const struct shape_member shape_value[] = {{.kind = SHAPE_VALUE}};

const struct shape shape_nothing = {0};

const struct shape shape_strings = {
	.class = "java.lang.String", .bare = true, SHAPE_MEMBERS(struct slice, shape_string)};
const struct shape shape_items = {
	.class = "java.util.Map<java.lang.String, " SHAPE_CLASS("AttributeValue") ">",
	.bare = true,
	SHAPE_MEMBERS(struct item, shape_item)};
const struct shape shape_values = {.class = SHAPE_CLASS("AttributeValue"),
				   .bare = true,
				   SHAPE_MEMBERS(struct value, shape_value)};
