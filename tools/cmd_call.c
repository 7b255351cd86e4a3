/* cmd_call - any operation of the API, as its JSON has it */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/json.h"
#include "store/base/near.h"
#include "store/base/shell_word.h"
#include "store/base/token.h"
#include "store/mark.h"
#include "store/open.h"
#include "store/wire/codec.h"

#include "tools/await.h"
#include "tools/command.h"
#include "tools/confirm.h"
#include "tools/spending.h"
#include "tools/synonyms.h"
#include "tools/typed_line.h"

enum { API_NAME_MAX = 64 };

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

/* @told: by another's server; NULL: it is our own that has no such operation */
static int
no_operation(struct call *c, const char *name, const char *told)
{
	struct near near = near_start(slice_from(name));
	struct buf b;

	for (int i = 0; i < OP_COUNT; i++) {
		if (is_api((enum op_type)i)) {
			near_try(&near, slice_from(op_name((enum op_type)i)));
		}
	}
	buf_init(&b, &c->arena);
	typed_line_near(&b, &near, "");
	if (told != NULL) {
		return call_fail(c, ERR_UNKNOWN_OPERATION, "%s%.*s", told, SLICE_ARG(buf_view(&b)));
	}
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

/* Does the operation's request have a member of this name? */
static bool
has_member(struct call *c, enum op_type type, const char *name)
{
	const struct json *json = NULL;
	struct buf text;
	struct buf path;

	buf_init(&text, &c->arena);
	buf_init(&path, &c->arena);
	buf_fmt(&text, "{\"%s\":\"\"}", name);
	return type != OP_COUNT && json_parse(c, buf_view(&text), JSON_STRICT, &json) == 0 &&
	       !codec_unknown(type, json, &path);
}

/* A table's name in place of the request. */
static int
table_for_json(struct call *c, enum op_type type, const char *word)
{
	struct buf request;
	struct buf line;

	if (access(word, F_OK) == 0 || word[strcspn(word, "./@")] != '\0' ||
	    strcmp(word, "-") == 0 || !has_member(c, type, "TableName")) {
		return 0;
	}
	buf_init(&request, &c->arena);
	buf_init(&line, &c->arena);
	buf_str(&request, "{\"TableName\":");
	json_put_string(&request, slice_from(word));
	buf_char(&request, '}');
	shell_text(&line, buf_view(&request));
	return call_fail(c, ERR_USAGE,
			 "there is no file %s; the request is JSON: itemctl call %s %.*s", word,
			 op_name(type), SLICE_ARG(buf_view(&line)));
}

/* Operations whose request may be {}. */
static bool
needs_nothing(enum op_type type)
{
	switch ((int)type) {
	case OP_LIST_TABLES:
	case OP_LIST_GLOBAL_TABLES:
	case OP_LIST_BACKUPS:
	case OP_LIST_EXPORTS:
	case OP_LIST_IMPORTS:
	case OP_LIST_STREAMS:
	case OP_DESCRIBE_LIMITS:
	case OP_DESCRIBE_ENDPOINTS:
	case OP_COUNT:
		return true;
	default:
		return false;
	}
}

/*
 * Is the request on standard input, though no word says so?  An operation that may have none reads only a file
 * from its beginning: a pipe may stay open, and a script's lines are no request.
 */
static bool
is_redirected(const struct ctl *ctl, enum op_type type)
{
	struct stat st;

	if (ctl->fill != NULL || isatty(STDIN_FILENO)) {
		return false;
	}
	return !needs_nothing(type) || (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
					lseek(STDIN_FILENO, 0, SEEK_CUR) == 0);
}

/* JSON itself, or the name of a file with it: FILE, @FILE, file://FILE, -. */
static int
read_json(struct call *c, enum op_type type, const char *word, struct slice *out)
{
	const char *file = word + (word[0] == '@');
	struct slice text = slice_from(word);

	if (slice_starts(text, SLICE("file://"))) {
		file += strlen("file://");
	} else if (word[strspn(word, " \t\r\n")] == '{' || word[0] == '\0') {
		*out = text;
		return 0;
	}
	int r = table_for_json(c, type, word);

	return r < 0 ? r : ctl_read_text(c, file, out);
}

/* Of two members of one name the service takes one, and passes over those that it does not know. */
static int
check_members(const struct ctl *ctl, struct call *c, enum op_type type, struct slice text,
	      const struct json **out)
{
	const struct json *json = NULL;
	struct buf path;

	*out = NULL;
	if (json_parse(c, text, JSON_LAST_WINS, &json) < 0) {
		c->error = (struct error){0}; /* told where it is read */
		return 0;
	}
	int r = json_parse(c, text, JSON_STRICT, out);

	buf_init(&path, &c->arena);
	if (r == 0 && type != OP_COUNT && codec_unknown(type, *out, &path)) {
		ctl_note(ctl, "itemctl knows no member of %s called %.*s", op_name(type),
			 SLICE_ARG(buf_view(&path)));
	}
	return r;
}

/* What stands behind @member, a name in quotes, and a colon; no string has such quotes in it. */
static struct slice
behind_member(struct slice text, struct slice member)
{
	const char *at = memmem(text.at, text.len, member.at, member.len);

	if (at == NULL) {
		return SLICE("");
	}
	text = ascii_trim(slice_skip(text, (size_t)(at - text.at) + member.len));
	return text.len > 0 && text.at[0] == ':' ? ascii_trim(slice_skip(text, 1)) : SLICE("");
}

/* An import without ClientToken is refused, and the SDKs fill it in; null is none. */
static int
fill_token(struct call *c, const struct json *json, struct slice *text)
{
	static const char member[] = "\"ClientToken\"";
	const struct json *given = json_get(json, "ClientToken");
	struct slice null = behind_member(*text, slice_from(member));
	struct slice rest;
	struct buf b;

	if (json->type != JSON_OBJECT ||
	    (given != NULL && (given->type != JSON_NULL || !slice_starts(null, SLICE("null"))))) {
		return 0;
	}
	buf_init(&b, &c->arena);
	if (given == NULL) {
		buf_fmt(&b, "{%s:", member);
		rest = slice_skip(ascii_trim(*text), 1);
	} else {
		buf_put(&b, text->at, (size_t)(null.at - text->at));
		rest = slice_skip(null, strlen("null"));
	}
	buf_char(&b, '"');
	if (!token_put(&b)) {
		return call_fail(c, ERR_IO, "the kernel gives no random bytes: %m");
	}
	buf_str(&b, given != NULL || json->child == NULL ? "\"" : "\",");
	buf_slice(&b, rest);
	*text = buf_view(&b);
	return 0;
}

static int
read_request(const struct ctl *ctl, struct call *c, const struct words *words, struct slice *json)
{
	enum op_type type = synonyms_operation(words->at[0]);
	const struct json *parsed = NULL;
	const char *word = words->n > 1 ? words->at[1] : is_redirected(ctl, type) ? "-" : "{}";

	int r = read_json(c, type, word, json);

	if (r == 0 && words->n < 2 && ascii_trim(*json).len == 0) {
		*json = SLICE("{}");
	}
	r = r < 0 ? r : check_members(ctl, c, type, *json, &parsed);
	return r < 0 || type != OP_IMPORT_TABLE || parsed == NULL ? r : fill_token(c, parsed, json);
}

/* The API's name of an operation that we may not know: "frob-it", "FrobIt" is FrobIt.  NULL: it can be none. */
static const char *
api_name(struct call *c, const char *word)
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
print(struct ctl *ctl, struct call *c, struct slice answer, size_t items)
{
	bool indented = ctl->out.format == OUT_JSON || ctl->out.format == OUT_TABLE;
	struct buf text;

	buf_init(&text, &c->arena);
	if (ctl->out.format == OUT_YAML) {
		out_yaml(&text, answer, false);
	} else {
		if (indented) {
			json_put_indented(&text, answer, 2);
		} else {
			buf_slice(&text, answer);
		}
		buf_char(&text, '\n');
	}
	ctl->out.format = OUT_JSONL;
	ctl->out.n = items;
	(void)sink_put(&ctl->out.sink, buf_view(&text));
}

/* The API answers with a page; "aws" would go on by itself. */
static void
say_more(const struct ctl *ctl, const struct op_in *in, const struct op_out *out)
{
	const struct read_in *read = in->type == OP_QUERY ? &in->query.read : &in->scan.read;
	const struct page *page = in->type == OP_QUERY ? &out->query.page : &out->scan.page;
	bool reads = in->type == OP_QUERY || in->type == OP_SCAN;

	if (reads && page->last.n > 0 && !read->has_limit) {
		ctl_note(ctl,
			 "this is one page; the next begins behind LastEvaluatedKey, and "
			 "itemctl %s %.*s prints them all",
			 in->type == OP_QUERY ? "query" : "scan", SLICE_ARG(read->table));
	}
	if (reads && ctl->format == OUT_TABLE) {
		ctl_note(ctl,
			 "an answer of the API is JSON; a table: itemctl %s %.*s%s --format table",
			 in->type == OP_QUERY ? "query" : "scan", SLICE_ARG(read->table),
			 in->type == OP_QUERY ? " PK" : "");
	}
}

/* How many items are in an answer that another's server gave to @json? Says what there is to say of it. */
static size_t
count_told(const struct ctl *ctl, struct call *c, const char *name, struct slice json,
	   struct slice answer)
{
	struct op_in in = {.type = op_find(slice_from(name))};
	struct op_out out = {.type = in.type};

	if (in.type == OP_COUNT || codec_decode_out(c, answer, &in, &out) < 0) {
		c->error = (struct error){0};
		return 0;
	}
	if (codec_decode_in(c, CODEC_FOREIGN, json, &in) == 0) {
		say_more(ctl, &in, &out);
	}
	c->error = (struct error){0};
	return count_items(&out);
}

/* JSON without blanks between its tokens. */
static struct slice
compact(struct call *c, struct slice json)
{
	bool in_string = false;
	struct buf b;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < json.len; i++) {
		char ch = json.at[i];

		if (in_string && ch == '\\' && i + 1 < json.len) {
			buf_char(&b, ch);
			ch = json.at[++i];
		} else if (ch == '"') {
			in_string = !in_string;
		} else if (!in_string && (ascii_blank(ch) || ch == '\n' || ch == '\r')) {
			continue;
		}
		buf_char(&b, ch);
	}
	return buf_view(&b);
}

