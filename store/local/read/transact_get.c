/* transact_get - TransactGetItems: up to 100 items from one snapshot */
#include "store/expr/expr.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/metering.h"
#include "store/local/meter/throttle.h"
#include "store/local/read/get.h"
#include "store/local/records/key.h"
#include "store/local/write/write.h"
#include "store/model/limits.h"
#include "store/op/unmixed.h"
#include "store/op/validate.h"

/* One member of the transaction, bound. */
struct member {
	const struct schema *schema;
	struct expr_projection *projection;
	struct slice key;
	bool refused; /* its key is invalid */
};

/* ------------------------------------------------------------ reasons */

/* Make the error of @c the reason of member @i. At the first call all other members get the reason "None". */
static void
give_reason(struct call *c, struct cancel_reason **reasons, size_t n, size_t i, struct slice code)
{
	assert(i < n);
	if (*reasons == NULL) {
		*reasons = arena_new(&c->arena, struct cancel_reason, n);
		for (size_t k = 0; k < n; k++) {
			(*reasons)[k].code = SLICE("None");
		}
	}
	(*reasons)[i].code = code;
	(*reasons)[i].message = slice_from(c->error.message);
	(*reasons)[i].throttled = c->error.throttled;
	c->error = (struct error){0};
}

static int
admit(struct local *l, struct call *c, const struct transact_get_items_in *in,
      const struct member *members)
{
	struct cancel_reason *reasons = NULL;

	for (size_t i = 0; i < in->n_gets; i++) {
		struct throttle_place place = get_place(members[i].schema, members[i].key);
		int r = throttle_admit(l->throttle, c, &place);

		if (r < 0) {
			give_reason(c, &reasons, in->n_gets, i, throttle_reason(r));
		}
	}
	return reasons == NULL ? 0 : transact_cancel(c, reasons, in->n_gets);
}

/* ------------------------------------------------------------ the operation */

/* A wrong key is the reason of its member; a wrong table or expression is an error of the request. */
static int
transact_get_bind(struct local *l, struct call *c, const struct transact_get *get,
		  struct member *out)
{
	int r = get_schema(l, c, get->table, out->projection, &out->schema);

	if (r == 0) {
		r = key_check_filled(c, &out->schema->key, &get->key);
	}
	if (r == 0) {
		r = get_key(c, out->schema, &get->key, &out->key);
		out->refused = r == -ERR_VALIDATION || r == -ERR_KEY_TOO_LONG;
	}
	return r;
}

/* All gets are checked before the first table is looked up, and all keys before the first item is read. */
static int
transact_get_bind_all(struct local *l, struct call *c, const struct transact_get_items_in *in,
		      struct member *members)
{
	struct slice *keys = arena_new(&c->arena, struct slice, in->n_gets);
	struct cancel_reason *reasons = NULL;
	size_t n = 0;

	for (size_t i = 0; i < in->n_gets; i++) {
		const struct transact_get *get = &in->gets[i];
		int r = unmixed_transact_get(c, get);

		if (r == 0) {
			r = get_wanted(c, get->projection, &get->ph, NULL, &members[i].projection);
		}
		if (r == 0) {
			r = validate_fault(c, &get->fault);
		}
		if (r < 0) {
			return r;
		}
	}
	for (size_t i = 0; i < in->n_gets; i++) {
		int r = transact_get_bind(l, c, &in->gets[i], &members[i]);

		if (members[i].refused) {
			give_reason(c, &reasons, in->n_gets, i, SLICE("ValidationError"));
		} else if (r < 0) {
			return r;
		} else {
			keys[n++] = members[i].key;
		}
	}
	int r = key_check_actions(c, keys, n);

	if (r == 0 && reasons != NULL) {
		r = transact_cancel(c, reasons, in->n_gets);
	}
	return r < 0 ? r : admit(l, c, in, members);
}

int
local_exec_transact_get_items(struct local *l, struct call *c,
			      const struct transact_get_items_in *in,
			      struct transact_get_items_out *out)
{
	struct member *members = arena_new(&c->arena, struct member, in->n_gets);
	struct item_response *responses = arena_new(&c->arena, struct item_response, in->n_gets);
	struct capacity_sheet sheet = capacity_sheet(c, in->capacity);
	size_t bytes = 0;
	int bound = transact_get_bind_all(l, c, in, members);

	if (bound < 0) {
		return bound;
	}
	cleanup(kv_view_close) struct kv_view snapshot = kv_view_open(l->kv);

	for (size_t i = 0; i < in->n_gets; i++) {
		struct got got = {0};
		int r = get_one(l, c, snapshot.at, members[i].key, &got);

		if (r < 0) {
			return r;
		}
		struct throttle_place place = get_place(members[i].schema, members[i].key);

		metering_pay(l, c, &place, capacity_read(got.item_bytes, CAPACITY_TRANSACTION));
		capacity_count_read(&sheet, members[i].schema, in->gets[i].table, got.item_bytes,
				    CAPACITY_TRANSACTION);
		if (r == GET_ABSENT) {
			continue;
		}
		bytes += got.item_bytes;
		if (bytes > LIMIT_TRANSACTION_BYTES) {
			return call_fail(c, ERR_VALIDATION,
					 "The aggregate size of the items in the transaction "
					 "exceeds 4 MB");
		}
		struct item item = expr_project(c, members[i].projection, &got.item);

		/* An item without any of the projected attributes is reported as absent. */
		responses[i] = (struct item_response){item.n > 0, item};
	}
	*out = (struct transact_get_items_out){
		.responses = responses,
		.n_responses = in->n_gets,
		.consumed = capacity_tell(&sheet, CAPACITY_READ),
	};
	return 0;
}
