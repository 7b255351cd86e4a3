/*
 * shape_write - writes a struct as the members of a JSON object, in the order of the rows
 *
 * Omits members that are zero or empty, except those marked SHAPE_ALWAYS or SHAPE_NULLABLE.
 */
#include <inttypes.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/model/arn.h"
#include "store/model/item_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

static const void *
shape_field(const struct shape_member *m, const void *base)
{
	return (const char *)base + m->at;
}

static size_t
shape_count(const struct shape_member *m, const void *base)
{
	size_t n;

	assert(m->kind == SHAPE_ONE || m->kind == SHAPE_LIST || m->kind == SHAPE_MAP ||
	       m->kind == SHAPE_CUSTOM);
	memcpy(&n, (const char *)base + m->count, sizeof(n));
	return n;
}

static int
shape_enum(const void *field)
{
	int v;

	memcpy(&v, field, sizeof(v));
	return v;
}

static bool shape_given(const struct shape_member *m, const void *base);

static bool
shape_any_given(const struct shape *s, const void *base)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->members[i].kind != SHAPE_CONSTANT && s->members[i].kind != SHAPE_REGION &&
		    shape_given(&s->members[i], base)) {
			return true;
		}
	}
	return false;
}

/* Return whether a member is to be written. */
static bool
shape_given(const struct shape_member *m, const void *base)
{
	const void *field = shape_field(m, base);

	if (m->pointed > 0) {
		return *(const void *const *)field != NULL;
	}
	if (m->tag_at > 0) {
		return shape_enum((const char *)base + m->tag_at - 1) == m->tag;
	}
	if ((m->given > 0 && *((const bool *)base + m->given - 1)) ||
	    (m->flags & SHAPE_ALWAYS) != 0) {
		return true;
	}
	switch (m->kind) {
	case SHAPE_STRING:
		return ((const struct slice *)field)->len > 0 ||
		       ((m->flags & SHAPE_NULLABLE) != 0 &&
			((const struct slice *)field)->at != NULL);
	case SHAPE_BOOL:
	case SHAPE_FLAG:
		return *(const bool *)field;
	case SHAPE_INTEGER:
		return *(const uint32_t *)field != 0;
	case SHAPE_LONG:
	case SHAPE_TIME:
		return *(const uint64_t *)field != 0;
	case SHAPE_ENUM:
		return shape_enum(field) != 0;
	case SHAPE_VALUE:
	case SHAPE_CONSTANT:
	case SHAPE_REGION:
		return true;
	case SHAPE_REFUSED:
		return false;
	case SHAPE_ITEM:
		return ((const struct item *)field)->n > 0;
	case SHAPE_STRUCT:
		return m->given == 0 && shape_any_given(m->of, field);
	case SHAPE_ONE:
	case SHAPE_LIST:
	case SHAPE_MAP:
		return shape_count(m, base) > 0 ||
		       ((m->flags & SHAPE_NULLABLE) != 0 && *(void *const *)field != NULL);
	case SHAPE_CUSTOM:
		break;
	}
	return m->count > 0 && shape_count(m, base) > 0;
}

/* ------------------------------------------------------------ values */

/* Let the JSON writer append its comma. */
struct buf *
codec_by_hand(struct codec_writer *w)
{
	json_raw(&w->json, SLICE(""));
	return w->json.out;
}

/* Append a string.  If it is not UTF-8, '?' replaces each byte above 7F. */
static void
shape_write_string(struct codec_writer *w, struct slice s)
{
	if (utf8_valid(s)) {
		json_string(&w->json, s);
		return;
	}
	struct buf ascii;

	buf_init(&ascii, NULL);
	buf_slice(&ascii, s);
	for (size_t i = 0; i < ascii.len; i++) {
		if ((unsigned char)ascii.at[i] > 0x7f) {
			ascii.at[i] = '?';
		}
	}
	json_string(&w->json, buf_view(&ascii));
	buf_release(&ascii);
}

static void
shape_write_long(struct codec_writer *w, const struct shape_member *m, uint64_t v)
{
	if (v == 0 && (m->flags & SHAPE_LIMIT) != 0) {
		json_raw(&w->json, SLICE("-1"));
	} else {
		json_uint(&w->json, v);
	}
}

