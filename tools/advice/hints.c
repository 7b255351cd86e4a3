/* hints - see hints.h */
#include "tools/advice/hints.h"

#include "store/base/core/timing.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/open.h"
#include "store/wire/client/aws_fetch.h"

#include "tools/advice/aws_hints.h"
#include "tools/advice/query_hints.h"
#include "tools/advice/update_words.h"
#include "tools/cli/commands.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/system/no_file.h"
#include "tools/system/servers.h"
#include "tools/text/fmt.h"
#include "tools/text/sort_words.h"
#include "tools/text/typed_line.h"

/* ------------------------------------------------------------ items */

/* The schema of a table; NULL: unknown. */
static const struct schema *
hints_schema(const struct ctl *ctl, struct call *own, struct slice table)
{
	const struct schema *schema = NULL;

	return ctl->engine != NULL && ctl_schema(ctl, own, table, &schema) == 0 ? schema : NULL;
}

static bool
hints_is_text(const struct key_schema *key, struct slice name)
{
	return key != NULL && ((slice_eq(key->pk[0].name, name) && key->pk[0].type == VALUE_S) ||
			       (slice_eq(key->sk[0].name, name) && key->sk[0].type == VALUE_S));
}

/* Append a member of an item: JSON values unchanged, except for key attributes of type S; other values as texts. */
static void
hints_member(struct buf *out, const struct key_schema *key, struct slice name, const char *value)
{
	size_t at;
	bool raw = json_fault(slice_from(value), &at) == NULL && !hints_is_text(key, name);

	buf_str(out, out->len == 0 ? "{" : ",");
	json_put_string(out, name);
	buf_char(out, ':');
	if (raw) {
		buf_str(out, value);
	} else {
		json_put_string(out, slice_from(value));
	}
}

bool
hints_item(const struct words *words, const struct key_schema *key, struct buf *out)
{
	const struct key_attr *keys[] = {key->pk, key->sk};
	size_t lead = 0;

	for (size_t i = 1; i < words->n; i++) {
		const char *word = words->at[i];
		size_t n = strcspn(word, "=");

		if (n > 0 && word[n] != '\0' && strcspn(word, "{}[]\"'") >= n) {
			hints_member(out, key, slice_of(word, n - (n > 1 && word[n - 1] == ':')),
				     word + n + 1); /* also n:=5 */
		} else if (word[0] != '{' && strcmp(word, "-") != 0 && lead == i - 1 && lead < 2 &&
			   keys[lead]->name.len > 0) {
			hints_member(out, key, keys[lead++]->name, word);
		} else {
			return false;
		}
	}
	buf_char(out, '}');
	return lead + 1 < words->n && (lead == 0 || lead == 1 + (keys[1]->name.len > 0));
}

/* put TABLE PK [SK] '{...}': suggest the item with the key in it. */
static bool
hints_key_apart(const struct words *words, const struct key_schema *key, struct buf *out)
{
	const char *item = words->at[words->n - 1];

	if (words->n < 3 || words->n > 4 || item[0] != '{' || words->at[1][0] == '{') {
		return false;
	}
	cleanup(buf_release) struct buf members = {0};

	hints_member(&members, key, key->pk[0].name, words->at[1]);
	if (words->n == 4) {
		hints_member(&members, key, key->sk[0].name, words->at[2]);
	}
	buf_fmt(out, "put the key into the item: itemctl put %s '%.*s%s%s'", words->at[0],
		SLICE_ARG(buf_view(&members)), item[1] == '}' ? "" : ",", item + 1);
	return true;
}

/* FILE, @FILE, file://FILE in place of an item: suggest import. */
static bool
hints_put_file(const struct words *words, struct buf *out)
{
	const char *file = words->at[1] + (words->at[1][0] == '@');

	file += slice_starts(slice_from(file), SLICE("file://")) ? strlen("file://") : 0;
	if (strpbrk(file, "{:=\" ") != NULL) {
		return false;
	}
	call_scope(own, 0);
	file = access(file, F_OK) == 0 ? file : no_file_meant(&own, file);
	if (file != NULL) {
		fmt_shell(out, "to import items from a file: itemctl import % %",
			  slice_from(words->at[0]), slice_from(file));
	}
	return file != NULL;
}

