/*
 * item_json_out - converts values to JSON text
 *
 * Most of the time of a query's answer is spent here, so the code appends directly to the buffer, without a tree or a
 * JSON writer.
 */
#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/model/value.h"

enum { PRETTY_INDENT = 2 };

static const struct slice type_open[VALUE_TYPES] = {
	[VALUE_S] = SLICE_INIT("{\"S\":"),       [VALUE_N] = SLICE_INIT("{\"N\":"),
	[VALUE_B] = SLICE_INIT("{\"B\":"),       [VALUE_BOOL] = SLICE_INIT("{\"BOOL\":"),
	[VALUE_NULL] = SLICE_INIT("{\"NULL\":"), [VALUE_L] = SLICE_INIT("{\"L\":"),
	[VALUE_M] = SLICE_INIT("{\"M\":"),       [VALUE_SS] = SLICE_INIT("{\"SS\":"),
	[VALUE_NS] = SLICE_INIT("{\"NS\":"),     [VALUE_BS] = SLICE_INIT("{\"BS\":"),
};

/* Whether the value is written with its type's name: in the plain form, a map that would be read as a typed value is. */
static bool
names_type(const struct value *v, enum item_form form)
{
	return form == ITEM_TYPED || v->type == VALUE_B || value_is_set(v->type) ||
	       (v->type == VALUE_M && v->map.n == 1 &&
		value_type_from_name(v->map.at[0].name) != VALUE_TYPES);
}

/* All values in a map that is written typed are typed, too: {"M":{"S":{"S":"x"}}}. */
static enum item_form
form_inside(const struct value *v, enum item_form form)
{
	return v->type == VALUE_M && names_type(v, form) ? ITEM_TYPED : form;
}

static void
put_quoted(struct buf *out, struct slice plain)
{
	char *to = buf_room(out, plain.len + 2);

	to[0] = '"';
	memcpy(to + 1, plain.at, plain.len);
	to[plain.len + 1] = '"';
	out->len += plain.len + 2;
}

static void
put_base64(struct buf *out, struct slice bytes)
{
	buf_char(out, '"');
	base64_encode(out, bytes);
	buf_char(out, '"');
}

static void
item_json_out_put_list(struct buf *out, const struct values *list, enum item_form form)
{
	buf_char(out, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (i > 0) {
			buf_char(out, ',');
		}
		value_put_json(out, &list->at[i], form);
	}
	buf_char(out, ']');
}

/* Members of a set are written without a type, because the set has one. */
static void
put_set(struct buf *out, const struct value *set, enum item_form form)
{
	buf_char(out, '[');
	for (size_t i = 0; i < set->list.n; i++) {
		struct slice text = set->list.at[i].text;

		if (i > 0) {
			buf_char(out, ',');
		}
		if (set->type == VALUE_BS) {
			put_base64(out, text);
		} else if (set->type == VALUE_SS) {
			json_put_string(out, text);
		} else if (form == ITEM_TYPED) {
			put_quoted(out, text);
		} else {
			buf_slice(out, text);
		}
	}
	buf_char(out, ']');
}

/* Appends the value without its type's name. */
static void
put_bare(struct buf *out, const struct value *v, enum item_form form)
{
	switch (v->type) {
	case VALUE_S:
		json_put_string(out, v->text);
		break;
	case VALUE_N:
		if (form == ITEM_TYPED) {
			put_quoted(out, v->text);
		} else {
			buf_slice(out, v->text);
		}
		break;
	case VALUE_B:
		put_base64(out, v->text);
		break;
	case VALUE_BOOL:
		buf_slice(out, v->truth ? SLICE("true") : SLICE("false"));
		break;
	case VALUE_NULL:
		buf_slice(out, form == ITEM_TYPED ? SLICE("true") : SLICE("null"));
		break;
	case VALUE_L:
		item_json_out_put_list(out, &v->list, form);
		break;
	case VALUE_M:
		item_put_json(out, &v->map, form_inside(v, form));
		break;
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
	case VALUE_TYPES:
		put_set(out, v, form);
		break;
	}
}

void
value_put_json(struct buf *out, const struct value *v, enum item_form form)
{
	if (names_type(v, form)) {
		buf_slice(out, type_open[v->type]);
		put_bare(out, v, form);
		buf_char(out, '}');
	} else {
		put_bare(out, v, form);
	}
}

