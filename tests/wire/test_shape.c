/* Tables of members: one table decodes, validates and encodes. */
#include "store/wire/codec/shape.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(c);

/* ------------------------------------------------------------ a shape with every kind of rule */

struct leaf {
	struct slice name;
	uint32_t count;
};

struct tree {
	struct slice name;
	bool flag;
	uint64_t big;
	int word;
	struct leaf leaf;
	bool leaf_given;
	const struct leaf *list;
	size_t n_list;
	const struct leaf *map;
	size_t n_map;
	uint64_t ms;
	uint64_t seq; /* of the member "ItemFS" */
};

static bool
fits(struct slice s)
{
	return slice_is(s, "fits");
}

static const char *const words[] = {"", "ONE", "TWO", NULL};
static const struct shape_words word_set = {.at = words, .set = "[ONE, TWO]"};
static const struct shape_pattern pattern = {"^fits$", fits};
static const struct shape_rule name_rule = {.name = true, .min = 3, .max = 5};
static const struct shape_rule leaf_rule = {.pattern = &pattern};
static const struct shape_rule number_rule = {.least = 1, .most = 10};
static const struct shape_rule list_rule = {.min = 1, .max = 2};

static const struct shape_member leaf_members[] = {
	SHAPE_ROW(struct leaf, name, "Name", SHAPE_STRING, .flags = SHAPE_REQUIRED,
		  .rule = &leaf_rule),
	SHAPE_ROW(struct leaf, count, "Count", SHAPE_INTEGER, .rule = &number_rule),
};
static const struct shape leaf_shape = {.java_class = SHAPE_CLASS("Leaf"),
					SHAPE_MEMBERS(struct leaf, leaf_members)};

static const struct shape_member entry_members[] = {
	SHAPE_ROW(struct leaf, count, "Count", SHAPE_INTEGER, .flags = SHAPE_ALWAYS,
		  .rule = &number_rule),
};
static const struct shape entry_shape = {.java_class = SHAPE_CLASS("Entry"),
					 SHAPE_MEMBERS(struct leaf, entry_members),
					 .key = offsetof(struct leaf, name)};

static const struct shape_member tree_members[] = {
	SHAPE_ROW(struct tree, name, "Name", SHAPE_STRING, .flags = SHAPE_REQUIRED,
		  .rule = &name_rule),
	SHAPE_ROW(struct tree, flag, "Flag", SHAPE_BOOL),
	SHAPE_ROW(struct tree, big, "Big", SHAPE_LONG, .flags = SHAPE_QUOTED),
	SHAPE_ROW(struct tree, word, "Word", SHAPE_ENUM, .words = &word_set),
	SHAPE_ROW(struct tree, leaf, "Leaf", SHAPE_STRUCT, SHAPE_GIVEN(struct tree, leaf_given),
		  .of = &leaf_shape),
	SHAPE_ROW(struct tree, list, "List", SHAPE_LIST, SHAPE_COUNT(struct tree, n_list),
		  .of = &leaf_shape, .rule = &list_rule),
	SHAPE_ROW(struct tree, map, "Map", SHAPE_MAP, SHAPE_COUNT(struct tree, n_map),
		  .of = &entry_shape),
	SHAPE_ROW(struct tree, ms, "Time", SHAPE_TIME),
	{.name = SLICE_INIT("Future"), .kind = SHAPE_REFUSED},
};
static const struct shape_member own_members[] = {
	SHAPE_ROW(struct tree, seq, "Seq", SHAPE_LONG),
};
static const struct shape own_shape = {SHAPE_MEMBERS(struct tree, own_members)};
static const struct shape tree_shape = {SHAPE_MEMBERS(struct tree, tree_members),
					.own = &own_shape};

/* @as_answer: decode it like an answer, with few checks */
static int
read_tree(const char *body, bool as_answer, struct tree *out)
{
	static const struct op_in asked = {.type = OP_SYNC};
	struct codec_reader r;
	const struct json *root = NULL;
	int status = codec_reader_open(&r, &c, CODEC_OWN, slice_from(body), &root);

	c.error = (struct error){0};
	*out = (struct tree){0};
	r.in = as_answer ? &asked : NULL;
	if (status == 0) {
		status = as_answer ? shape_read(&r, &tree_shape, root, out)
				   : shape_read_request(&r, &tree_shape, root, out);
	}
	return status < 0 ? status : codec_reader_end(&r);
}