void
hints_import(struct buf *out, struct slice table)
{
	fmt_shell(out,
		  "to import answers and requests of the API, CSV, YAML or compressed files: "
		  "itemctl import %",
		  table);
}

static bool
hints_put(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const struct words *words = &ctl->words;

	if (words->n == 2 && strcmp(words->at[1], "-") == 0) {
		if (c->error.code != ERR_SERIALIZATION ||
		    !slice_starts(slice_from(c->error.message), SLICE("line 1: "))) {
			return false;
		}
		hints_import(out, slice_from(words->at[0]));
		return true;
	}
	if (words->n == 2 && words->at[1][0] == '[') {
		buf_str(out, "to import several items: printf %s ");
		shell_text(out, slice_from(words->at[1]));
		buf_fmt(out, " | itemctl import %s - --from json", words->at[0]);
		return true;
	}
	if (words->n < 2 || c->error.code != ERR_SERIALIZATION) {
		return false;
	}
	if (words->n == 2 && hints_put_file(words, out)) {
		return true;
	}
	call_scope(own, c->now_ms);
	const struct schema *schema = hints_schema(ctl, &own, slice_from(words->at[0]));

	if (schema != NULL && hints_key_apart(words, &schema->key, out)) {
		return true;
	}
	buf_clear(out);
	if (words->n == 2 && aws_hints_broken(ctl, c, out)) {
		return true;
	}
	buf_fmt(out,
		"use double quotes around names and strings, and single quotes around the item: "
		"itemctl put %s '{\"PK\":\"a\",\"n\":5}'",
		words->at[0]);
	return true;
}

/* ------------------------------------------------------------ other commands */

static bool
hints_update(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const struct words *words = &ctl->words;

	if (words->n < 3) {
		return false;
	}
	struct slice expression = slice_from(words->at[words->n - 1]);

	if (strstr(c->error.message, "Cannot update attribute ") != NULL &&
	    strstr(c->error.message, "part of the key") != NULL) {
		update_words_key(words, expression, c, out);
		return true;
	}
	if (strstr(c->error.message, "attribute that does not exist") != NULL) {
		buf_str(out, "if the attribute does not exist yet: SET n = if_not_exists(n, 0) + "
			     "1, or ADD n 1");
		return slice_chr(expression, '+') != NULL;
	}
	if ((strstr(c->error.message, "yntax error") != NULL ||
	     strstr(c->error.message, "Incorrect operand type") != NULL ||
	     strstr(c->error.message, "Invalid function name") != NULL) &&
	    update_words_meant(c, expression, out)) {
		return true;
	}
	if (unquoted_has_clause(expression)) {
		return false;
	}
	buf_str(out, "an update begins with SET, REMOVE, ADD or DELETE: SET a = 'x'");
	return strstr(c->error.message, "yntax error") != NULL;
}

/* A filter that is a condition on the sort key: suggest the options for it. */
static bool
hints_query(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	static const char refused[] = "Primary key attribute: ";
	const char *at = strstr(c->error.message, refused);
	const struct exprs *e = ctl->exprs;
	const struct index *ix;
	struct sort_words sort;
	cleanup(buf_release) struct buf by = {0};

	if (at == NULL || ctl->words.n != 2 || e == NULL) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct slice name = slice_from(at + sizeof(refused) - 1);
	const struct schema *schema = hints_schema(ctl, &own, slice_from(ctl->words.at[0]));

	if (schema == NULL || !slice_eq(schema->key.sk->name, name) ||
	    query_hints_key(schema, name, &ix)) {
		return false;
	}
	for (size_t i = 0; i < e->n; i++) {
		if (strcmp(e->typed[i].field, "FilterExpression") == 0 &&
		    sort_words_text(&own, name, e->typed[i].user, &sort)) {
			sort_words_put(&by, &sort);
			return typed_line_option(out, e->typed[i].user, buf_view(&by));
		}
	}
	return false;
}

