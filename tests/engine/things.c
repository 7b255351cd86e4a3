#include "tests/engine/things.h"

#include "tests/support/unit.h"

struct call things_call;

/* Items with P = p0.., S = 0.., X = S % 3 in some (local index, KEYS_ONLY) and Y in all (global index). */
static struct index indexes[] = {
	{.name = SLICE_INIT("Local"),
	 .key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("X"), VALUE_N}}},
	 .projection = PROJECTION_KEYS_ONLY},
	{.name = SLICE_INIT("Global"),
	 .global = true,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_S}}},
	 .projection = PROJECTION_ALL},
};
static struct schema table = {
	.table = SLICE_INIT("Things"),
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("S"), VALUE_N}}},
	.index = indexes,
	.n_index = 2,
};

void
things_setup(void)
{
	call_open(&things_call, THINGS_NOW_MS, THINGS_BUDGET);
}

void
things_teardown(void)
{
	call_close(&things_call);
}

struct value
things_text(const char *prefix, unsigned n)
{
	struct buf b;

	buf_init(&b, &things_call.arena);
	buf_str(&b, prefix);
	buf_fmt(&b, "%u", n);
	return value_string(buf_view(&b));
}

struct value
things_number(unsigned n)
{
	struct value v = things_text("", n);

	v.type = VALUE_N;
	return v;
}

void
things_create(struct testee *t)
{
	struct create_table_in in = {.schema = &table};
	struct create_table_out out = {0};
	int r = engine_create_table(t->engine, &things_call, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

void
things_load(struct testee *t, const struct item *items, size_t n)
{
	int r = engines_load(t, &things_call, SLICE("Things"), items, n);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

void
things_fill(struct testee *t)
{
	struct item items[THINGS];
	size_t n = 0;

	things_create(t);
	for (unsigned p = 0; p < THINGS_PARTITIONS; p++) {
		for (unsigned s = 0; s < THINGS_SORTS; s++) {
			struct attr *at = arena_new(&things_call.arena, struct attr, 5);

			at[0] = (struct attr){SLICE("P"), things_text("p", p)};
			at[1] = (struct attr){SLICE("S"), things_number(s)};
			at[2] = (struct attr){SLICE("Y"), things_text("y", s % 2)};
			at[3] = (struct attr){SLICE("V"), things_number(p * s)};
			at[4] = (struct attr){SLICE("X"), things_number(s % 3)};
			items[n++] = (struct item){at, s % 4 == 0 ? 4 : 5};
		}
	}
	things_load(t, items, n);
}

struct page
things_page(struct testee *t, const struct op_in *in, uint32_t limit, struct item start)
{
	struct op_in now = *in;
	struct op_out out = {.type = in->type};
	struct read_in *read = in->type == OP_QUERY ? &now.query.read : &now.scan.read;

	read->limit = limit;
	read->has_limit = limit > 0;
	read->start = start;
	CU_ASSERT_EQUAL(engine_execute(t->engine, &things_call, &now, &out), 0);
	return in->type == OP_QUERY ? out.query.page : out.scan.page;
}
