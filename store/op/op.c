/* op - the operation table, looked up */
#include "store/op/op.h"

static const struct {
	const char *name;
	enum op_kind kind;
	enum op_group group;
} ops[OP_COUNT] = {
#define OP(NAME, name_, Name, kind_, group_) \
	[OP_##NAME] = {.name = #Name, .kind = OP_##kind_, .group = OP_##group_},
#include "store/op/op.def"
#undef OP
};

const char *
op_name(enum op_type type)
{
	return ops[type].name;
}

enum op_kind
op_kind(enum op_type type)
{
	return ops[type].kind;
}

enum op_group
op_group(enum op_type type)
{
	return ops[type].group;
}

enum op_type
op_find(struct slice name)
{
	int type = 0;

	while (type < OP_COUNT && !slice_is(name, ops[type].name)) {
		type++;
	}
	return (enum op_type)type;
}

enum op_type
op_from_name(enum op_group group, struct slice name)
{
	int type = 0;

	while (type < OP_COUNT && !(ops[type].group == group && slice_is(name, ops[type].name))) {
		type++;
	}
	return (enum op_type)type;
}