/* Suggest any access key for servers on this machine: DynamoDB Local and similar servers require one. */
static bool
hints_key(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	bool local = ctl->store != NULL && store_is_remote(ctl->store) &&
		     (strstr(ctl->store, "//localhost") != NULL ||
		      strstr(ctl->store, "//127.0.0.1") != NULL);

	if (!local || strstr(c->error.message, "not signed:") == NULL) {
		return false;
	}
	buf_str(out, "a server on this machine accepts any key: export AWS_ACCESS_KEY_ID=local "
		     "AWS_SECRET_ACCESS_KEY=local");
	return true;
}

/* Return true if the server of an https:// URL answers HTTP.  The request has no key. */
static bool
hints_answers_http(const char *url)
{
	unsigned ms = timing_ms(TIMING_HINT);
	enum { ASK_BYTES = 1 << 20 };
	struct aws_fetched answer;
	cleanup(call_close) struct call c;

	call_open(&c, 0, ASK_BYTES);
	struct slice plain = fmt_slice(&c.arena, "http%s", url + strlen("https"));
	const struct aws_fetch f = {.method = "GET", .url = plain.at, .connect_ms = ms, .ms = ms};

	return aws_fetch(&c, &f, &answer) == 0;
}

/*
 * Suggest http:// if the server does not speak TLS.  An HTTP server answers TLS with an error message or closes the
 * connection, depending on its version and on the random bytes it gets.  The message of libcurl is that of OpenSSL or
 * GnuTLS, or its own, which differs between versions.
 */
static bool
hints_tls(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const char *message = c->error.message;

	if (ctl->store == NULL || strncmp(ctl->store, "https://", 8) != 0) {
		return false;
	}
	if (strstr(message, "wrong version number") == NULL &&
	    strstr(message, "unexpected TLS packet") == NULL &&
	    ((strstr(message, "SSL_connect") == NULL &&
	      strstr(message, "TLS connect error") == NULL) ||
	     !hints_answers_http(ctl->store))) {
		return false;
	}
	buf_fmt(out, "the server speaks HTTP: -s http://%s", ctl->store + 8);
	return true;
}

/* Suggest a value for an undefined placeholder. */
static bool
hints_placeholder(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const char *value = strstr(c->error.message, "not defined; attribute value: :");
	const char *name = strstr(c->error.message, "not defined; attribute name: #");

	if (ctl->exprs == NULL) {
		return false;
	}
	if (value != NULL) {
		value = strrchr(value, ':');
		buf_fmt(out,
			"write the value itself in place of %s, or add: --values '{\"%s\":VALUE}'",
			value, value);
	} else if (name != NULL) {
		name = strrchr(name, '#');
		buf_fmt(out,
			"write the name itself in place of %s, or add: --names '{\"%s\":\"NAME\"}'",
			name, name);
	} else if (strstr(c->error.message, "AttributeValues contains invalid key: Syntax") !=
		   NULL) {
		buf_str(out, "names in --values begin with a colon: {\":v\":5}");
		return true;
	} else if (strstr(c->error.message, "AttributeNames contains invalid key: Syntax") !=
		   NULL) {
		buf_str(out, "names in --names begin with #: {\"#n\":\"Name\"}");
		return true;
	}
	return value != NULL || name != NULL;
}

enum { HINTS_SERVERS = 8 }; /* servers that a message names */

/* Append the servers that run: for a single one the typed line with its URL. */
static void
hints_servers_running(const struct ctl *ctl, struct call *own, struct buf *out)
{
	struct server servers[SERVERS_MAX];
	size_t n = servers_find(servers);
	const char *url = n == 0 ? "" : servers_url(own, servers[0].port);

	if (n == 1) {
		buf_fmt(out, "; a server listens on port %u: ", servers[0].port);
		if (ctl->store_typed == NULL) {
			buf_fmt(out, "export ITEMFS_STORE=%s", url);
		} else if (!typed_line_with(out, slice_from(ctl->store_typed), slice_from(url))) {
			buf_fmt(out, "-s %s", url);
		}
		return;
	}
	for (size_t i = 0; i < n && i < HINTS_SERVERS; i++) {
		buf_fmt(out, "%s-s %s", i == 0 ? "; running servers: " : ", ",
			servers_url(own, servers[i].port));
	}
}