/* ------------------------------------------------------------ reading and writing */

#define WHOLE \
	"{\"Name\":\"abc\",\"Flag\":true,\"Big\":18446744073709551615,\"Word\":\"TWO\"," \
	"\"Leaf\":{\"Name\":\"fits\",\"Count\":3},\"List\":[{\"Name\":\"fits\"}," \
	"{\"Name\":\"fits\",\"Count\":10}],\"Map\":{\"k\":{\"Count\":1},\"l\":{\"Count\":2}}," \
	"\"Time\":1.500,\"ItemFS\":{\"Seq\":9}}"

static void
write_tree(struct buf *b, enum codec_peer peer, const struct tree *t)
{
	struct codec_writer w = {.peer = peer};

	buf_init(b, &c.arena);
	arena_init(&w.arena, SIZE_MAX);
	json_writer_init(&w.json, b, 0);
	json_open(&w.json, '{');
	shape_write(&w, &tree_shape, t);
	json_close(&w.json);
	arena_drop(&w.arena);
}

static void
decoded_members_are_encoded_again(void)
{
	struct tree t;
	struct buf b;

	CU_ASSERT_EQUAL_FATAL(read_tree(WHOLE, false, &t), 0);
	CU_ASSERT_EQUAL(t.big, UINT64_MAX);
	CU_ASSERT_EQUAL(t.word, 2);
	CU_ASSERT_EQUAL(t.leaf.count, 3);
	CU_ASSERT_EQUAL_FATAL(t.n_list, 2);
	CU_ASSERT_EQUAL(t.list[1].count, 10);
	CU_ASSERT_EQUAL_FATAL(t.n_map, 2);
	CU_ASSERT_TRUE(slice_is(t.map[1].name, "l"));
	CU_ASSERT_EQUAL(t.ms, 1500);
	CU_ASSERT_EQUAL(t.seq, 9);
	write_tree(&b, CODEC_OWN, &t);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), WHOLE));
}

static void
empty_members_are_not_encoded(void)
{
	const struct tree t = {.seq = 9, .leaf.count = 1};
	struct buf b;

	write_tree(&b, CODEC_FOREIGN, &t);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "{}"));
}

/* ------------------------------------------------------------ validation errors */

