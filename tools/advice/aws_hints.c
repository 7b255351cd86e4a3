/* aws_hints - see aws_hints.h */
#include "tools/advice/aws_hints.h"

#include <limits.h>

#include "store/base/text/json.h"
#include "store/mend/mend.h"
#include "store/model/item_json.h"
#include "store/op/op.h"

#include "tools/advice/hints.h"
#include "tools/advice/suggest.h"
#include "tools/cli/aws_options.h"
#include "tools/cli/synonyms.h"
#include "tools/system/call_scope.h"
#include "tools/text/fmt.h"
#include "tools/text/rewrite_json.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Set the option of a member in the typed line to its value. */
static void
aws_hints_option(struct call *own, const struct mend_member *member)
{
	const struct json *json = member->json;
	struct slice name = aws_options_of(own, member->name);
	struct buf b = {.arena = &own->arena};

	if (json == NULL) {
		typed_line_set(name, NULL, INT_MAX);
		return;
	}
	if (json->type == JSON_TRUE || json->type == JSON_FALSE) {
		typed_line_set(name, NULL, INT_MAX);
		name = fmt_slice(&own->arena, "%s%.*s", json->type == JSON_TRUE ? "" : "no-",
				 SLICE_ARG(name));
	} else if (json->child == NULL) {
		buf_slice(&b, json->text);
	} else {
		struct json_writer w;

		json_writer_init(&w, &b, 0);
		json_value(&w, json);
	}
	typed_line_set(name, slice_cstr(&own->arena, buf_view(&b)), INT_MAX);
}

/* The word of the typed line that names the operation; NULL: there is none, as in the shell of itemctl. */
static const char *
aws_hints_operation(enum op_type type)
{
	const char *word;

	for (int i = 1; (word = typed_line_word(i)) != NULL; i++) {
		if (synonyms_operation(word) == type) {
			return word;
		}
	}
	return NULL;
}

/* Append the reason and the typed line with the changed members, or with the whole request if that was one word. */
static void
aws_hints_line(const struct ctl *ctl, struct call *own, const struct mend *m, enum op_type was,
	       struct buf *out)
{
	const char *operation = aws_hints_operation(was);
	struct buf json = {.arena = &own->arena};
	struct buf line = {.arena = &own->arena};

	mend_json(m, &json);
	if (operation != NULL && !typed_line_has(ctl->words.at[1])) {
		for (size_t i = 0; i < m->n; i++) {
			if (m->member[i].changed) {
				aws_hints_option(own, &m->member[i]);
			}
		}
		if (was != m->type) {
			(void)typed_line_change(operation,
						aws_options_of(own, slice_from(op_name(m->type))));
		}
		(void)typed_line_with(&line, SLICE(""), SLICE(""));
	} else if (was == m->type) {
		(void)typed_line_with(&line, slice_from(ctl->words.at[1]), buf_view(&json));
	}
	buf_slice(out, buf_view(&m->why));
	buf_str(out, m->why.len > 0 && line.len > 0 ? ": " : "");
	buf_slice(out, buf_view(&line));
}

/* The fault of a text that is not JSON. */
static const char *
aws_hints_fault(struct slice text, const char *message)
{
	if (slice_chr(text, '"') == NULL && slice_chr(text, '\'') == NULL) {
		return "the shell removed the quotes; put JSON in '...'";
	}
	return slice_chr(text, '"') == NULL ? "use double quotes around names and strings"
	       : memmem(text.at, text.len, "/*", 2) != NULL ||
			       memmem(text.at, text.len, "//", 2) != NULL
		       ? "JSON has no comments"
	       : strstr(message, "ends too early") != NULL ? "close the brackets"
	       : strstr(message, "found \"}\"") != NULL || strstr(message, "found \"]\"") != NULL
		       ? "remove the comma after the last member"
		       : "as JSON";
}

void
aws_hints_json(struct call *c, enum op_type type, struct slice member, struct slice text)
{
	call_scope(own, c->now_ms);
	struct mend m = {.c = &own, .type = type, .message = ""};
	const struct json *request = NULL;
	struct buf json = {.arena = &own.arena};
	struct buf line = {.arena = &own.arena};

	buf_fmt(&json, "{\"%.*s\":", SLICE_ARG(member));
	bool good = aws_hints_operation(type) != NULL && rewrite_json(text, &json);

	buf_char(&json, '}');
	if (!good || json_parse(&own, buf_view(&json), JSON_LAST_WINS, &request) != 0) {
		return;
	}
	(void)mend_request(&m, request);
	aws_hints_option(&own, &m.member[0]);
	buf_fmt(&line, "%s: ", aws_hints_fault(text, c->error.message));
	if (typed_line_with(&line, SLICE(""), SLICE(""))) {
		suggest_line(c, buf_view(&line));
	}
}

