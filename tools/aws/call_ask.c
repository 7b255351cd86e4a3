/* call_ask - see call_ask.h */
#include "tools/aws/call_ask.h"

#include "store/base/core/ascii.h"
#include "store/base/core/throttled.h"
#include "store/base/text/near.h"
#include "store/engine/engine.h"
#include "store/mark.h"
#include "store/model/item_json.h"
#include "store/op/op.h"
#include "store/open.h"
#include "store/wire/codec/codec.h"

#include "tools/cli/synonyms.h"
#include "tools/session/confirm.h"
#include "tools/session/spending.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

enum { API_NAME_MAX = 64 };

/* Fail with a similar operation.  @told: message of the remote server; NULL: itemctl does not know the operation */
static int
ask_no_operation(struct call *c, const char *name, const char *told)
{
	struct near near = near_start(slice_from(name));

	for (int i = 0; i < OP_COUNT; i++) {
		if (op_group((enum op_type)i) != OP_ITEMFS) {
			near_try(&near, slice_from(op_name((enum op_type)i)));
		}
	}
	struct buf b = {.arena = &c->arena};
	typed_line_near(&b, &near, "");
	if (told != NULL) {
		return call_fail(c, ERR_UNKNOWN_OPERATION, "%s%.*s", told, SLICE_ARG(buf_view(&b)));
	}
	return call_fail(c, ERR_USAGE, "there is no operation \"%s\"%.*s%s", name,
			 SLICE_ARG(buf_view(&b)),
			 near.best.len == 0 ? "; itemctl call lists them" : "");
}

/* Add the reason of each action of a transaction to the message, which has only their codes. */
static int
ask_reasons(struct call *c)
{
	struct error e = c->error;
	struct buf b = {.arena = &c->arena};

	buf_str(&b, e.message);
	for (size_t i = 0; i < e.n_reasons; i++) {
		const struct cancel_reason *why = &e.reasons[i];

		buf_fmt(&b, "\n%zu: %.*s", i + 1, SLICE_ARG(why->code));
		if (why->message.len > 0) {
			buf_fmt(&b, ": %.*s", SLICE_ARG(why->message));
		}
		throttled_put(&b, &why->throttled);
		if (why->item != NULL) {
			buf_char(&b, ' ');
			item_put_json(&b, why->item, ITEM_TYPED);
		}
	}
	e.message = slice_cstr(&c->arena, buf_view(&b));
	c->error = e;
	return -(int)e.code;
}

/* The API's name of an operation that may be unknown: FrobIt for "frob-it".  NULL: the word cannot be a name. */
static const char *
ask_name(struct call *c, const char *word)
{
	enum op_type type = synonyms_operation(word);
	size_t length = strlen(word);
	char *out = arena_bytes(&c->arena, length + 1);
	size_t n = 0;

	for (size_t i = 0; i < length; i++) {
		bool begins = i == 0 || word[i - 1] == '-' || word[i - 1] == '_';
		char ch = word[i];

		if (ch == '-' || ch == '_') {
			continue;
		}
		if (!ascii_word(ch)) {
			return NULL;
		}
		out[n++] = begins && ch >= 'a' && ch <= 'z' ? (char)(ch - 'a' + 'A') : ch;
	}
	out[n] = '\0';
	return type != OP_COUNT ? op_name(type) : n > 0 && n <= API_NAME_MAX ? out : NULL;
}

/* Fail for an operation that is unknown to itemctl, and was not passed to the endpoint, which may know it. */
static int
ask_unasked(const struct ctl *ctl, struct call *c, const char *word)
{
	const char *name = ask_name(c, word);
	bool may = store_is_remote(ctl->store) && name != NULL &&
		   op_find(slice_from(name)) == OP_COUNT;
	const char *why = may ? store_mark(c, ctl->store) : NULL;
	const char *option = ctl->dry != NULL                                   ? "--dry-run"
			     : ctl->capacity                                    ? "--capacity"
			     : ctl->spending != NULL && ctl->spending->has_rate ? "--rate"
										: NULL;

	if (why != NULL) {
		return call_fail(c, ERR_GUARDED, "%s", why);
	}
	if (!may || option == NULL) {
		return ask_no_operation(c, word, NULL);
	}
	struct slice b = fmt_slice(
		&c->arena, "itemctl does not know the operation \"%s\": it cannot be used with %s",
		word, option);

	return ask_no_operation(c, word, b.at);
}

/* Pass the request undecoded.  Return: 0, ENGINE_NO_PASS if the store is no server that takes it, or the error */
static int
ask_pass(struct ctl *ctl, struct call *c, struct call_ask *a)
{
	const char *name = ask_name(c, a->word);

	if (name == NULL || ctl->capacity) {
		return ENGINE_NO_PASS;
	}
	int r = engine_pass(ctl->engine, c, name, a->json, &a->answer);

	if (r == -ERR_UNKNOWN_OPERATION) {
		struct error e = c->error;

		c->error = (struct error){0};
		return ask_no_operation(c, name, e.message);
	}
	return r;
}

/* Decode the request and execute it: for local stores, and to count capacity. */
static int
ask_execute(struct ctl *ctl, struct call *c, struct call_ask *a)
{
	int r = a->type == OP_COUNT ? ask_unasked(ctl, c, a->word)
				    : codec_decode_in(c, CODEC_FOREIGN, a->json, &a->in);

	if (r == 0 && a->type == OP_DELETE_TABLE) {
		r = a->confirms ? confirm(ctl, c, "delete-table is permanent", "Delete table",
					  a->in.delete_table.table)
				: confirm_far(ctl, c, "Delete table", a->in.delete_table.table);
	}
	r = r < 0 ? r : engine_execute(ctl->engine, c, &a->in, &a->out);
	if (r < 0 || (ctl->dry != NULL && op_writes(&a->in))) {
		return r;
	}
	struct buf answer = {.arena = &c->arena};
	codec_encode_out(&answer, CODEC_FOREIGN, SLICE(""), &a->in, &a->out);
	a->answer = buf_view(&answer);
	return 0;
}

int
call_ask(struct ctl *ctl, struct call *c, struct call_ask *a)
{
	a->in = (struct op_in){.type = a->type};
	a->out = (struct op_out){.type = a->type};
	/* DeleteTable is decoded, as the question names the table. */
	int r = a->type == OP_DELETE_TABLE ? ENGINE_NO_PASS : ask_pass(ctl, c, a);

	a->ours = r == ENGINE_NO_PASS;
	r = a->ours ? ask_execute(ctl, c, a) : r;
	if (r < 0) {
		ctl->format = OUT_TYPED; /* for the item of a failed condition */
		return ask_reasons(c);
	}
	return 0;
}
