/*
 * capacity - computation and collection of consumed capacity units
 *
 * The operations, which know all sizes, add amounts; the front ends report them. The file reads no data. A request that
 * does not ask for capacity has no cost here.
 */
#include "store/local/meter/capacity.h"

enum { READ_BLOCK = 4096, WRITE_BLOCK = 1024, HALVES = 2 };

/* ------------------------------------------------------------ numbers */

static uint64_t
blocks(uint64_t bytes, uint64_t block)
{
	return bytes <= block ? 1 : (bytes + block - 1) / block;
}

uint64_t
capacity_blocks(uint64_t bytes)
{
	return blocks(bytes, READ_BLOCK);
}

uint64_t
capacity_read(uint64_t bytes, enum capacity_read_cost cost)
{
	return capacity_blocks(bytes) * cost;
}

uint64_t
capacity_write(uint64_t old, uint64_t updated)
{
	return blocks(old > updated ? old : updated, WRITE_BLOCK) * HALVES;
}

/* ------------------------------------------------------------ one table */

struct capacity *
capacity_new(struct call *c, const struct schema *s, struct slice table)
{
	struct capacity *cap = arena_new(&c->arena, struct capacity, 1);

	cap->schema = s;
	cap->table = table;
	cap->of_index = arena_new(&c->arena, uint64_t, s->n_index);
	return cap;
}

uint64_t *
capacity_part(struct capacity *cap, const struct index *ix)
{
	const struct schema *s = cap->schema;

	assert(ix == NULL || (ix >= s->index && ix < s->index + s->n_index));
	return ix == NULL ? &cap->of_table : &cap->of_index[ix - s->index];
}

void
capacity_add(struct capacity *to, const struct capacity *more, uint64_t times)
{
	assert(to->schema == more->schema);
	to->of_table += times * more->of_table;
	for (size_t i = 0; i < to->schema->n_index; i++) {
		to->of_index[i] += times * more->of_index[i];
	}
}

/* ------------------------------------------------------------ all of them */

struct capacity_sheet
capacity_sheet(struct call *c, enum capacity_level level)
{
	return (struct capacity_sheet){.c = c, .level = level};
}

struct capacity *
capacity_on(struct capacity_sheet *sheet, const struct schema *s, struct slice table)
{
	if (sheet->level == CAPACITY_NONE) {
		return NULL;
	}
	for (size_t i = 0; i < sheet->n; i++) {
		if (sheet->at[i]->schema == s) {
			return sheet->at[i];
		}
	}
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
	sheet->at = arena_room(&sheet->c->arena, sheet->at, sheet->n, &sheet->cap);
	sheet->at[sheet->n] = capacity_new(sheet->c, s, table);
	return sheet->at[sheet->n++];
}

void
capacity_count_read(struct capacity_sheet *sheet, const struct schema *s, struct slice table,
		    uint64_t bytes, enum capacity_read_cost cost)
{
	struct capacity *cap = capacity_on(sheet, s, table);

	if (cap != NULL) {
		cap->of_table += capacity_read(bytes, cost);
	}
}

static uint64_t
capacity_sum(const struct capacity *cap)
{
	uint64_t halves = cap->of_table;

	for (size_t i = 0; i < cap->schema->n_index; i++) {
		halves += cap->of_index[i];
	}
	return halves;
}

static void
tell_parts(struct call *c, const struct capacity *cap, struct consumed *out)
{
	const struct schema *s = cap->schema;
	struct consumed_index *index = arena_new(&c->arena, struct consumed_index, s->n_index);

	for (size_t i = 0; i < s->n_index; i++) {
		if (cap->of_index[i] > 0) {
			index[out->n_index++] = (struct consumed_index){
				.name = s->index[i].name,
				.global = s->index[i].global,
				.halves = cap->of_index[i],
			};
		}
	}
	out->detailed = true;
	out->of_table = cap->of_table;
	out->index = index;
}

struct consumed_list
capacity_tell(const struct capacity_sheet *sheet, enum capacity_kind kind)
{
	struct consumed *list = arena_new(&sheet->c->arena, struct consumed, sheet->n);

	for (size_t i = 0; i < sheet->n; i++) {
		const struct capacity *cap = sheet->at[i];

		list[i] = (struct consumed){
			.table = cap->table, .kind = kind, .halves = capacity_sum(cap)};
		if (sheet->level == CAPACITY_INDEXES) {
			tell_parts(sheet->c, cap, &list[i]);
		}
	}
	return (struct consumed_list){list, sheet->n};
}
