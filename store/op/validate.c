/*
 * validate - checks requests before any table is looked up
 *
 * Front ends have checked JSON types and enums before; the embedded engine's operations
 * follow.  A remote server does all this itself.
 */
#include "store/model/item.h"
#include "store/model/legacy_check.h"
#include "store/op/op.h"
#include "store/op/unmixed.h"
#include "store/op/validate_int.h"

/* ------------------------------------------------------------ prefix of the messages of single writes */

static const char envelope[] = "1 validation error detected: ";

int
validate_envelop(struct call *c, int status)
{
	static const char size[] = "Item size";
	struct slice message = status == -ERR_VALIDATION ? slice_from(c->error.message) : SLICE("");

	if (message.len > 0 && !ascii_digit(message.at[0]) &&
	    !slice_starts(message, slice_from(size))) {
		(void)call_prefix(c, "%s", envelope);
	}
	return status;
}

int
validate_unwrap(struct call *c, int status)
{
	if (status == -ERR_VALIDATION &&
	    slice_starts(slice_from(c->error.message), slice_from(envelope))) {
		c->error.message += sizeof(envelope) - 1;
	}
	return status;
}

/* ------------------------------------------------------------ one operation each */

int
validate_item(struct call *c, const struct item *it)
{
	int r = item_check(c, it);

	return r < 0 || item_size(it) <= LIMIT_ITEM_BYTES ? r : item_fail_size(c);
}

/* Source: BEHAVIOUR 10.2 */
int
validate_batch_get_item(struct call *c, const struct batch_get_item_in *in)
{
	size_t keys = 0;

	if (in->n_tables == 0) {
		return validate_count(c, 0, "RequestItems", 1, SIZE_MAX);
	}
	for (size_t i = 0; i < in->n_tables; i++) {
		int r = validate_table_name(c, in->tables[i].table);

		if (r == 0 && in->tables[i].n_keys == 0) {
			r = validate_too_short(c, "[]", "requestItems.member.keys");
		}
		if (r < 0) {
			return r;
		}
		keys += in->tables[i].n_keys;
	}
	if (keys > LIMIT_BATCH_GET) {
		return call_fail(c, ERR_VALIDATION,
				 "Too many items requested for the BatchGetItem call");
	}
	int r = unmixed_batch_get(c, in);

	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		r = legacy_check_names(c, &in->tables[i].attributes);
	}
	return r;
}

static int
check_batch_table(struct call *c, const struct batch_write *b)
{
	int r = validate_table_name(c, b->table);

	if (r == 0 && b->n_actions == 0) {
		r = validate_too_short(c, "[]", "requestItems.member");
	}
	for (size_t i = 0; i < b->n_actions && r == 0; i++) {
		r = b->actions[i].kind == BATCH_DELETE ? 0 : validate_item(c, &b->actions[i].item);
	}
	return r;
}

/* Source: BEHAVIOUR 10.3 */
int
validate_batch_write_item(struct call *c, const struct batch_write_item_in *in)
{
	size_t actions = 0;

	if (in->n_tables == 0) {
		return call_fail(c, ERR_VALIDATION,
				 "The requestItems parameter is required for BatchWriteItem");
	}
	for (size_t i = 0; i < in->n_tables; i++) {
		actions += in->tables[i].n_actions;
	}
	if (actions > LIMIT_BATCH_WRITE) {
		return call_fail(c, ERR_VALIDATION,
				 "Too many items requested for the BatchWriteItem call");
	}
	int r = 0;

	for (size_t i = 0; i < in->n_tables && r == 0; i++) {
		r = check_batch_table(c, &in->tables[i]);
	}
	return r;
}

int
validate_transact_get_items(struct call *c, const struct transact_get_items_in *in)
{
	int r = validate_count(c, in->n_gets, "TransactItems", 1, LIMIT_TRANSACTION);

	for (size_t i = 0; i < in->n_gets && r == 0; i++) {
		r = validate_table_name(c, in->gets[i].table);
	}
	return r;
}

static int
validate_missing(struct call *c, size_t number, const char *member)
{
	return call_fail(c, ERR_VALIDATION,
			 "1 validation error detected: Value null at 'transactItems.%zu.member.%s' "
			 "failed to satisfy constraint: Member must not be null",
			 number, member);
}

static int
check_transact_action(struct call *c, const struct transact_action *a, size_t number)
{
	int r = validate_table_name(c, a->table);

	if (r == 0 && a->kind == TRANSACT_CHECK && a->condition.at == NULL) {
		r = validate_missing(c, number, "conditionCheck.conditionExpression");
	}
	if (r == 0 && a->kind == TRANSACT_UPDATE && a->update.at == NULL) {
		r = validate_missing(c, number, "update.updateExpression");
	}
	return r;
}