bool
aws_hints_broken(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	assert(ctl->words.n >= 2);
	struct slice text = slice_from(ctl->words.at[1]);
	cleanup(buf_release) struct buf json = {0};
	cleanup(buf_release) struct buf line = {0};

	if (!rewrite_json(text, &json) || !typed_line_with(&line, text, buf_view(&json))) {
		return false;
	}
	buf_fmt(out, "%s: %.*s", aws_hints_fault(text, c->error.message),
		SLICE_ARG(buf_view(&line)));
	return true;
}

/* Suggest itemctl sql for statements that the service does not support. */
static void
aws_hints_statement(const struct json *statement, const char *message, struct buf *out)
{
	if (statement == NULL) {
		return;
	}
	if (strstr(message, "in ORDER BY clause") != NULL) {
		fmt_shell(out, "itemctl sorts the items itself: itemctl sql %", statement->text);
	} else if (slice_starts(statement->text, SLICE("EXPLAIN ")) ||
		   slice_starts(statement->text, SLICE("explain "))) {
		fmt_shell(out, "to see how it is read: itemctl sql %", statement->text);
	}
}

bool
aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	const struct json *request = NULL;
	size_t before = out->len;

	if (ctl->words.n < 2 || ctl->words.at[1][0] != '{') {
		return false;
	}
	call_scope(own, c->now_ms);
	enum op_type type = synonyms_operation(ctl->words.at[0]);
	struct mend m = {
		.engine = ctl->engine, .c = &own, .type = type, .message = c->error.message};

	if (json_parse(&own, slice_from(ctl->words.at[1]), JSON_LAST_WINS, &request) < 0) {
		(void)aws_hints_broken(ctl, c, out);
	} else if (mend_request(&m, request)) {
		if (mend_changes(&m)) {
			aws_hints_line(ctl, &own, &m, type, out);
		} else {
			buf_slice(out, buf_view(&m.why));
		}
	} else if (type == OP_EXECUTE_STATEMENT) {
		aws_hints_statement(json_get(request, "Statement"), c->error.message, out);
	}
	return out->len > before;
}

/* ------------------------------------------------------------ items that do not fit the key of the table */

/* Return true for an answer, a request or a line of an export: a member with one of their names is a list or map. */
static bool
lacking_is_envelope(const struct item *it, struct slice table)
{
	static const char names[] =
		"Items Item Responses RequestItems PutRequest DeleteRequest Keys NewImage";

	for (size_t i = 0; i < it->n; i++) {
		enum value_type type = it->at[i].value.type;
		struct slice name = it->at[i].name;

		if ((slice_eq(name, table) || words_in(names, name)) &&
		    (type == VALUE_L || type == VALUE_M)) {
			return true;
		}
	}
	return false;
}

bool
lacking_put(const struct ctl *ctl, struct call *own, struct slice table, const char *member,
	    const char *message, const struct item *it, struct slice typed, struct buf *out)
{
	struct mend m = {.c = own, .engine = ctl->engine, .type = OP_PUT_ITEM, .message = message};
	const struct json *json = NULL;
	struct item fixed;
	struct buf text = {.arena = &own->arena};
	struct buf plain = {.arena = &own->arena};

	buf_str(&text, "{\"TableName\":");
	json_put_string(&text, table);
	buf_fmt(&text, ",\"%s\":", member);
	item_put_json(&text, it, ITEM_TYPED);
	buf_char(&text, '}');
	if (json_parse(own, buf_view(&text), JSON_LAST_WINS, &json) < 0 ||
	    !mend_request(&m, json) || !m.member[1].changed ||
	    item_from_json(own, m.member[1].json, &fixed) < 0) {
		return false;
	}
	buf_slice(out, buf_view(&m.why));
	item_put_json(&plain, &fixed, ITEM_PLAIN);
	return (!slice_is(typed, "-") &&
		typed_line_said(out, out->len > 0 ? ": " : "", typed, buf_view(&plain))) ||
	       out->len > 0;
}

void
lacking_say(struct ctl *ctl, struct call *c, struct slice table, const struct item *it)
{
	bool lacks = strstr(c->error.message, "Missing the key") != NULL;

	if (c->error.code != ERR_VALIDATION || ctl->fill != NULL ||
	    (!lacks && strstr(c->error.message, "Type mismatch for ") == NULL)) {
		return;
	}
	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};

	if (lacks && lacking_is_envelope(it, table)) {
		hints_import(&b, table);
	} else {
		/* With several items, or standard input, the typed line does not have the item alone. */
		const char *typed = ctl->words.n == 2 ? ctl->words.at[1] : "-";

		(void)lacking_put(ctl, &own, table, "Item", c->error.message, it, slice_from(typed),
				  &b);
	}
	if (b.len > 0) {
		suggest_line(c, buf_view(&b));
	}
}
