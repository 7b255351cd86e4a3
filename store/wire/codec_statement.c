/*
 * codec_statement - ExecuteStatement, BatchExecuteStatement, ExecuteTransaction
 */
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

/* ------------------------------------------------------------ statements with parameters */

static int
read_parameters(struct codec_reader *r, const struct json *obj, struct parameterized *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, "Parameters", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct value *values = arena_new(&r->c->arena, struct value, list->n);

	out->parameters = values;
	json_each (child, list) {
		status = codec_element(r, child, "AttributeValue");
		if (status == 0) {
			status = value_from_typed_json(r->c, child, &values[out->n_parameters++]);
		}
		if (status < 0) {
			return status;
		}
	}
	if (list->n == 0) {
		codec_fault(r, "[]", "Parameters",
			    "Member must have length greater than or equal to 1");
	}
	return 0;
}

static int
read_statement(struct codec_reader *r, const struct json *obj, struct parameterized *out)
{
	int status = codec_string(r, obj, "Statement", &out->statement);

	if (status == 0 && codec_is_null(json_get(obj, "Statement"))) {
		codec_null(r, "Statement");
	}
	if (status == 0) {
		status = read_parameters(r, obj, out);
	}
	if (status == 0) {
		status = codec_bool(r, obj, "ConsistentRead", &out->consistent);
	}
	return status < 0 ? status : codec_failure_values(r, obj, &out->return_on_failure);
}

static void
write_statement(struct codec_writer *w, const struct parameterized *p)
{
	json_name(&w->json, "Statement");
	codec_put_text(w, p->statement);
	if (p->n_parameters > 0) {
		codec_open(w, "Parameters", '[');
		for (size_t i = 0; i < p->n_parameters; i++) {
			codec_put_member(w, &p->parameters[i]);
		}
		json_close(&w->json);
	}
	codec_put_true(w, "ConsistentRead", p->consistent);
	codec_put_returns(w, RETURN_NONE, p->return_on_failure);
}

/* "statements.1.member.", the place of a complaint. */
static struct slice
place(struct codec_reader *r, const char *list, size_t n)
{
	struct buf b;

	buf_init(&b, &r->c->arena);
	buf_fmt(&b, "%s.%zu.member.", list, n);
	return buf_view(&b);
}

/* @name: the list, @prefix: how complaints call it, @class: of its elements */
static int
read_statements(struct codec_reader *r, const struct json *root, const char *name,
		const char *prefix, const char *class, const struct parameterized **out, size_t *n)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, name, &list);

	if (status == 0 && list == NULL) {
		codec_null(r, name);
	}
	if (status < 0 || list == NULL) {
		return status;
	}
	struct parameterized *statements = arena_new(&r->c->arena, struct parameterized, list->n);

	*out = statements;
	json_each (child, list) {
		status = codec_element(r, child, class);
		r->prefix = place(r, prefix, *n + 1);
		if (status == 0) {
			status = read_statement(r, child, &statements[(*n)++]);
		}
		if (status < 0) {
			return status;
		}
	}
	r->prefix = (struct slice){0};
	return 0;
}