int
validate_fault(struct call *c, const struct transact_fault *fault)
{
	return fault->why.len == 0 ? 0
				   : call_fail(c, ERR_VALIDATION, "%.*s", SLICE_ARG(fault->why));
}

int
validate_readable(struct call *c, const struct op_in *in)
{
	const struct transact_write_items_in *writes = &in->transact_write_items;
	const struct transact_get_items_in *gets = &in->transact_get_items;
	int r = 0;

	for (size_t i = 0; in->type == OP_TRANSACT_WRITE_ITEMS && i < writes->n_actions && r == 0;
	     i++) {
		r = validate_fault(c, &writes->actions[i].fault);
	}
	for (size_t i = 0; in->type == OP_TRANSACT_GET_ITEMS && i < gets->n_gets && r == 0; i++) {
		r = validate_fault(c, &gets->gets[i].fault);
	}
	return r;
}

/* Source: BEHAVIOUR 11.6 */
int
validate_token(struct call *c, struct slice token)
{
	return validate_length(c, token, "clientRequestToken", 0, LIMIT_TOKEN_BYTES);
}

/* Source: BEHAVIOUR 11.1, 11.2 */
int
validate_transact_write_items(struct call *c, const struct transact_write_items_in *in)
{
	size_t max = in->unsynced ? 2 * LIMIT_TRANSACTION : LIMIT_TRANSACTION;
	int r = validate_count(c, in->n_actions, "TransactItems", 1, max);
	size_t bytes = 0;

	if (r == 0) {
		r = validate_token(c, in->token);
	}
	for (size_t i = 0; i < in->n_actions && r == 0; i++) {
		r = check_transact_action(c, &in->actions[i], i + 1);
		bytes += item_size(&in->actions[i].item);
	}
	if (r == 0 && bytes > LIMIT_TRANSACTION_BYTES) {
		r = call_fail(c, ERR_VALIDATION,
			      "Transaction payload size cannot exceed 4MB. Payload Size: %zu",
			      bytes);
	}
	return r;
}

int
validate_load_items(struct call *c, const struct load_items_in *in)
{
	int r = validate_table_name(c, in->table);

	for (size_t i = 0; i < in->n_items && r == 0; i++) {
		r = item_check(c, &in->items[i]);
	}
	return r;
}

/* Refuses an expression that is given but empty. */
static int
validate_expression(struct call *c, const char *name, struct slice text)
{
	return text.at == NULL || text.len > 0
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "Invalid %s: The expression can not be empty;", name);
}

int
validate_change_items(struct call *c, const struct change_items_in *in)
{
	int r = validate_table_name(c, in->table);

	if (r == 0 && in->n_keys == 0) {
		r = call_fail(c, ERR_VALIDATION, "there are no keys");
	}
	if (r == 0) {
		r = validate_expression(c, "UpdateExpression", in->update);
	}
	return r < 0 ? r : validate_expression(c, "ConditionExpression", in->condition);
}

int
validate_backup_store(struct call *c, const struct backup_store_in *in)
{
	return slice_starts(in->dir, SLICE("/")) && slice_chr(in->dir, '\0') == NULL
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "a backup needs an absolute path");
}

int
validate_describe_key_usage(struct call *c, const struct describe_key_usage_in *in)
{
	int r = validate_table_name(c, in->table);

	return r < 0 || in->since_s <= KEY_USAGE_SINCE_MAX_S
		       ? r
		       : call_fail(c, ERR_VALIDATION,
				   "the usage of partition keys is kept for an hour");
}

#define CHECK_NOTHING(name) 0
#define CHECK_TABLE(name) validate_table_name(c, in->name.table)
#define CHECK_TABLES(name) (in->name.table.len == 0 ? 0 : validate_table_name(c, in->name.table))
#define CHECK_STAGES(name) order_validate(c, in)
#define CHECK_OWN(name) validate_##name(c, &in->name)

int
op_validate(struct call *c, const struct op_in *in)
{
	c->older = op_is_older(in->type);
	switch (in->type) {
#define OP(NAME, name, Name, kind, group, meter, check) \
	case OP_##NAME: \
		return CHECK_##check(name);
#include "store/op/op.def"
#undef OP
	case OP_COUNT:
		break;
	}
	return call_fail(c, ERR_UNKNOWN_OPERATION, "there is no such operation");
}
