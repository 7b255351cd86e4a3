#include "fs/file/buffer.h"
#include "fs/format/view.h"

#include "tests/support/items.h"
#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct slice replaced;

/* Key PK (S), SK (N); an index with the key G (N). */
static struct index by_g = {.name = SLICE_INIT("gsi"),
			    .global = true,
			    .id = 1,
			    .key = {.pk = {{SLICE_INIT("G"), VALUE_N}}}};
static struct schema schema = {
	.table = SLICE_INIT("tab"),
	.key = {.pk = {{SLICE_INIT("PK"), VALUE_S}}, .sk = {{SLICE_INIT("SK"), VALUE_N}}},
	.index = &by_g,
	.n_index = 1,
};

/* Reset the call for the next check. */
static void
again(void)
{
	call_close(&c);
	call_open(&c, 0, SIZE_MAX);
}

static struct slice
render(struct view_form form, const struct item *it)
{
	struct buf out;

	buf_init(&out, &c.arena);
	view_render(&out, &schema, form, it);
	return buf_view(&out);
}

static void
shows_the_key_first_and_the_rest_as_it_was_written(void)
{
	struct item it = item_of(&c, "{\"b\":1,\"SK\":2,\"a\":[true],\"PK\":\"p\"}");
	struct item ordered = item_of(&c, "{\"PK\":\"p\",\"SK\":2,\"z\":null}");

	CU_ASSERT_TRUE(text_is(render((struct view_form){0}, &it),
			       "{\"PK\":\"p\",\"SK\":2,\"b\":1,\"a\":[true]}\n"));
	CU_ASSERT_TRUE(text_is(render((struct view_form){0}, &ordered),
			       "{\"PK\":\"p\",\"SK\":2,\"z\":null}\n"));
	CU_ASSERT_TRUE(
		text_is(render((struct view_form){.typed = true}, &ordered),
			"{\"PK\":{\"S\":\"p\"},\"SK\":{\"N\":\"2\"},\"z\":{\"NULL\":true}}\n"));
	CU_ASSERT_TRUE(text_is(render((struct view_form){.pretty = true}, &ordered),
			       "{\n  \"PK\": \"p\",\n  \"SK\": 2,\n  \"z\": null\n}\n"));
}

static const struct {
	const char *text;
	const char *item; /* as it is printed; NULL: refused */
} readings[] = {
	{"", "{\"PK\":\"p\",\"SK\":1}\n"},
	{"{}", "{\"PK\":\"p\",\"SK\":1}\n"},
	{" \n{\"v\":1}\n\n", "{\"PK\":\"p\",\"SK\":1,\"v\":1}\n"},
	{"{\"v\":1,\"SK\":9,\"PK\":\"other\"}", "{\"PK\":\"p\",\"SK\":1,\"v\":1}\n"},
	{"{\"PK\":{\"S\":\"p\"},\"SK\":{\"N\":\"1\"},\"v\":{\"SS\":[\"a\"]}}",
	 "{\"PK\":\"p\",\"SK\":1,\"v\":{\"SS\":[\"a\"]}}\n"},
	{"{\"v\":1.50}", "{\"PK\":\"p\",\"SK\":1,\"v\":1.5}\n"},
	{" \n", NULL},
	{"[]", NULL},
	{"{\"v\":", NULL},
	{"{\"v\":1}{", NULL},
	{"{\"v\":1,\"v\":2}", NULL},
	{"{\"v\":{\"N\":\"x\"}}", NULL},
	{"{\"PK\":5}", NULL},
	{"{\"SK\":\"1\"}", NULL},
	{"{\"PK\":\"\"}", NULL},
};

static void
reads_every_form_and_prefers_the_key_of_the_path(void)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		struct item key, out;

		again();
		key = item_of(&c, "{\"PK\":\"p\",\"SK\":1}");
		int r = view_read(&c, &schema, slice_from(readings[i].text), &key, &out, &replaced);

		CU_ASSERT_EQUAL(r < 0, readings[i].item == NULL);
		CU_ASSERT_TRUE(r < 0 ||
			       text_is(render((struct view_form){0}, &out), readings[i].item));
		CU_ASSERT_TRUE(r == 0 || error_posix((enum err) - r) == EBADMSG);
	}
}

static void
takes_the_rest_of_the_key_from_the_text(void)
{
	struct item key = item_of(&c, "{\"PK\":\"p\"}"), out;

	CU_ASSERT_EQUAL(view_read(&c, &schema, SLICE("{\"SK\":7}"), &key, &out, &replaced), 0);
	CU_ASSERT_TRUE(text_is(render((struct view_form){0}, &out), "{\"PK\":\"p\",\"SK\":7}\n"));
	CU_ASSERT_EQUAL(view_read(&c, &schema, SLICE("{\"v\":7}"), &key, &out, &replaced),
			-ERR_VALIDATION);
}

