/* attempt - see attempt.h */
#include "tools/session/attempt.h"

#include <sys/random.h>

#include "store/engine/engine.h"
#include "store/model/limits.h"

#include "tools/session/exprs.h"
#include "tools/text/fmt.h"

/* A condition that never holds, on an item that no action names. */
static struct transact_action
attempt_obstacle(struct call *c, const struct schema *schema)
{
	assert(schema != NULL);
	const struct key_attr *pk = schema->key.pk;
	const struct key_attr *sk = schema->key.sk;
	struct attr *key = arena_new(&c->arena, struct attr, 2);
	struct exprs own = {0};
	uint64_t random = 0;

	(void)!getrandom(&random, sizeof(random), 0);
	struct slice number = fmt_slice(&c->arena, "%llu", (unsigned long long)random);

	key[0] = (struct attr){pk->name, {.type = pk->type, .text = number}};
	key[1] = (struct attr){sk->name, {.type = sk->type, .text = number}};
	exprs_name(c, &own, "#itemctl_pk", pk->name);
	return (struct transact_action){
		.kind = TRANSACT_CHECK,
		.table = schema->table,
		.item = {.at = key, .n = key_part_n(sk) > 0 ? 2 : 1},
		.ph = own.request.ph,
		.condition = SLICE(
			"attribute_exists(#itemctl_pk) AND attribute_not_exists(#itemctl_pk)"),
	};
}

void
attempt_put_codes(struct buf *b, const struct error *e)
{
	const char *codes = strchr(e->message, '[');

	buf_slice(b, slice_of(e->message,
			      codes == NULL ? strlen(e->message) : (size_t)(codes - e->message)));
	for (size_t i = 0; i < e->n_reasons; i++) {
		buf_fmt(b, "%s%.*s", i == 0 ? "[" : ", ", SLICE_ARG(e->reasons[i].code));
	}
	buf_char(b, ']');
}

/* Judge a canceled transaction with @n actions from @from on; the actions before @from have passed their test. */
static int
attempt_judge(struct call *c, size_t from, size_t n)
{
	struct error *e = &c->error;
	struct cancel_reason *all = arena_new(&c->arena, struct cancel_reason, from + n);
	bool none = true;

	if (e->n_reasons != n + 1) {
		c->error = (struct error){0};
		return ATTEMPT_UNTRIED;
	}
	for (size_t i = 0; i < from + n; i++) {
		all[i] = i < from ? (struct cancel_reason){.code = SLICE("None")}
				  : e->reasons[i - from];
		none = none && slice_is(all[i].code, "None");
	}
	if (none) {
		bool only = slice_is(e->reasons[n].code, "ConditionalCheckFailed");

		c->error = (struct error){0};
		return only ? 0 : ATTEMPT_UNTRIED;
	}
	e->reasons = all; /* without the last reason, that of the added condition */
	e->n_reasons = from + n;
	struct buf message = {.arena = &c->arena};
	attempt_put_codes(&message, e);
	e->message = slice_cstr(&c->arena, buf_view(&message));
	return -ERR_CANCELED;
}

/* Test the @n actions from @from on, fewer than LIMIT_TRANSACTION. */
static int
attempt_some(struct engine *e, struct call *c, const struct schema *schema,
	     const struct transact_action *actions, size_t from, size_t n)
{
	struct transact_action *all = arena_new(&c->arena, struct transact_action, n + 1);
	struct transact_write_items_in in = {.actions = all, .n_actions = n + 1};
	struct transact_write_items_out out;

	assert(n > 0 && n < LIMIT_TRANSACTION);
	memcpy(all, actions + from, n * sizeof(*all));
	all[n] = attempt_obstacle(c, schema);
	int r = engine_transact_write_items(e, c, &in, &out);

	if (r == 0) {
		return call_fail(c, ERR_CORRUPT,
				 "the server ignored a condition that is always false: the dry "
				 "run changed its data");
	}
	return r == -ERR_CANCELED ? attempt_judge(c, from, n) : r;
}

int
attempt(struct engine *e, struct call *c, const struct transact_action *actions, size_t n)
{
	assert(n > 0 && n <= LIMIT_TRANSACTION);
	const size_t most = LIMIT_TRANSACTION - 1;
	struct describe_table_in in = {.table = actions[0].table};
	struct describe_table_out table = {0};
	int r = engine_describe_table(e, c, &in, &table);

	r = r < 0 ? r : attempt_some(e, c, table.table.schema, actions, 0, n < most ? n : most);
	return r == 0 && n > most ? attempt_some(e, c, table.table.schema, actions, n - most, most)
				  : r;
}
