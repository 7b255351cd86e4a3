/* answer_example - see answer_example.h */
#include "tests/wire/answer_example.h"

#include "store/base/text/json.h"
#include "store/wire/codec/codec_rows.h"

#include "tests/support/unit.h"
#include "tests/wire/wire_test.h"

static void put_member(struct buf *b, const struct shape_member *m, const struct json *given);

void
answer_example_json(struct buf *b, const struct json *json)
{
	struct json_writer w;

	json_writer_init(&w, b, 0);
	json_value(&w, json);
}

/* Examples of members that the tables of members do not describe. */
static const struct {
	const struct shape_custom *custom;
	const char *json;
} customs[] = {
#define COLLECTION \
	"{\"ItemCollectionKey\":{\"PK\":{\"S\":\"x\"}},\"SizeEstimateRangeGB\":[0.0,1.0]}"
	{&codec_collection_many, "{\"abc\":[" COLLECTION "]}"},
	{&codec_bytes, "{\"S\":\"x\"}"},
	{&codec_halves, "1.5"},
	{&codec_range, "[0.0,1.0]"},
};

static const char *
custom_example(const struct shape_custom *custom)
{
	for (size_t i = 0; i < sizeof(customs) / sizeof(customs[0]); i++) {
		if (customs[i].custom == custom) {
			return customs[i].json;
		}
	}
	CU_FAIL("a custom member has no example in the table above");
	return "null";
}

static const char *
word_example(const struct shape_words *words)
{
	size_t i = 0;

	while (words->at[i][0] == '\0') {
		i++;
	}
	return words->at[i];
}

static const struct shape_member *
row(const struct shape *s, struct slice name)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_eq(s->members[i].name, name)) {
			return &s->members[i];
		}
	}
	return NULL;
}

/* Is this member one of several that exclude each other, while another one is present? */
static bool
is_excluded(const struct shape *s, const struct shape_member *m, const struct json *given)
{
	const struct shape_member *first = s->members;

	while (first->tag_at == 0 && first < m) {
		first++;
	}
	return m->tag_at > 0 && (m != first || (given != NULL && shape_choices(s, given) > 0));
}

/* Append the members of @given, completed, and those members of the shape that @given lacks. */
static void
put_members(struct buf *b, const struct shape *s, const struct json *given, bool *some)
{
	for (const struct json *one = given == NULL ? NULL : given->child; one != NULL;
	     one = one->next) {
		const struct shape_member *m = row(s, one->name);

		buf_str(b, *some ? "," : "");
		json_put_string(b, one->name);
		buf_char(b, ':');
		if (m != NULL) {
			put_member(b, m, one);
		} else {
			answer_example_json(b, one);
		}
		*some = true;
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct shape_member *m = &s->members[i];

		if (m->kind != SHAPE_REFUSED && json_get_slice(given, m->name) == NULL &&
		    !is_excluded(s, m, given)) {
			buf_str(b, *some ? "," : "");
			json_put_string(b, m->name);
			buf_char(b, ':');
			put_member(b, m, NULL);
			*some = true;
		}
	}
}

/* @given: an object, or NULL */
static void
put_shape(struct buf *b, const struct shape *s, const struct json *given)
{
	bool some = false;

	buf_char(b, '{');
	put_members(b, s, given, &some);
	if (s->own != NULL) {
		buf_str(b, some ? ",\"ItemFS\":{" : "\"ItemFS\":{");
		some = false;
		put_members(b, s->own, NULL, &some);
		buf_char(b, '}');
	}
	buf_char(b, '}');
}

static void
put_element(struct buf *b, const struct shape *s, const struct json *given)
{
	if (s->bare) {
		put_member(b, s->members, given);
	} else {
		put_shape(b, s, given);
	}
}

static void
put_elements(struct buf *b, const struct shape_member *m, const struct json *given)
{
	bool map = m->kind == SHAPE_MAP;
	bool some = false;

	buf_char(b, map ? '{' : '[');
	for (const struct json *one = given == NULL ? NULL : given->child; one != NULL;
	     one = one->next) {
		buf_str(b, some ? "," : "");
		if (map) {
			json_put_string(b, one->name);
			buf_char(b, ':');
		}
		put_element(b, m->of, one);
		some = true;
	}
	if (!some) {
		buf_str(b, map ? "\"x\":" : "");
		put_element(b, m->of, NULL);
	}
	buf_char(b, map ? '}' : ']');
}

/* Append the value of a member: @given, completed, or an example.  @given: NULL: none */
static void
put_member(struct buf *b, const struct shape_member *m, const struct json *given)
{
	switch ((int)m->kind) {
	case SHAPE_STRUCT:
	case SHAPE_ONE:
		put_shape(b, m->of, given);
		return;
	case SHAPE_LIST:
	case SHAPE_MAP:
		put_elements(b, m, given);
		return;
	default:
		break;
	}
	if (given != NULL) {
		answer_example_json(b, given);
		return;
	}
	switch ((int)m->kind) {
	case SHAPE_BOOL:
		buf_str(b, "true");
		return;
	case SHAPE_INTEGER:
	case SHAPE_LONG:
		buf_str(b, "7");
		return;
	case SHAPE_TIME:
		buf_str(b, "1.5");
		return;
	case SHAPE_ENUM:
	case SHAPE_FLAG:
		buf_fmt(b, "\"%s\"", word_example(m->words));
		return;
	case SHAPE_VALUE:
		buf_str(b, "{\"S\":\"x\"}");
		return;
	case SHAPE_ITEM:
		buf_str(b, "{\"x\":{\"S\":\"x\"}}");
		return;
	case SHAPE_CUSTOM:
		buf_str(b, custom_example(m->custom));
		return;
	default:
		buf_str(b, "\"x\"");
		return;
	}
}

const struct json *
answer_example_parse(struct call *c, struct slice text)
{
	const struct json *json = NULL;

	CU_ASSERT_EQUAL_FATAL(json_parse(c, text, JSON_STRICT, &json), 0);
	return json;
}

const struct json *
answer_example(struct call *c, enum op_type type)
{
	struct slice vector = SLICE("{}");
	struct buf b;

	if (op_group(type) != OP_ITEMFS) {
		vector = wire_vector(c, op_name(type), "answer");
	}
	buf_init(&b, &c->arena);
	put_shape(&b, shape_of_answer(type),
		  answer_example_parse(c, vector.len == 0 ? SLICE("{}") : vector));
	return answer_example_parse(c, buf_view(&b));
}