/*
 * Another's server is asked in the words that were typed, and its answer is printed as it came: neither need
 * be known here.  ENGINE_NO_PASS: this store is no such server.
 */
static int
pass_on(struct ctl *ctl, struct call *c, const char *word, struct slice json)
{
	const char *name = api_name(c, word);
	struct slice answer = {0};
	const struct json *parsed = NULL;

	if (name == NULL || ctl->capacity) {
		return ENGINE_NO_PASS;
	}
	int r = engine_pass(ctl->engine, c, name, json, &answer);

	if (r == -ERR_UNKNOWN_OPERATION) {
		struct error e = c->error;

		c->error = (struct error){0};
		return no_operation(c, name, e.message);
	}
	if (r < 0) {
		ctl->format = OUT_TYPED;
		return add_reasons(c);
	}
	if (r == 0 && ctl->out.format != OUT_JSONL) {
		if (json_parse(c, answer, JSON_LAST_WINS, &parsed) == 0) {
			answer = compact(c, answer);
		} else {
			c->error = (struct error){0};
			ctl->out.format = OUT_JSONL; /* as it is */
		}
	}
	if (r == 0) {
		print(ctl, c, answer, count_told(ctl, c, name, json, answer));
	}
	return r;
}

/* That of an endpoint may have it, and was not asked. */
static int
unasked_operation(const struct ctl *ctl, struct call *c, const char *word)
{
	const char *name = api_name(c, word);
	bool may = store_is_remote(ctl->store) && name != NULL &&
		   op_find(slice_from(name)) == OP_COUNT;
	const char *why = may ? store_mark(c, ctl->store) : NULL;
	const char *option = ctl->dry != NULL                                   ? "--dry-run"
			     : ctl->capacity                                    ? "--capacity"
			     : ctl->spending != NULL && ctl->spending->has_rate ? "--rate"
										: NULL;
	struct buf b;

	if (why != NULL) {
		return call_fail(c, ERR_GUARDED, "%s", why);
	}
	if (!may || option == NULL) {
		return no_operation(c, word, NULL);
	}
	buf_init(&b, &c->arena);
	buf_fmt(&b, "itemctl does not know the operation \"%s\": it cannot be used with %s", word,
		option);
	return no_operation(c, word, slice_cstr(&c->arena, buf_view(&b)));
}