/* Return true if the answer is that of another kind of server, not that of a DynamoDB server with a failure. */
static bool
hints_is_other_server(const char *message)
{
	return strncmp(message, "HTTP status 3", 13) == 0 ||
	       strcmp(message, "HTTP status 400") == 0 || strcmp(message, "HTTP status 403") == 0 ||
	       strcmp(message, "HTTP status 405") == 0 || strcmp(message, "HTTP status 501") == 0 ||
	       strstr(message, ": HTTP status 404") != NULL ||
	       strstr(message, ": its answer cannot be read: ") != NULL;
}

/* After a refused connection, or an answer of another kind of server: suggest to start one, and running servers. */
static bool
hints_server(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const char *message = c->error.message;

	if (ctl->store == NULL || url_is_far(ctl->store) ||
	    strncmp(ctl->store, "http", strlen("http")) != 0) {
		return false;
	}
	bool refused = strstr(message, "connect to server") != NULL ||
		       strstr(message, "Failed to connect") != NULL;

	if (!refused && !hints_is_other_server(message)) {
		return false;
	}
	call_scope(own, c->now_ms);
	struct slice server = url_server(&own.arena, ctl->store);
	const char *port = slice_rchr(server, ':');

	buf_fmt(out, "%s; to start one: itemctl serve",
		refused ? "no server listens there"
			: "the server there does not seem to speak DynamoDB's protocol");
	if (refused && port != NULL) {
		buf_fmt(out, " --port %.*s", (int)(server.at + server.len - port - 1), port + 1);
	}
	hints_servers_running(ctl, &own, out);
	return true;
}

/* Suggestions for any command. */
static bool
hints_any(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	if (ctl->store != NULL &&
	    (strcmp(ctl->store, "dynamodb") == 0 || strcmp(ctl->store, "aws") == 0)) {
		buf_str(out, "name DynamoDB with its region: -s dynamodb:eu-west-1");
		return true;
	}
	return c->error.message != NULL &&
	       (hints_tls(ctl, c, out) || hints_server(ctl, c, out) || hints_key(ctl, c, out) ||
		hints_placeholder(ctl, c, out));
}

bool
hints_find(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const struct command *command = ctl->command;
	enum err code = c->error.code;

	if (command_is(command, COMMAND_PUT) &&
	    (code == ERR_SERIALIZATION || code == ERR_VALIDATION) && hints_put(ctl, c, out)) {
		return true;
	}
	if (command_is(command, COMMAND_QUERY) && code == ERR_VALIDATION &&
	    hints_query(ctl, c, out)) {
		return true;
	}
	if (command_is(command, COMMAND_CALL) && aws_hints_find(ctl, c, out)) {
		return true;
	}
	if (command_is(command, COMMAND_UPDATE) && code == ERR_VALIDATION &&
	    hints_update(ctl, c, out)) {
		return true;
	}
	if (command_is(command, COMMAND_EXPORT) && ctl->words.n == 1 &&
	    strpbrk(ctl->words.at[0], "./") != NULL) { /* "dump -f FILE", without a table */
		fmt_shell(out, "for the whole store: itemctl backup %",
			  slice_from(ctl->words.at[0]));
		return true;
	}
	if (command_is(command, COMMAND_IMPORT) &&
	    (code == ERR_VALIDATION || code == ERR_NO_TABLE || code == ERR_NO_SUCH_TABLE ||
	     code == ERR_USAGE)) {
		return import_hints_file(ctl, code, out);
	}
	return code != ERR_NONE && hints_any(ctl, c, out);
}
