/* Encoding of table definitions. */
#include "store/local/records/definition.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* The place of a check is text with blanks, so that a check could not get past such a table. */
static void
an_invalid_table_name_is_damage(void)
{
	static const struct slice names[] = {
		SLICE_INIT("a b"),    SLICE_INIT("a\0b"), SLICE_INIT("../.."), SLICE_INIT("ab\n"),
		SLICE_INIT("\033[m"), SLICE_INIT("ab"),   SLICE_INIT("")};
	struct schema s = {.table = SLICE("tab"), .id = 3, .key.pk[0] = {SLICE("pk"), VALUE_S}};
	struct schema out;
	struct buf bytes;

	buf_init(&bytes, &c.arena);
	definition_encode(&bytes, &s);
	CU_ASSERT_EQUAL(definition_decode(&c, SLICE("a.b-c_1"), buf_view(&bytes), &out), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(definition_decode(&c, names[i], buf_view(&bytes), &out),
				-ERR_CORRUPT);
	}
}

static void
definitions_survive_and_damaged_ones_are_found(void)
{
	struct slice include[] = {SLICE("a"), SLICE("b")};
	struct index ix[] = {{.name = SLICE("idx"),
			      .id = 7,
			      .projection = PROJECTION_INCLUDE,
			      .include = include,
			      .n_include = 2},
			     {.name = SLICE("several"),
			      .global = true,
			      .id = 8,
			      .key = {{{SLICE("a"), VALUE_S}, {SLICE("b"), VALUE_N}},
				      {{SLICE("c"), VALUE_B},
				       {SLICE("d"), VALUE_S},
				       {SLICE("e"), VALUE_S},
				       {SLICE("f"), VALUE_N}}}}};
	struct schema s = {.table = SLICE("tab"),
			   .id = 3,
			   .version = 4,
			   .created_ms = 5,
			   .provisioned = true,
			   .read_units = 600,
			   .write_units = 7,
			   .index = ix,
			   .n_index = 2};
	struct schema out;
	struct buf bytes;

	s.key.pk[0] = (struct key_attr){SLICE("pk"), VALUE_B};
	s.key.sk[0] = (struct key_attr){SLICE("sk"), VALUE_N};
	ix[0].key = s.key;
	buf_init(&bytes, &c.arena);
	definition_encode(&bytes, &s);
	CU_ASSERT_EQUAL(definition_decode(&c, s.table, buf_view(&bytes), &out), 0);
	CU_ASSERT_TRUE(out.id == 3 && out.version == 4 && out.created_ms == 5);
	CU_ASSERT_TRUE(out.provisioned && out.read_units == 600 && out.write_units == 7);
	CU_ASSERT_TRUE(slice_is(out.key.sk->name, "sk") && out.key.pk->type == VALUE_B);
	CU_ASSERT_TRUE(out.n_index == 2 && out.index[0].id == 7 && !out.index[0].global);
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		CU_ASSERT_TRUE(slice_eq(key_slot(&out.index[1].key, i)->name,
					key_slot(&ix[1].key, i)->name));
		CU_ASSERT_EQUAL(key_slot(&out.index[1].key, i)->type,
				key_slot(&ix[1].key, i)->type);
	}
	CU_ASSERT_TRUE(out.index[0].n_include == 2 && slice_is(out.index[0].include[1], "b"));
	/* Only global indexes may have such a key. */
	ix[1].global = false;
	buf_clear(&bytes);
	definition_encode(&bytes, &s);
	CU_ASSERT_EQUAL(definition_decode(&c, s.table, buf_view(&bytes), &out), -ERR_CORRUPT);
	ix[1].global = true;
	buf_clear(&bytes);
	definition_encode(&bytes, &s);
	for (size_t n = 0; n < bytes.len; n++) {
		c.error = (struct error){0};
		int r = definition_decode(&c, s.table, slice_of(bytes.at, n), &out);

		CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	}
	for (size_t i = 0; i < bytes.len; i++) {
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes.at[i] = (char)(bytes.at[i] ^ (1U << bit));
			c.error = (struct error){0};
			int r = definition_decode(&c, s.table, buf_view(&bytes), &out);

			CU_ASSERT_TRUE(r == 0 || r == -ERR_CORRUPT);
			bytes.at[i] = (char)(bytes.at[i] ^ (1U << bit));
		}
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(definitions_survive_and_damaged_ones_are_found),
	UNIT_TEST(an_invalid_table_name_is_damage),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(definition, setup, teardown, tests);
