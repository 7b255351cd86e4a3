/* op - see op.h */
#include "store/op/op.h"

#include <strings.h>

#include "store/op/op_transfer.h"

enum op_kind { OP_READ, OP_WRITE };

static const struct {
	struct slice name; /* of a literal, so with a NUL after it */
	enum op_kind kind;
	enum op_group group;
} ops[OP_COUNT] = {
#define OP(NAME, name_, Name, kind_, group_, meter, check) \
	[OP_##NAME] = {.name = SLICE_INIT(#Name), .kind = OP_##kind_, .group = OP_##group_},
#include "store/op/op.def"
#undef OP
};

const char *
op_name(enum op_type type)
{
	assert(type < OP_COUNT);
	return ops[type].name.at;
}

struct read_in *
op_read(const struct op_in *in)
{
	return (struct read_in *)(in->type == OP_QUERY  ? &in->query.read
				  : in->type == OP_SCAN ? &in->scan.read
							: NULL);
}

struct write_in *
op_write(const struct op_in *in)
{
	return (struct write_in *)(in->type == OP_PUT_ITEM      ? &in->put_item.write
				   : in->type == OP_UPDATE_ITEM ? &in->update_item.write
				   : in->type == OP_DELETE_ITEM ? &in->delete_item.write
								: NULL);
}

const struct page *
op_page(const struct op_in *in, const struct op_out *out)
{
	return in->type == OP_QUERY  ? &out->query.page
	       : in->type == OP_SCAN ? &out->scan.page
				     : NULL;
}

/* Returns true if there are statements and all begin with SELECT. One that begins with a comment does not. */
static bool
all_select(const struct parameterized *statements, size_t n)
{
	static const char word[] = "SELECT";
	size_t len = sizeof(word) - 1;
	size_t i = 0;

	for (; i < n; i++) {
		struct slice s = ascii_trim(statements[i].statement);

		if (s.len <= len || strncasecmp(s.at, word, len) != 0 || ascii_word(s.at[len])) {
			break;
		}
	}
	return n > 0 && i == n;
}

bool
op_writes(const struct op_in *in)
{
	assert(in->type < OP_COUNT);
	switch ((int)in->type) {
	case OP_EXECUTE_STATEMENT:
		return !all_select(&in->execute_statement.of, 1);
	case OP_BATCH_EXECUTE_STATEMENT:
		return !all_select(in->batch_execute_statement.statements,
				   in->batch_execute_statement.n_statements);
	case OP_EXECUTE_TRANSACTION:
		return !all_select(in->execute_transaction.statements,
				   in->execute_transaction.n_statements);
	case OP_CHECK:
		return in->check.repair;
	default:
		return ops[in->type].kind == OP_WRITE;
	}
}

bool
op_may_conflict(const struct op_in *in)
{
	switch ((int)in->type) {
	case OP_GET_ITEM:
	case OP_BATCH_GET_ITEM:
	case OP_BATCH_WRITE_ITEM:
	case OP_QUERY:
	case OP_SCAN:
	case OP_DESCRIBE_TABLE:
		return false;
	case OP_DELETE_ITEM:
		return in->delete_item.write.condition.len > 0 ||
		       in->delete_item.write.expected.n > 0;
	default:
		return true;
	}
}

bool
op_is_older(enum op_type type)
{
	static const bool older[OP_COUNT] = {
		[OP_SCAN] = true,
		[OP_BATCH_WRITE_ITEM] = true,
		[OP_TRANSACT_GET_ITEMS] = true,
		[OP_TRANSACT_WRITE_ITEMS] = true,
		[OP_EXECUTE_STATEMENT] = true,
		[OP_BATCH_EXECUTE_STATEMENT] = true,
		[OP_EXECUTE_TRANSACTION] = true,
	};

	return type < OP_COUNT && older[type];
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

	while (type < OP_COUNT && !slice_eq(name, ops[type].name)) {
		type++;
	}
	return (enum op_type)type;
}

enum op_type
op_from_name(enum op_group group, struct slice name)
{
	enum op_type type = op_find(name); /* names are unique */

	return type < OP_COUNT && ops[type].group == group ? type : OP_COUNT;
}

void
transfer_folder(struct buf *out, const struct transfer *t)
{
	struct slice prefix = t->place.prefix;

	buf_slice(out, prefix);
	if (prefix.len > 0 && !slice_ends(prefix, SLICE("/"))) {
		buf_char(out, '/');
	}
	buf_str(out, "AWSDynamoDB/");
	buf_slice(out, t->id);
}
