/*
 * codec_transact - TransactGetItems and TransactWriteItems
 */
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

/* "transactItems.1.member.put.", the place of a complaint. */
static struct slice
place(struct codec_reader *r, size_t n, const char *kind)
{
	struct buf b;

	buf_init(&b, &r->c->arena);
	buf_fmt(&b, "transactItems.%zu.member.%s.", n, kind);
	return buf_view(&b);
}

/* The list TransactItems of either request; NULL after a complaint. */
static int
read_list(struct codec_reader *r, const struct json *root, const struct json **out)
{
	int status = codec_list(r, root, "TransactItems", out);

	if (status == 0 && *out == NULL) {
		codec_null(r, "TransactItems");
	}
	return status;
}

/* ------------------------------------------------------------ TransactGetItems */

static int
read_get(struct codec_reader *r, const struct json *json, size_t n, struct transact_get *g)
{
	const struct json *get = NULL;
	int status = codec_element(r, json, "TransactGetItem");

	if (status == 0) {
		status = codec_struct(r, json, "Get", "Get", &get);
	}
	if (status < 0) {
		return status;
	}
	r->prefix = place(r, n, "get");
	if (get == NULL) {
		r->prefix.len -= strlen("get.");
		codec_null(r, "Get");
	}
	if (get != NULL) {
		status = codec_table_name(r, get, &g->table);
	}
	if (get != NULL && status == 0) {
		status = codec_need_item(r, get, "Key", &g->key);
	}
	if (status == 0) {
		status = codec_expression(r, get, "ProjectionExpression", &g->projection);
	}
	if (status == 0) {
		status = codec_names(r, get, &g->ph);
	}
	r->prefix = (struct slice){0};
	return status;
}

int
codec_read_transact_get_items_in(struct codec_reader *r, const struct json *root,
				 struct transact_get_items_in *in)
{
	const struct json *list = NULL;
	int status = codec_capacity(r, root, &in->capacity);

	if (status == 0) {
		status = read_list(r, root, &list);
	}
	if (status < 0 || list == NULL) {
		return status;
	}
	struct transact_get *gets = arena_new(&r->c->arena, struct transact_get, list->n);

	in->gets = gets;
	json_each (child, list) {
		status = read_get(r, child, in->n_gets + 1, &gets[in->n_gets]);
		if (status < 0) {
			return status;
		}
		in->n_gets++;
	}
	return 0;
}