/* In a store of our own, and where capacity is counted. */
static int
execute(struct ctl *ctl, struct call *c, const char *word, struct slice json)
{
	struct op_in in = {.type = synonyms_operation(word)};
	struct op_out out = {.type = in.type};
	struct buf answer;
	int r = in.type == OP_COUNT ? unasked_operation(ctl, c, word)
				    : codec_decode_in(c, CODEC_FOREIGN, json, &in);

	if (r == 0 && in.type == OP_DELETE_TABLE) {
		r = confirm_far(ctl, c, "Delete table", in.delete_table.table);
	}
	if (r < 0) {
		return r;
	}
	r = engine_execute(ctl->engine, c, &in, &out);
	if (r < 0) {
		ctl->format = OUT_TYPED; /* of the item in the way */
		return add_reasons(c);
	}
	if (ctl->dry != NULL && op_writes(&in)) {
		return 0; /* nobody has answered */
	}
	buf_init(&answer, &c->arena);
	codec_encode_out(&answer, CODEC_FOREIGN, SLICE(""), &in, &out);
	print(ctl, c, buf_view(&answer), count_items(&out));
	say_more(ctl, &in, &out);
	/* Before it is waited for what the answer says is on its way. */
	(void)sink_flush(&ctl->out.sink);
	return await_job(ctl, c, &in, &out);
}

