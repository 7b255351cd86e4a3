/* consumed - see consumed.h */
#include "store/engine/consumed.h"

/* The offsets of the requested level and of the consumed capacity; 0: the operation has none. */
static const struct {
	size_t asked;    /* enum capacity_level in struct op_in */
	size_t reported; /* struct consumed_list in struct op_out */
} consumed_places[OP_COUNT] = {
#define PLACE(name, in, out) \
	{ \
		offsetof(struct op_in, name) + offsetof(struct name##_in, in), \
			offsetof(struct op_out, name) + offsetof(struct name##_out, out) \
	}
#define CONSUMED_NONE(name) \
	{ \
		0 \
	}
#define CONSUMED_ITSELF(name) PLACE(name, capacity, consumed)
#define CONSUMED_ITEM(name) PLACE(name, write.asked.capacity, written.report.consumed)
#define CONSUMED_ITEMS(name) PLACE(name, asked.capacity, report.consumed)
#define CONSUMED_PAGE(name) PLACE(name, read.capacity, page.consumed)
#define OP(NAME, name, Name, kind, group, meter, check) [OP_##NAME] = CONSUMED_##meter(name),
#include "store/engine/engine.h"
#include "store/op/op.def"
#include "store/op/op.h"
#undef OP
};

/* The part of @reported, which has everything, that a request for @level is answered with. */
static struct consumed_list
consumed_cut(struct call *c, enum capacity_level level, const struct consumed_list *reported)
{
	struct consumed *at;

	if (level == CAPACITY_NONE) {
		return (struct consumed_list){0};
	}
	if (level == CAPACITY_INDEXES) {
		return *reported;
	}
	at = arena_new(&c->arena, struct consumed, reported->n);
	for (size_t i = 0; i < reported->n; i++) {
		at[i] = reported->at[i];
		at[i].detailed = false;
	}
	return (struct consumed_list){at, reported->n};
}

bool
consumed_tells(enum op_type type)
{
	return consumed_places[type].asked != 0;
}

int
consumed_execute(struct engine *below, struct call *c, const struct op_in *in, struct op_out *out,
		 struct consumed_list *all)
{
	size_t asked = consumed_places[in->type].asked;
	const enum capacity_level everything = CAPACITY_INDEXES;
	enum capacity_level level;
	struct op_in asking = *in;

	assert(asked != 0);
	memcpy(&level, (const char *)in + asked, sizeof(level));
	memcpy((char *)&asking + asked, &everything, sizeof(everything));
	int r = engine_execute(below, c, &asking, out);

	if (r == 0) {
		char *at = (char *)out + consumed_places[in->type].reported;
		struct consumed_list cut;

		memcpy(all, at, sizeof(*all));
		cut = consumed_cut(c, level, all);
		memcpy(at, &cut, sizeof(cut));
	}
	return r;
}

void
consumed_add(const struct op_in *in, const struct consumed_list *reported, uint64_t *read_halves,
	     uint64_t *write_halves)
{
	for (size_t i = 0; i < reported->n; i++) {
		bool writes = op_writes(in) && reported->at[i].kind != CAPACITY_READ;

		*(writes ? write_halves : read_halves) += reported->at[i].halves;
	}
}

struct slice
consumed_table(const struct op_in *in)
{
	const struct read_in *read = op_read(in);
	const struct write_in *write = op_write(in);

	if (read != NULL || write != NULL) {
		return read != NULL ? read->table : write->table;
	}
	if (in->type == OP_GET_ITEM) {
		return in->get_item.table;
	}
	if (in->type == OP_BATCH_GET_ITEM && in->batch_get_item.n_tables > 0) {
		return in->batch_get_item.tables[0].table;
	}
	return in->type == OP_BATCH_WRITE_ITEM && in->batch_write_item.n_tables > 0
		       ? in->batch_write_item.tables[0].table
		       : SLICE("");
}
