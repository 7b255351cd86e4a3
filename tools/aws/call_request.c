/* call_request - see call_request.h */
#include "tools/aws/call_request.h"

#include <sys/stat.h>

#include "store/base/core/throttled.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/random_token.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/mark.h"
#include "store/model/item_json.h"
#include "store/op/op.h"
#include "store/open.h"
#include "store/wire/codec/codec.h"

#include "tools/cli/synonyms.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/session/spending.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

enum { API_NAME_MAX = 64 };

/* ------------------------------------------------------------ reading a request */

/* Return true if the operation's request has a member of this name. */
static bool
call_request_has_member(struct call *c, enum op_type type, const char *name)
{
	const struct json *json = NULL;
	struct buf text = {.arena = &c->arena};
	struct buf path = {.arena = &c->arena};

	buf_fmt(&text, "{\"%s\":\"\"}", name);
	return type != OP_COUNT && json_parse(c, buf_view(&text), JSON_STRICT, &json) == 0 &&
	       !codec_unknown(type, json, &path);
}

/* Fail if the word is no file but can be the name of a table; print the JSON request for that table. */
static int
call_request_for_table(struct call *c, enum op_type type, const char *word)
{
	if (access(word, F_OK) == 0 || word[strcspn(word, "./@")] != '\0' ||
	    strcmp(word, "-") == 0 || !call_request_has_member(c, type, "TableName")) {
		return 0;
	}
	struct buf request = {.arena = &c->arena};
	struct buf line = {.arena = &c->arena};
	buf_str(&request, "{\"TableName\":");
	json_put_string(&request, slice_from(word));
	buf_char(&request, '}');
	shell_text(&line, buf_view(&request));
	return call_fail(c, ERR_USAGE,
			 "there is no file %s; the request is JSON: itemctl call %s %.*s", word,
			 op_name(type), SLICE_ARG(buf_view(&line)));
}

/* Return true if {} is a valid request of the operation, or if the operation is unknown. */
static bool
call_request_is_optional(enum op_type type)
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
 * Return true if the request is to be read from standard input although no word says so.  If {} is a valid request,
 * only a regular file is read, and only from its beginning: a pipe may stay open, and the lines of a script are no
 * request.
 */
static bool
call_request_is_redirected(const struct ctl *ctl, enum op_type type)
{
	struct stat st;

	if (ctl->fill != NULL || isatty(STDIN_FILENO)) {
		return false;
	}
	return !call_request_is_optional(type) ||
	       (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
		lseek(STDIN_FILENO, 0, SEEK_CUR) == 0);
}

/* Read the JSON of @word: JSON itself, or the name of a file with it: FILE, @FILE, file://FILE, - */
static int
call_request_json(struct call *c, enum op_type type, const char *word, struct slice *out)
{
	const char *file = word + (word[0] == '@');
	struct slice text = slice_from(word);

	if (slice_starts(text, SLICE("file://"))) {
		file += strlen("file://");
	} else if (word[strspn(word, " \t\r\n")] == '{' || word[0] == '\0') {
		*out = text;
		return 0;
	}
	int r = call_request_for_table(c, type, word);

	return r < 0 ? r : ctl_read_text(c, file, out);
}

/*
 * Fail because of an unknown member; add the typed line with the right name.
 * @path: from codec_unknown(): "KeySchema[0].AttributeNam: did you mean AttributeName?"
 */
static int
call_request_no_member(struct call *c, enum op_type type, struct slice path)
{
	static const char means[] = ": did you mean ";
	const char *at = memmem(path.at, path.len, means, strlen(means));
	struct near near =
		near_start(at == NULL ? path : slice_of(path.at, (size_t)(at - path.at)));
	const char *dot = slice_rchr(near.typed, '.');
	struct buf b = {.arena = &c->arena};

	buf_slice(&b, near.typed);
	if (at != NULL) {
		near.best =
			slice_of(at + strlen(means), path.len - near.typed.len - strlen(means) - 1);
		near.typed = dot == NULL
				     ? near.typed
				     : slice_skip(near.typed, (size_t)(dot + 1 - near.typed.at));
		typed_line_near(&b, &near, "");
	}
	return call_fail(c, ERR_USAGE, "%s has no member %.*s", op_name(type),
			 SLICE_ARG(buf_view(&b)));
}

/*
 * Check the members of the request.  The service uses one of two members with the same name and ignores unknown
 * members; here the former is an error, and the latter are noted.
 * @refuses: fail on an unknown member that is similar to a known one, as "aws" does
 * @out:     the parsed request; NULL if it is not JSON
 */
static int
call_request_check(const struct ctl *ctl, struct call *c, enum op_type type, bool refuses,
		   struct slice text, const struct json **out)
{
	const struct json *json = NULL;

	*out = NULL;
	if (json_parse(c, text, JSON_LAST_WINS, &json) < 0) {
		c->error = (struct error){0}; /* reported when the request is decoded */
		return 0;
	}
	int r = json_parse(c, text, JSON_STRICT, out);

	struct buf path = {.arena = &c->arena};
	if (r == 0 && type != OP_COUNT && codec_unknown(type, *out, &path)) {
		if (refuses && memmem(path.at, path.len, ": did you mean ", 15) != NULL) {
			return call_request_no_member(c, type, buf_view(&path));
		}
		ctl_note(ctl, "itemctl knows no member of %s called %.*s", op_name(type),
			 SLICE_ARG(buf_view(&path)));
	}
	return r;
}

/* Add a random ClientToken if the request has none or null: ImportTable requires it, and SDKs add one as well. */
static int
call_request_fill_token(struct call *c, const struct json *json, struct slice *text)
{
	const struct json *given = json_get(json, "ClientToken");
	struct buf b = {.arena = &c->arena};
	struct buf token = {.arena = &c->arena};
	struct json_writer w;

	if (json->type != JSON_OBJECT || (given != NULL && given->type != JSON_NULL)) {
		return 0;
	}
	if (!token_put(&token)) {
		return call_fail(c, ERR_IO, "cannot get random bytes: %m");
	}
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_name(&w, "ClientToken");
	json_string(&w, buf_view(&token));
	json_each (member, json) {
		if (member != given) {
			json_name_slice(&w, member->name);
			json_value(&w, member);
		}
	}
	json_close(&w);
	*text = buf_view(&b);
	return 0;
}

int
call_request_read(const struct ctl *ctl, struct call *c, const struct words *words, bool refuses,
		  struct slice *json)
{
	assert(words->n > 0);
	enum op_type type = synonyms_operation(words->at[0]);
	const struct json *parsed = NULL;
	const char *word = words->n > 1                            ? words->at[1]
			   : call_request_is_redirected(ctl, type) ? "-"
								   : "{}";

	int r = call_request_json(c, type, word, json);

	if (r == 0 && words->n < 2 && ascii_trim(*json).len == 0) {
		*json = SLICE("{}");
	}
	r = r < 0 ? r : call_request_check(ctl, c, type, refuses, *json, &parsed);
	return r < 0 || type != OP_IMPORT_TABLE || parsed == NULL
		       ? r
		       : call_request_fill_token(c, parsed, json);
}

/* ------------------------------------------------------------ sending it */

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