static void shape_write_value(struct codec_writer *w, const struct shape_member *m,
			      const void *base);

static void
shape_write_elements(struct codec_writer *w, const struct shape_member *m, const void *base)
{
	const struct shape *s = m->of;
	const char *elements;

	memcpy(&elements, shape_field(m, base), sizeof(elements));
	json_open(&w->json, m->kind == SHAPE_MAP ? '{' : '[');
	for (size_t i = 0; i < shape_count(m, base); i++) {
		const char *one = elements + i * s->size;

		if (m->kind == SHAPE_MAP) {
			json_name_slice(&w->json,
					*(const struct slice *)(const void *)(one + s->key));
		}
		if (s->bare) {
			shape_write_value(w, s->members, one);
			continue;
		}
		json_open(&w->json, '{');
		shape_write(w, s, one);
		json_close(&w->json);
	}
	json_close(&w->json);
}

static void
shape_write_value(struct codec_writer *w, const struct shape_member *m, const void *base)
{
	const void *field = shape_field(m, base);

	if (m->pointed > 0) {
		field = *(const void *const *)field;
	}
	switch (m->kind) {
	case SHAPE_STRING:
		shape_write_string(w, *(const struct slice *)field);
		return;
	case SHAPE_CONSTANT:
		json_string(&w->json, slice_from(m->constant));
		return;
	case SHAPE_REGION:
		json_string(&w->json, arn_region(w->region));
		return;
	case SHAPE_BOOL:
		json_bool(&w->json, *(const bool *)field != ((m->flags & SHAPE_OPPOSITE) != 0));
		return;
	case SHAPE_INTEGER:
		json_uint(&w->json, *(const uint32_t *)field);
		return;
	case SHAPE_LONG:
		shape_write_long(w, m, *(const uint64_t *)field);
		return;
	case SHAPE_TIME:
		buf_fmt(codec_by_hand(w), "%" PRIu64 ".%03u", *(const uint64_t *)field / 1000,
			(unsigned)(*(const uint64_t *)field % 1000));
		return;
	case SHAPE_ENUM:
		json_string(&w->json, slice_from(m->words->at[shape_enum(field)]));
		return;
	case SHAPE_FLAG:
		json_string(&w->json, slice_from(m->words->at[*(const bool *)field]));
		return;
	case SHAPE_VALUE:
		value_put_json(codec_by_hand(w), field, ITEM_TYPED);
		return;
	case SHAPE_ITEM:
		item_put_json(codec_by_hand(w), field, ITEM_TYPED);
		return;
	case SHAPE_STRUCT:
	case SHAPE_ONE:
		json_open(&w->json, '{');
		shape_write(w, m->of, m->kind == SHAPE_ONE ? *(const void *const *)field : field);
		json_close(&w->json);
		return;
	case SHAPE_LIST:
	case SHAPE_MAP:
		shape_write_elements(w, m, base);
		return;
	case SHAPE_CUSTOM:
		m->custom->write(w, field);
		return;
	case SHAPE_REFUSED:
		return;
	}
}

static void
shape_write_members(struct codec_writer *w, const struct shape *s, const void *in)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct shape_member *m = &s->members[i];

		if (shape_given(m, in)) {
			json_name_slice(&w->json, m->name);
			shape_write_value(w, m, in);
		}
	}
}

void
shape_write(struct codec_writer *w, const struct shape *s, const void *in)
{
	assert((s->draft == 0) == (s->pack == NULL));
	if (s->pack != NULL) {
		void *draft = arena_alloc(&w->arena, 1, _Alignof(max_align_t), s->draft);

		s->pack(w, in, draft);
		in = draft;
	}
	if (s->also != NULL) {
		s->also(w, in);
	}
	shape_write_members(w, s, in);
	if (s->own != NULL && w->peer == CODEC_OWN && shape_any_given(s->own, in)) {
		json_name(&w->json, "ItemFS");
		json_open(&w->json, '{');
		shape_write_members(w, s->own, in);
		json_close(&w->json);
	}
}