static void
write_statements(struct codec_writer *w, const char *name, const struct parameterized *statements,
		 size_t n)
{
	codec_open(w, name, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&w->json, '{');
		write_statement(w, &statements[i]);
		json_close(&w->json);
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ ExecuteStatement */

int
codec_read_execute_statement_in(struct codec_reader *r, const struct json *root,
				struct execute_statement_in *in)
{
	int status = read_statement(r, root, &in->of);

	if (status == 0) {
		status = codec_capacity(r, root, &in->capacity);
	}
	if (status == 0) {
		status = codec_limit(r, root, "Limit", 1, &in->has_limit, &in->limit);
	}
	return status < 0 ? status : codec_filled(r, root, "NextToken", 1, &in->next);
}

void
codec_write_execute_statement_in(struct codec_writer *w, const struct execute_statement_in *in)
{
	write_statement(w, &in->of);
	if (in->has_limit) {
		codec_put_uint(w, "Limit", in->limit);
	}
	codec_put_string(w, "NextToken", in->next);
	codec_put_capacity(w, in->capacity);
}

void
codec_write_execute_statement_out(struct codec_writer *w, const struct execute_statement_in *in,
				  const struct execute_statement_out *out)
{
	(void)in;
	codec_put_items(w, "Items", out->items, out->n_items);
	codec_put_string(w, "NextToken", out->next);
	codec_put_consumed(w, &out->consumed);
}

int
codec_read_execute_statement_out(struct codec_reader *r, const struct json *root,
				 const struct execute_statement_in *in,
				 struct execute_statement_out *out)
{
	struct item *items = NULL;
	int status = codec_items(r, root, "Items", &items, &out->n_items);

	(void)in;
	out->items = items;
	if (status == 0) {
		status = codec_consumed(r, root, &out->consumed);
	}
	return status < 0 ? status : codec_string(r, root, "NextToken", &out->next);
}

/* ------------------------------------------------------------ BatchExecuteStatement */

int
codec_read_batch_execute_statement_in(struct codec_reader *r, const struct json *root,
				      struct batch_execute_statement_in *in)
{
	int status = codec_capacity(r, root, &in->capacity);

	return status < 0 ? status
			  : read_statements(r, root, "Statements", "statements",
					    "BatchStatementRequest", &in->statements,
					    &in->n_statements);
}

void
codec_write_batch_execute_statement_in(struct codec_writer *w,
				       const struct batch_execute_statement_in *in)
{
	write_statements(w, "Statements", in->statements, in->n_statements);
	codec_put_capacity(w, in->capacity);
}

static void
write_result(struct codec_writer *w, const struct statement_result *result)
{
	bool failed = result->code.len > 0;

	json_open(&w->json, '{');
	if (failed) {
		codec_open(w, "Error", '{');
		codec_put_string(w, "Code", result->code);
		json_name(&w->json, "Message");
		codec_put_text(w, result->message);
	}
	if (failed && result->item != NULL) {
		codec_put_item(w, "Item", result->item);
	}
	if (failed) {
		json_close(&w->json);
	}
	codec_put_string(w, "TableName", result->table);
	if (!failed && result->item != NULL) {
		codec_put_item(w, "Item", result->item);
	}
	json_close(&w->json);
}

void
codec_write_batch_execute_statement_out(struct codec_writer *w,
					const struct batch_execute_statement_in *in,
					const struct batch_execute_statement_out *out)
{
	(void)in;
	codec_open(w, "Responses", '[');
	for (size_t i = 0; i < out->n_results; i++) {
		write_result(w, &out->results[i]);
	}
	json_close(&w->json);
	codec_put_consumed_list(w, &out->consumed);
}

static int
read_item(struct codec_reader *r, const struct json *obj, const struct item **out)
{
	if (codec_is_null(json_get(obj, "Item"))) {
		return 0;
	}
	struct item *it = arena_new(&r->c->arena, struct item, 1);

	*out = it;
	return codec_item(r, obj, "Item", it);
}

static int
read_result(struct codec_reader *r, const struct json *obj, struct statement_result *out)
{
	const struct json *error = NULL;
	int status = codec_element(r, obj, "BatchStatementResponse");

	if (status == 0) {
		status = codec_string(r, obj, "TableName", &out->table);
	}
	if (status == 0) {
		status = codec_struct(r, obj, "Error", "BatchStatementError", &error);
	}
	if (status < 0 || error == NULL) {
		return status < 0 ? status : read_item(r, obj, &out->item);
	}
	status = codec_string(r, error, "Code", &out->code);
	if (status == 0) {
		status = codec_string(r, error, "Message", &out->message);
	}
	return status < 0 ? status : read_item(r, error, &out->item);
}

static int
read_responses(struct codec_reader *r, const struct json *root, struct consumed_list *consumed,
	       const struct json **list)
{
	int status = codec_list(r, root, "Responses", list);

	return status < 0 ? status : codec_consumed_list(r, root, consumed);
}

int
codec_read_batch_execute_statement_out(struct codec_reader *r, const struct json *root,
				       const struct batch_execute_statement_in *in,
				       struct batch_execute_statement_out *out)
{
	const struct json *list = NULL;
	int status = read_responses(r, root, &out->consumed, &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct statement_result *results =
		arena_new(&r->c->arena, struct statement_result, list->n);

	out->results = results;
	json_each (child, list) {
		status = read_result(r, child, &results[out->n_results++]);
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ ExecuteTransaction */

int
codec_read_execute_transaction_in(struct codec_reader *r, const struct json *root,
				  struct execute_transaction_in *in)
{
	int status = read_statements(r, root, "TransactStatements", "transactStatements",
				     "ParameterizedStatement", &in->statements, &in->n_statements);

	if (status == 0) {
		status = codec_capacity(r, root, &in->capacity);
	}
	return status < 0 ? status : codec_filled(r, root, "ClientRequestToken", 1, &in->token);
}

void
codec_write_execute_transaction_in(struct codec_writer *w, const struct execute_transaction_in *in)
{
	write_statements(w, "TransactStatements", in->statements, in->n_statements);
	codec_put_string(w, "ClientRequestToken", in->token);
	codec_put_capacity(w, in->capacity);
}

void
codec_write_execute_transaction_out(struct codec_writer *w, const struct execute_transaction_in *in,
				    const struct execute_transaction_out *out)
{
	(void)in;
	codec_put_responses(w, out->items, out->found, out->n_items);
	codec_put_consumed_list(w, &out->consumed);
}

int
codec_read_execute_transaction_out(struct codec_reader *r, const struct json *root,
				   const struct execute_transaction_in *in,
				   struct execute_transaction_out *out)
{
	const struct json *list = NULL;
	int status = read_responses(r, root, &out->consumed, &list);

	(void)in;
	return status < 0 ? status
			  : codec_responses(r, list, &out->items, &out->found, &out->n_items);
}