/* Appends an S or N, as most attributes are, fast; false: it has another type, or needs an escape. */
static bool
put_text_attr(struct buf *out, char before, const struct attr *a, enum item_form form)
{
	const struct value *v = &a->value;
	bool quoted = v->type == VALUE_S || form == ITEM_TYPED;

	if (v->type != VALUE_S && v->type != VALUE_N) {
		return false;
	}
	char *start = buf_room(out, a->name.len + v->text.len + sizeof(",'':{'S':''}"));
	char *to = start;

	*to++ = before;
	*to++ = '"';
	to = json_copy_plain(to, a->name);
	if (to == NULL) {
		return false;
	}
	*to++ = '"';
	*to++ = ':';
	if (form == ITEM_TYPED) {
		memcpy(to, type_open[v->type].at, type_open[v->type].len);
		to += type_open[v->type].len;
	}
	if (quoted) {
		*to++ = '"';
	}
	to = json_copy_plain(to, v->text);
	if (to == NULL) {
		return false;
	}
	if (quoted) {
		*to++ = '"';
	}
	if (form == ITEM_TYPED) {
		*to++ = '}';
	}
	out->len += (size_t)(to - start);
	return true;
}

void
item_put_attr(struct buf *out, char before, const struct attr *a, enum item_form form)
{
	if (!put_text_attr(out, before, a, form)) {
		buf_char(out, before);
		json_put_string(out, a->name);
		buf_char(out, ':');
		value_put_json(out, &a->value, form);
	}
}

void
item_put_json(struct buf *out, const struct item *it, enum item_form form)
{
	for (size_t i = 0; i < it->n; i++) {
		item_put_attr(out, i == 0 ? '{' : ',', &it->at[i], form);
	}
	buf_slice(out, it->n == 0 ? SLICE("{}") : SLICE("}"));
}

void
item_put_pretty(struct buf *out, const struct item *it, enum item_form form)
{
	struct buf compact;

	buf_init(&compact, NULL);
	item_put_json(&compact, it, form);
	json_put_indented(out, buf_view(&compact), PRETTY_INDENT);
	buf_release(&compact);
}

static size_t value_length(const struct value *v, enum item_form form);

/* The length of brackets and of the commas between @n elements. */
static size_t
frame_length(size_t n)
{
	return 2 + (n > 0 ? n - 1 : 0);
}

static size_t
map_length(const struct item *it, enum item_form form)
{
	size_t n = frame_length(it->n);

	for (size_t i = 0; i < it->n; i++) {
		n += json_string_length(it->at[i].name) + 1 + value_length(&it->at[i].value, form);
	}
	return n;
}

static size_t
base64_length(struct slice bytes)
{
	return (bytes.len + 2) / 3 * 4;
}

static size_t
set_length(const struct value *set, enum item_form form)
{
	size_t n = frame_length(set->list.n);

	for (size_t i = 0; i < set->list.n; i++) {
		struct slice text = set->list.at[i].text;

		if (set->type == VALUE_BS) {
			n += base64_length(text) + 2;
		} else if (set->type == VALUE_SS) {
			n += json_string_length(text);
		} else {
			n += text.len + (form == ITEM_TYPED ? 2 : 0);
		}
	}
	return n;
}

static size_t
list_length(const struct values *list, enum item_form form)
{
	size_t n = frame_length(list->n);

	for (size_t i = 0; i < list->n; i++) {
		n += value_length(&list->at[i], form);
	}
	return n;
}

static size_t
bare_length(const struct value *v, enum item_form form)
{
	switch (v->type) {
	case VALUE_S:
		return json_string_length(v->text);
	case VALUE_N:
		return v->text.len + (form == ITEM_TYPED ? 2 : 0);
	case VALUE_B:
		return base64_length(v->text) + 2;
	case VALUE_BOOL:
		return v->truth ? 4 : 5;
	case VALUE_NULL:
		return 4;
	case VALUE_L:
		return list_length(&v->list, form);
	case VALUE_M:
		return map_length(&v->map, form_inside(v, form));
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
	case VALUE_TYPES:
		break;
	}
	return set_length(v, form);
}

static size_t
value_length(const struct value *v, enum item_form form)
{
	size_t n = bare_length(v, form);

	return names_type(v, form) ? n + type_open[v->type].len + 1 : n;
}

size_t
item_json_length(const struct item *it)
{
	return map_length(it, ITEM_PLAIN);
}