static int
run_call(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice json;

	(void)opts;
	if (words->n == 0) {
		return list_operations(ctl);
	}
	if (out_format_is_columns(ctl->format)) {
		return call_fail(c, ERR_USAGE, "call prints JSON: --format jsonl, json or yaml");
	}
	enum op_type type = synonyms_operation(words->at[0]);
	int r = read_request(ctl, c, words, &json);

	r = r < 0 ? r : ctl_open_store(ctl, c, type == OP_CREATE_TABLE);
	/* What is to be confirmed must be read here. */
	if (r == 0 && type != OP_DELETE_TABLE) {
		r = pass_on(ctl, c, words->at[0], json);
	} else if (r == 0) {
		r = ENGINE_NO_PASS;
	}
	return r == ENGINE_NO_PASS ? execute(ctl, c, words->at[0], json) : r;
}

const struct command cmd_call = {
	.name = "call",
	.usage = "[OPERATION [JSON | FILE | -]]",
	.summary = "any API operation, with DynamoDB JSON as request and answer",
	.details =
		"For PartiQL, backups, tags, streams, and parameters that no other command has. OPERATION\n"
		"is PutItem, put-item or put_item; without it the operations are listed. The JSON may be\n"
		"in FILE, @FILE or file://FILE, or come from standard input (- or <FILE); without it the\n"
		"request is {}. The answer is one line, indented on a terminal and with --format json. If\n"
		"nobody else has the store open, the command waits for a backup, restore, export, import\n"
		"or index that the answer says is in progress. For an endpoint, the request is signed and\n"
		"sent unchanged, and the answer is printed unchanged, with operations and members that\n"
		"itemctl does not know (except with --capacity, --rate and --dry-run).\n"
		"\n"
		"  call ExecuteStatement '{\"Statement\":\"SELECT * FROM music WHERE Artist = ?\",\n"
		"                          \"Parameters\":[{\"S\":\"Acme\"}]}'",
	.examples = "itemctl call\n"
		    "itemctl call list-tables\n"
		    "itemctl call describe-time-to-live '{\"TableName\":\"music\"}'\n"
		    "itemctl call Query query.json\n",
	.max_words = 2,
	.no_store = true,
	.pages = true,
	.run = run_call,
};
