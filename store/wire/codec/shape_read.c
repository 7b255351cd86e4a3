/*
 * shape_read - reads a JSON object into a struct
 *
 * Members are read in the order of the text, like in the service's deserializer: the first JSON value of a wrong type
 * is the one reported.
 */
#include "store/base/text/json.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

enum { SHAPE_ALIGN = _Alignof(max_align_t) }; /* alignment of each struct that a shape describes */

static int shape_read_value(struct codec_reader *r, const struct shape_member *m,
			    const struct json *json, void *out);

/* ------------------------------------------------------------ containers */

/* Fail because @j, which the shape describes, or a map of such objects, is of another JSON type. */
static int
shape_fail_type(struct codec_reader *r, const struct shape *s, const struct json *j, bool map,
		bool element)
{
	char java_class[160];

	if (s->java_class == NULL) {
		return call_fail(r->c, ERR_SERIALIZATION, "a value that is no object");
	}
	(void)snprintf(java_class, sizeof(java_class),
		       map ? "java.util.Map<java.lang.String, %s>" : "class %s", s->java_class);
	return typed_json_not_container(r->c, j, java_class, element);
}

/* Read an element of a list or an entry of a map. */
static int
shape_read_element(struct codec_reader *r, const struct shape *s, const struct json *j, void *out)
{
	if (s->bare) {
		return shape_read_value(r, s->members, j,
					out == NULL ? NULL : (char *)out + s->members->at);
	}
	return j->type == JSON_OBJECT ? shape_read(r, s, j, out)
				      : shape_fail_type(r, s, j, false, true);
}

/* Read the elements of @j, an array or an object; @base: the struct that contains the member, or NULL */
static int
shape_read_elements(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    void *base)
{
	const struct shape *s = m->of;
	size_t budget = r->c->arena.budget;

	assert(s->size > 0);
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
			continue; /* in an answer, nulls are ignored */
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

/* Read a container; @out: the field, or NULL */
static int
shape_read_container(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		     void *out)
{
	void *base = out == NULL ? NULL : (char *)out - m->at;

	if (m->kind == SHAPE_LIST && j->type != JSON_ARRAY) {
		return typed_json_not_container(r->c, j, "", false);
	}
	if (m->kind != SHAPE_LIST && j->type != JSON_OBJECT) {
		return shape_fail_type(r, m->of, j, m->kind == SHAPE_MAP, false);
	}
	if (m->kind == SHAPE_LIST || m->kind == SHAPE_MAP) {
		return shape_read_elements(r, m, j, base);
	}
	if (m->kind == SHAPE_ONE && base != NULL) {
		void *one = arena_alloc(&r->c->arena, 1, SHAPE_ALIGN, m->of->size);

		*(void **)out = one;
		*(size_t *)(void *)((char *)base + m->count) = 1;
		out = one;
	}
	return shape_read(r, m->of, j, out);
}

/* ------------------------------------------------------------ members */

/* Fail for a member that is not supported, but only in a request. */
static int
shape_refuse(struct codec_reader *r, const struct shape_member *m)
{
	return r->in != NULL
		       ? 0
		       : codec_defer(r, ORDER_ITEM,
				     call_fail(r->c, ERR_NOT_SUPPORTED, "%.*s is not supported yet",
					       SLICE_ARG(m->name)));
}

/* Read a member; @out: the field, or NULL */
static int
shape_read_value(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		 void *out)
{
	if (m->pointed > 0 && out != NULL) {
		void *at = arena_alloc(&r->c->arena, 1, SHAPE_ALIGN, m->pointed);

		*(void **)out = at;
		out = at;
	}
	switch ((int)m->kind) {
	case SHAPE_STRUCT:
	case SHAPE_ONE:
	case SHAPE_LIST:
	case SHAPE_MAP:
		return shape_read_container(r, m, j, out);
	case SHAPE_CUSTOM:
		return m->custom->read(r, j, out);
	case SHAPE_REFUSED:
		return shape_refuse(r, m);
	case SHAPE_CONSTANT:
	case SHAPE_REGION:
		return 0;
	default:
		return shape_leaf_read(r, m, j, out);
	}
}

const struct shape_member *
shape_find(const struct shape *s, struct slice name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_eq(s->members[i].name, name)) {
			return &s->members[i];
		}
	}
	return NULL;
}

/* Record in @out that the member is there. */
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

/* Return whether a member of an answer is a list or string, and empty. */
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

/* Check that an answer has the members that its users rely on. */
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

	assert((s->draft == 0) == (s->unpack == NULL));
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

/* If a value is bad, a wrong JSON type anywhere in the body is reported before it. */
int
shape_read_request(struct codec_reader *r, const struct shape *s, const struct json *json, void *in)
{
	int status = shape_read(r, s, json, in);

	assert(r->in == NULL);
	if (status == 0 && r->deferred.code != 0) {
		status = shape_read(r, s, json, NULL);
	}
	if (status == 0) {
		shape_judge(r, s, json);
	}
	return status;
}

/* ------------------------------------------------------------ elements of many lists */

static const struct shape_member shape_string[] = {{.kind = SHAPE_STRING}};
static const struct shape_member shape_item[] = {{.kind = SHAPE_ITEM}};
static const struct shape_member shape_value[] = {{.kind = SHAPE_VALUE}};

const struct shape shape_nothing = {0};

const struct shape shape_strings = {
	.java_class = "java.lang.String", .bare = true, SHAPE_MEMBERS(struct slice, shape_string)};
const struct shape shape_items = {
	.java_class = "java.util.Map<java.lang.String, " SHAPE_CLASS("AttributeValue") ">",
	.bare = true,
	SHAPE_MEMBERS(struct item, shape_item)};
const struct shape shape_values = {.java_class = SHAPE_CLASS("AttributeValue"),
				   .bare = true,
				   SHAPE_MEMBERS(struct value, shape_value)};
