/* cmd_call - any operation of the API, as its JSON has it */
#include "store/wire/codec.h"

#include "tools/await.h"
#include "tools/command.h"
#include "tools/near.h"
#include "tools/synonyms.h"

static bool
is_api(enum op_type type)
{
	return type != OP_COUNT && op_group(type) != OP_ITEMFS;
}

static int
list_operations(struct ctl *ctl)
{
	for (int i = 0; i < OP_COUNT; i++) {
		if (is_api((enum op_type)i)) {
			buf_fmt(&ctl->out.sink.buf, "%s\n", op_name((enum op_type)i));
		}
	}
	return 0;
}

static int
no_operation(struct call *c, const char *name)
{
	struct near near = near_start(slice_from(name));
	struct buf b;

	for (int i = 0; i < OP_COUNT; i++) {
		if (is_api((enum op_type)i)) {
			near_try(&near, slice_from(op_name((enum op_type)i)));
		}
	}
	buf_init(&b, &c->arena);
	near_put(&b, &near, "");
	return call_fail(c, ERR_USAGE, "there is no operation \"%s\"%.*s%s", name,
			 SLICE_ARG(buf_view(&b)),
			 near.best.len == 0 ? "; itemctl call lists them" : "");
}

/* Why each action of a transaction did not happen: the message alone names only codes. */
static int
add_reasons(struct call *c)
{
	struct error e = c->error;
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, e.message);
	for (size_t i = 0; i < e.n_reasons; i++) {
		const struct cancel_reason *why = &e.reasons[i];

		buf_fmt(&b, "\n%zu: %.*s", i + 1, SLICE_ARG(why->code));
		if (why->message.len > 0) {
			buf_fmt(&b, ": %.*s", SLICE_ARG(why->message));
		}
		if (why->item != NULL) {
			buf_char(&b, ' ');
			item_put_json(&b, why->item, ITEM_TYPED);
		}
	}
	e.message = slice_cstr(&c->arena, buf_view(&b));
	c->error = e;
	return -(int)e.code;
}

/* JSON itself, or the name of a file with it: FILE, @FILE, file://FILE, -. */
static int
read_json(struct call *c, const char *word, struct slice *out)
{
	struct slice text = slice_from(word);
	const char *file = word;

	if (slice_starts(text, SLICE("file://"))) {
		file += strlen("file://");
	} else if (word[0] == '@') {
		file++;
	} else if (word[strspn(word, " \t\r\n")] == '{' || word[0] == '\0') {
		*out = text;
		return 0;
	}
	return ctl_read_text(c, file, out);
}

static int
read_request(struct call *c, const struct words *words, struct op_in *in)
{
	struct slice json = SLICE("{}");

	in->type = synonyms_operation(words->at[0]);
	if (in->type == OP_COUNT) {
		return no_operation(c, words->at[0]);
	}
	int r = words->n < 2 ? 0 : read_json(c, words->at[1], &json);

	return r < 0 ? r : codec_decode_in(c, CODEC_FOREIGN, json, in);
}

static size_t
count_found(const struct item_response *responses, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		count += responses[i].found;
	}
	return count;
}

static size_t
count_got(const struct batch_get_item_out *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->n_tables; i++) {
		count += out->tables[i].n_items;
	}
	return count;
}

static size_t
count_results(const struct batch_execute_statement_out *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->n_results; i++) {
		count += out->results[i].item != NULL;
	}
	return count;
}

/* The items that an answer holds. */
static size_t
count_items(const struct op_out *out)
{
	switch ((int)out->type) {
	case OP_GET_ITEM:
		return out->get_item.found;
	case OP_PUT_ITEM:
		return out->put_item.written.attributes.n > 0;
	case OP_UPDATE_ITEM:
		return out->update_item.written.attributes.n > 0;
	case OP_DELETE_ITEM:
		return out->delete_item.written.attributes.n > 0;
	case OP_QUERY:
		return out->query.page.count;
	case OP_SCAN:
		return out->scan.page.count;
	case OP_BATCH_GET_ITEM:
		return count_got(&out->batch_get_item);
	case OP_TRANSACT_GET_ITEMS:
		return count_found(out->transact_get_items.responses,
				   out->transact_get_items.n_responses);
	case OP_EXECUTE_STATEMENT:
		return out->execute_statement.n_items;
	case OP_BATCH_EXECUTE_STATEMENT:
		return count_results(&out->batch_execute_statement);
	case OP_EXECUTE_TRANSACTION:
		return count_found(out->execute_transaction.responses,
				   out->execute_transaction.n_responses);
	default:
		return 0;
	}
}

static void
print(struct ctl *ctl, struct call *c, const struct op_in *in, const struct op_out *out)
{
	bool indented = ctl->out.format == OUT_JSON || ctl->out.format == OUT_TABLE;
	struct buf answer;
	struct buf text;

	buf_init(&answer, &c->arena);
	buf_init(&text, &c->arena);
	codec_encode_out(&answer, CODEC_FOREIGN, SLICE(""), in, out);
	if (indented) {
		json_put_indented(&text, buf_view(&answer), 2);
	}
	struct buf *line = indented ? &text : &answer;

	buf_char(line, '\n');
	ctl->out.format = OUT_JSONL;
	ctl->out.n = count_items(out);
	(void)sink_put(&ctl->out.sink, buf_view(line));
}

static int
run_call(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct op_in in = {0};
	struct op_out out = {0};

	(void)opts;
	if (words->n == 0) {
		return list_operations(ctl);
	}
	if (ctl->format == OUT_CSV) {
		return call_fail(c, ERR_USAGE, "call prints JSON: --format jsonl or json");
	}
	int r = read_request(c, words, &in);

	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	if (r < 0) {
		return r;
	}
	out.type = in.type;
	r = engine_execute(ctl->engine, c, &in, &out);
	if (r < 0) {
		ctl->format = OUT_TYPED; /* of the item in the way */
		return add_reasons(c);
	}
	print(ctl, c, &in, &out);
	/* Before it is waited for what the answer says is on its way. */
	(void)sink_flush(&ctl->out.sink);
	return await_job(ctl, c, &in, &out);
}

const struct command cmd_call = {
	.name = "call",
	.usage = "[OPERATION [JSON | FILE | -]]",
	.summary = "any operation of the API, request and answer in DynamoDB JSON",
	.details =
		"PartiQL, backups, tags, streams, and parameters that no other command has. The\n"
		"OPERATION is written as PutItem, put-item or put_item; without it they are listed.\n"
		"Without JSON the request is {}; it may be in a FILE, @FILE, file://FILE, or come\n"
		"from standard input (-). An answer is one line, indented on a terminal and with\n"
		"--format json. A backup, a restore, an export, an import or an index that the answer\n"
		"says is on its way is waited for when nobody else has the store open.\n\n"
		"  call ExecuteStatement '{\"Statement\":\"SELECT * FROM music WHERE Artist = ?\",\n"
		"                          \"Parameters\":[{\"S\":\"Acme\"}]}'",
	.max_words = 2,
	.no_store = true,
	.run = run_call,
};