void
codec_write_transact_get_items_in(struct codec_writer *w, const struct transact_get_items_in *in)
{
	codec_open(w, "TransactItems", '[');
	for (size_t i = 0; i < in->n_gets; i++) {
		const struct transact_get *g = &in->gets[i];

		json_open(&w->json, '{');
		codec_open(w, "Get", '{');
		codec_put_string(w, "TableName", g->table);
		codec_put_item(w, "Key", &g->key);
		codec_put_string(w, "ProjectionExpression", g->projection);
		codec_put_placeholders(w, &g->ph);
		json_close(&w->json);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_capacity(w, in->capacity);
}

void
codec_put_responses(struct codec_writer *w, const struct item *items, const bool *found, size_t n)
{
	codec_open(w, "Responses", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&w->json, '{');
		if (found[i]) {
			codec_put_item(w, "Item", &items[i]);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
}

int
codec_responses(struct codec_reader *r, const struct json *list, const struct item **items,
		const bool **found, size_t *n)
{
	size_t most = list == NULL ? 0 : list->n;
	struct item *at = arena_new(&r->c->arena, struct item, most);
	bool *there = arena_new(&r->c->arena, bool, most);

	*items = at;
	*found = there;
	for (const struct json *j = list == NULL ? NULL : list->child; j != NULL; j = j->next) {
		int status = codec_element(r, j, "ItemResponse");

		if (status == 0) {
			there[*n] = !codec_is_null(json_get(j, "Item"));
			status = codec_item(r, j, "Item", &at[*n]);
		}
		if (status < 0) {
			return status;
		}
		++*n;
	}
	return 0;
}

void
codec_write_transact_get_items_out(struct codec_writer *w, const struct transact_get_items_in *in,
				   const struct transact_get_items_out *out)
{
	(void)in;
	codec_put_responses(w, out->items, out->found, out->n_items);
	codec_put_consumed_list(w, &out->consumed);
}

int
codec_read_transact_get_items_out(struct codec_reader *r, const struct json *root,
				  const struct transact_get_items_in *in,
				  struct transact_get_items_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Responses", &list);

	if (status < 0) {
		return status;
	}
	if (list == NULL || list->n != in->n_gets) {
		return call_fail(r->c, ERR_VALIDATION,
				 "an answer with %zu responses to %zu requests",
				 list == NULL ? 0 : list->n, in->n_gets);
	}
	status = codec_responses(r, list, &out->items, &out->found, &out->n_items);
	return status < 0 ? status : codec_consumed_list(r, root, &out->consumed);
}

/* ------------------------------------------------------------ TransactWriteItems */

/* In the order of enum transact_kind. */
static const struct {
	const char *name; /* member, and its class */
	const char *path; /* in complaints */
	const char *item; /* member that holds the item or key */
} kinds[] = {
	{"Put", "put", "Item"},
	{"Delete", "delete", "Key"},
	{"ConditionCheck", "conditionCheck", "Key"},
	{"Update", "update", "Key"},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Which one of the kinds an element is, and its parameters. */
static int
read_kind(struct codec_reader *r, const struct json *json, size_t *kind, const struct json **out)
{
	size_t found = 0;
	int status = codec_element(r, json, "TransactWriteItem");

	for (size_t k = 0; k < KINDS && status == 0; k++) {
		const struct json *member = NULL;

		status = codec_struct(r, json, kinds[k].name, kinds[k].name, &member);
		if (member != NULL) {
			found++;
			*kind = k;
			*out = member;
		}
	}
	if (status < 0) {
		return status;
	}
	if (found != 1) {
		return call_fail(r->c, ERR_VALIDATION,
				 found == 0 ? "Invalid Request: TransactWriteRequest should "
					      "contain Delete or Put or Update request"
					    : "TransactItems can only contain one of Check, Put, "
					      "Update or Delete");
	}
	return 0;
}

static int
read_update(struct codec_reader *r, const struct json *params, struct slice *out)
{
	int status = codec_expression(r, params, "UpdateExpression", out);

	if (status == 0 && out->at == NULL) {
		codec_null(r, "UpdateExpression");
	}
	return status;
}

static int
read_action(struct codec_reader *r, const struct json *json, size_t n, struct transact_action *a)
{
	const struct json *params = NULL;
	size_t kind = 0;
	int status = read_kind(r, json, &kind, &params);

	if (status < 0) {
		return status;
	}
	a->kind = (enum transact_kind)kind;
	r->prefix = place(r, n, kinds[kind].path);
	status = codec_table_name(r, params, &a->table);
	if (status == 0) {
		status = codec_need_item(r, params, kinds[kind].item, &a->item);
	}
	if (status == 0 && a->kind == TRANSACT_UPDATE) {
		status = read_update(r, params, &a->update);
	}
	if (status == 0) {
		status = codec_expression(r, params, "ConditionExpression", &a->condition);
	}
	if (status == 0) {
		status = codec_placeholders(r, params, &a->ph);
	}
	if (status == 0) {
		status = codec_failure_values(r, params, &a->return_on_failure);
	}
	if (status == 0 && a->kind == TRANSACT_CHECK && a->condition.len == 0) {
		codec_null(r, "ConditionExpression");
	}
	r->prefix = (struct slice){0};
	return status;
}

int
codec_read_transact_write_items_in(struct codec_reader *r, const struct json *root,
				   struct transact_write_items_in *in)
{
	const struct json *list = NULL;
	int status = codec_capacity(r, root, &in->asked.capacity);

	if (status == 0) {
		status = codec_collections(r, root, &in->asked.collections);
	}
	if (status == 0) {
		status = codec_filled(r, root, "ClientRequestToken", 1, &in->token);
	}
	if (status == 0) {
		status = codec_bool(r, r->own, "Relaxed", &in->relaxed);
	}
	if (status == 0) {
		status = read_list(r, root, &list);
	}
	if (status < 0 || list == NULL) {
		return status;
	}
	struct transact_action *actions = arena_new(&r->c->arena, struct transact_action, list->n);

	in->actions = actions;
	json_each (child, list) {
		status = read_action(r, child, in->n_actions + 1, &actions[in->n_actions]);
		if (status < 0) {
			return status;
		}
		in->n_actions++;
	}
	return 0;
}

void
codec_write_transact_write_items_in(struct codec_writer *w,
				    const struct transact_write_items_in *in)
{
	codec_open(w, "TransactItems", '[');
	for (size_t i = 0; i < in->n_actions; i++) {
		const struct transact_action *a = &in->actions[i];

		json_open(&w->json, '{');
		codec_open(w, kinds[a->kind].name, '{');
		codec_put_string(w, "TableName", a->table);
		codec_put_item(w, kinds[a->kind].item, &a->item);
		codec_put_string(w, "UpdateExpression", a->update);
		codec_put_string(w, "ConditionExpression", a->condition);
		codec_put_placeholders(w, &a->ph);
		codec_put_returns(w, RETURN_NONE, a->return_on_failure);
		json_close(&w->json);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_string(w, "ClientRequestToken", in->token);
	codec_put_asked(w, &in->asked);
	if (in->relaxed && codec_open_own(w)) {
		codec_put_true(w, "Relaxed", true);
		json_close(&w->json);
	}
}

void
codec_write_transact_write_items_out(struct codec_writer *w,
				     const struct transact_write_items_in *in,
				     const struct transact_write_items_out *out)
{
	(void)in;
	codec_put_consumed_list(w, &out->told.consumed);
	codec_put_collection_lists(w, &out->told.collections);
	if (codec_open_own(w)) {
		codec_put_uint(w, "Seq", out->seq);
		json_close(&w->json);
	}
}

int
codec_read_transact_write_items_out(struct codec_reader *r, const struct json *root,
				    const struct transact_write_items_in *in,
				    struct transact_write_items_out *out)
{
	int status = codec_consumed_list(r, root, &out->told.consumed);

	(void)in;
	if (status == 0) {
		status = codec_collection_lists(r, root, &out->told.collections);
	}
	return status < 0 ? status : codec_uint(r, r->own, "Seq", &out->seq);
}