static const struct {
	const char *item;
	enum err err;
} checks[] = {
	{"{\"PK\":\"p\",\"SK\":1}", ERR_NONE},
	{"{\"PK\":\"p\",\"SK\":1,\"G\":2}", ERR_NONE},
	{"{\"PK\":\"p\",\"SK\":1,\"G\":\"2\"}", ERR_VALIDATION},
	{"{\"PK\":\"p\",\"SK\":\"1\"}", ERR_VALIDATION},
	{"{\"PK\":\"\",\"SK\":1}", ERR_VALIDATION},
	{"{\"PK\":\"p\",\"SK\":1,\"v\":{\"SS\":[]}}", ERR_VALIDATION},
};

static void
refuses_the_same_items_as_a_put(void)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct item it;

		again();
		const struct json *json;
		int r = json_parse(&c, slice_from(checks[i].item), JSON_STRICT, &json);

		/* An empty set is already refused by the parser. */
		if (r == 0) {
			r = item_from_json(&c, json, &it);
		}
		if (r == 0) {
			r = view_check(&c, &schema, &it);
		}
		CU_ASSERT_EQUAL(-r, (int)checks[i].err);
	}
}

static void
knows_the_limits_of_keys_and_items(void)
{
	char *big = arena_new(&c.arena, char, 410000);
	struct attr at[3];
	struct item it = {.at = at, .n = 3};

	memset(big, 'x', 409999);
	at[0] = (struct attr){SLICE("PK"), value_string(slice_of(big, 2048))};
	at[1] = (struct attr){SLICE("SK"), value_of(&c, "1")};
	at[2] = (struct attr){SLICE("v"), value_string(slice_of(big, 409600 - 2050 - 2 - 2 - 1))};
	CU_ASSERT_EQUAL(item_size(&it), 409600);
	CU_ASSERT_EQUAL(view_check(&c, &schema, &it), 0);
	at[2].value.text.len++;
	CU_ASSERT_EQUAL(view_check(&c, &schema, &it), -ERR_ITEM_TOO_BIG);
	again();
	big = arena_new(&c.arena, char, 2050);
	memset(big, 'x', 2049);
	at[0].value = value_string(slice_of(big, 2049));
	at[1] = (struct attr){SLICE("SK"), value_of(&c, "1")};
	it.n = 2;
	CU_ASSERT_EQUAL(view_check(&c, &schema, &it), -ERR_KEY_TOO_LONG);
}

/* Return true if the text is accepted in pieces and found complete at its last brace. */
static bool
is_taken_in_pieces(struct rng *d, struct slice text)
{
	struct buffer b;
	size_t at = 0;
	bool good = true, complete = false;

	buffer_init(&b);
	buffer_empty(&b);
	while (at < text.len && good) {
		size_t left = text.len - at;
		size_t n = rng_roll(d, 3) == 0 ? left : 1 + rng_roll(d, (uint32_t)left);
		enum buffer_verdict v = buffer_write(&b, at, slice_of(text.at + at, n));

		at += n;
		complete = complete || v == BUFFER_COMPLETE;
		good = v == BUFFER_GOES_ON || (v == BUFFER_COMPLETE && at >= text.len - 1);
	}
	good = good && complete && slice_eq(buffer_text(&b), text);
	buffer_release(&b);
	return good;
}

static void
check_form(struct rng *d, struct view_form form, const struct item *it, const struct item *key)
{
	struct slice text = render(form, it);
	struct item out;
	int r = view_read(&c, &schema, text, key, &out, &replaced);

	CU_ASSERT_EQUAL(r, 0);
	if (r == 0) {
		CU_ASSERT_TRUE(item_eq(it, &out));
		/* The text has the same bytes again, so attributes keep their order. */
		CU_ASSERT_TRUE(slice_eq(render(form, &out), text));
		CU_ASSERT_EQUAL(view_check(&c, &schema, &out), 0);
	}
	CU_ASSERT_TRUE(is_taken_in_pieces(d, text));
	CU_ASSERT_TRUE(form.pretty || form.typed || text.len == item_json_length(it) + 1);
}

/* Any item survives a round trip in every form. */
static void
any_item_survives_a_round_trip_through_its_file(void)
{
	struct rng d = {.state = 3};
	unsigned seed = 3;

	for (int i = 0; i < 600; i++) {
		again();
		struct item key = item_of(&c, "{\"PK\":\"p\",\"SK\":1}");
		struct item it =
			i % 2 == 0 ? rng_item(&d, &c.arena, 6) : random_item(&c.arena, &seed, 6, 4);

		it = item_with_key(&c.arena, &schema.key, &it, &key);
		for (int form = 0; form < 4; form++) {
			check_form(&d,
				   (struct view_form){.pretty = (form & 1) != 0,
						      .typed = (form & 2) != 0},
				   &it, &key);
		}
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(shows_the_key_first_and_the_rest_as_it_was_written),
	UNIT_TEST(reads_every_form_and_prefers_the_key_of_the_path),
	UNIT_TEST(takes_the_rest_of_the_key_from_the_text),
	UNIT_TEST(refuses_the_same_items_as_a_put),
	UNIT_TEST(knows_the_limits_of_keys_and_items),
	UNIT_TEST(any_item_survives_a_round_trip_through_its_file),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(view, setup, teardown, tests);