static const struct {
	int line;
	const char *body;
	enum err code;
	const char *message;
} complaints[] = {
#define ONE(fault) "1 validation error detected: " fault
#define TWO(fault, other) "2 validation errors detected: " fault "; " other
#define AT(value, path, constraint) \
	"Value " value " at '" path "' failed to satisfy constraint: Member must " constraint
#define ROW(body, code, message) \
	{ \
		__LINE__, body, ERR_##code, message \
	}
	/* wrong types, in the order of the text, before all constraints */
	ROW("{\"Name\":\"\",\"Flag\":1,\"Big\":{}}", SERIALIZATION,
	    "NUMBER_VALUE cannot be converted to Boolean"),
	ROW("{\"Big\":{},\"Flag\":1}", SERIALIZATION,
	    "Start of structure or map found where not expected"),
	ROW("{\"Big\":\"x\"}", SERIALIZATION, "STRING_VALUE cannot be converted to Long"),
	ROW("{\"Leaf\":[]}", SERIALIZATION,
	    "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Leaf"),
	ROW("{\"Leaf\":1}", SERIALIZATION, "Unexpected field type"),
	ROW("{\"Leaf\":{\"Count\":\"1\"}}", SERIALIZATION,
	    "STRING_VALUE cannot be converted to Integer"),
	ROW("{\"List\":{}}", SERIALIZATION, "Start of structure or map found where not expected"),
	ROW("{\"List\":[1]}", SERIALIZATION, "Unexpected value type in payload"),
	ROW("{\"Map\":[]}", SERIALIZATION,
	    "Unrecognized collection type java.util.Map<java.lang.String, "
	    "com.amazonaws.dynamodb.v20120810.Entry>"),
	/* constraints, in the order of the table's rows, with their paths */
	ROW("{}", VALIDATION, ONE(AT("null", "name", "not be null"))),
	ROW("{\"Name\":\"ab\"}", VALIDATION,
	    ONE(AT("'ab'", "name", "have length greater than or equal to 3"))),
	ROW("{\"Name\":\"abcdef\"}", VALIDATION,
	    ONE(AT("'abcdef'", "name", "have length less than or equal to 5"))),
	ROW("{\"Name\":\"a;c\"}", VALIDATION,
	    ONE(AT("'a;c'", "name", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"))),
	ROW("{\"Word\":\"SIX\",\"Name\":null}", VALIDATION,
	    TWO(AT("null", "name", "not be null"),
		AT("'SIX'", "word", "satisfy enum value set: [ONE, TWO]"))),
	ROW("{\"Name\":\"abc\",\"Word\":\"\"}", VALIDATION,
	    ONE(AT("''", "word", "satisfy enum value set: [ONE, TWO]"))),
	ROW("{\"Name\":\"abc\",\"Leaf\":{\"Count\":11}}", VALIDATION,
	    TWO(AT("null", "leaf.name", "not be null"),
		AT("'11'", "leaf.count", "have value less than or equal to 10"))),
	ROW("{\"Name\":\"abc\",\"List\":[{\"Name\":\"fits\",\"Count\":0},{\"Name\":\"not\"}]}",
	    VALIDATION,
	    TWO(AT("'0'", "list.1.member.count", "have value greater than or equal to 1"),
		AT("'not'", "list.2.member.name", "satisfy regular expression pattern: ^fits$"))),
	ROW("{\"Name\":\"abc\",\"List\":[]}", VALIDATION,
	    ONE(AT("'[]'", "list", "have length greater than or equal to 1"))),
	ROW("{\"Name\":\"abc\",\"Map\":{\"Key\":{\"Count\":-1}}}", VALIDATION,
	    ONE(AT("'-1'", "map.Key.member.count", "have value greater than or equal to 1"))),
	/* unsupported members, after the constraints */
	ROW("{\"Name\":\"abc\",\"Future\":[]}", NOT_SUPPORTED, "Future is not supported yet"),
	ROW("{\"Future\":1}", VALIDATION, ONE(AT("null", "name", "not be null"))),
#undef ROW
};

static void
a_request_is_validated(void)
{
	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		struct tree t;
		int r = read_tree(complaints[i].body, false, &t);
		bool good = r == -(int)complaints[i].code &&
			    strcmp(c.error.message, complaints[i].message) == 0;

		if (!good) {
			printf("%s:%d: %d, \"%s\"\n", __FILE__, complaints[i].line, r,
			       c.error.code == ERR_NONE ? "" : c.error.message);
		}
		CU_ASSERT_TRUE(good);
	}
}

/* Only the types of an answer are checked. */
static void
an_answer_is_not_validated(void)
{
	struct tree t;

	for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
		bool readable = complaints[i].code != ERR_SERIALIZATION &&
				strstr(complaints[i].body, "-1") == NULL;

		CU_ASSERT_EQUAL(read_tree(complaints[i].body, true, &t) == 0, readable);
	}
	CU_ASSERT_EQUAL(
		read_tree("{\"List\":[null,{\"Count\":99},null],\"Word\":\"SIX\"}", true, &t), 0);
	CU_ASSERT_EQUAL_FATAL(t.n_list, 1);
	CU_ASSERT_EQUAL(t.list[0].count, 99);
	CU_ASSERT_EQUAL(t.word, 0);
}

static void
a_number_may_be_quoted_where_its_row_allows_it(void)
{
	struct tree t;

	CU_ASSERT_EQUAL(read_tree("{\"Name\":\"abc\",\"Big\":\"12\"}", false, &t), 0);
	CU_ASSERT_EQUAL(t.big, 12);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(decoded_members_are_encoded_again),
	UNIT_TEST(empty_members_are_not_encoded),
	UNIT_TEST(a_request_is_validated),
	UNIT_TEST(an_answer_is_not_validated),
	UNIT_TEST(a_number_may_be_quoted_where_its_row_allows_it),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(shape, setup, teardown, tests);
