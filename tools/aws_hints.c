/* aws_hints - see aws_hints.h */
#include "tools/aws_hints.h"

#include "store/base/ascii.h"
#include "store/base/shell_word.h"
#include "store/expr/expr.h"

#include "tools/typed_line.h"
#include "tools/words.h"

/* A request, and the call for what is made of it. */
struct aws_hints {
	const struct ctl *ctl;
	struct call *own;
	const struct json *request;
};

/* ------------------------------------------------------------ reserved words */

/* Of the grammar, which are reserved, too. */
#define AWS_HINTS_KEYWORDS "AND OR NOT IN BETWEEN SET ADD REMOVE DELETE"

/* @text with #NAME for each reserved NAME, which @names gets as members. */
static void
aws_hints_alias(struct slice text, struct buf *fixed, struct buf *names)
{
	for (size_t at = 0; at < text.len;) {
		size_t from = at;

		while (at < text.len && ascii_word(text.at[at])) {
			at++;
		}
		if (at == from) {
			buf_char(fixed, text.at[at++]);
			continue;
		}
		struct slice word = slice_of(text.at + from, at - from);
		struct buf member = {0};
		bool free = from == 0 || strchr("#:", text.at[from - 1]) == NULL;

		if (free && (at == text.len || text.at[at] != '(') && expr_reserved(word) &&
		    !words_in_any_case(AWS_HINTS_KEYWORDS, word)) {
			buf_char(fixed, '#');
			buf_fmt(&member, "\"#%.*s\":\"%.*s\"", SLICE_ARG(word), SLICE_ARG(word));
		}
		buf_slice(fixed, word);
		if (member.len > 0 && (names->len == 0 || memmem(names->at, names->len, member.at,
								 member.len) == NULL)) {
			buf_fmt(names, "%s%.*s", names->len == 0 ? "" : ",",
				SLICE_ARG(buf_view(&member)));
		}
		buf_release(&member);
	}
}

/* The name that stands for @word in an expression of the request. */
static struct slice
aws_hints_named(const struct aws_hints *h, struct slice word)
{
	const struct json *name =
		word.at[0] != '#'
			? NULL
			: json_get_slice(json_get(h->request, "ExpressionAttributeNames"), word);

	return name == NULL ? word : name->text;
}

/* Is @name compared in the key condition? */
static bool
aws_hints_compares(const struct aws_hints *h, struct slice condition, struct slice name)
{
	for (size_t at = 0; at < condition.len;) {
		size_t from = at;

		at += condition.at[at] == '#';
		while (at < condition.len && ascii_word(condition.at[at])) {
			at++;
		}
		if (at > from &&
		    slice_eq(aws_hints_named(h, slice_of(condition.at + from, at - from)), name)) {
			return true;
		}
		at += at == from;
	}
	return false;
}

/* The index whose partition key the condition names, of a query that names none; empty: the table's own, or none. */
static struct slice
aws_hints_index(const struct aws_hints *h)
{
	const struct json *condition = json_get(h->request, "KeyConditionExpression");
	const struct json *table = json_get(h->request, "TableName");
	struct describe_table_out out = {0};

	if (condition == NULL || table == NULL || json_get(h->request, "IndexName") != NULL) {
		return SLICE("");
	}
	struct describe_table_in in = {.table = table->text};

	if (engine_describe_table(h->ctl->engine, h->own, &in, &out) < 0) {
		return SLICE("");
	}
	const struct schema *s = out.table.schema;

	if (s == NULL || aws_hints_compares(h, condition->text, s->key.pk->name)) {
		return SLICE("");
	}
	for (size_t i = 0; i < s->n_index; i++) {
		if (aws_hints_compares(h, condition->text, schema_key(s, &s->index[i])->pk->name)) {
			return s->index[i].name;
		}
	}
	return SLICE("");
}

static void
aws_hints_put_index(const struct aws_hints *h, struct buf *out)
{
	struct slice index = aws_hints_index(h);

	if (index.len > 0) {
		buf_str(out, " --index-name ");
		shell_word(out, index);
	}
}

/* The line with aliases in its only expression that needs them; else, or if it has names already, what is to change. */
static void
aws_hints_reserved(const struct aws_hints *h, struct slice word, struct buf *out)
{
	struct buf names = {0};
	size_t found = 0;
	size_t begin = out->len;
	bool said = json_get(h->request, "ExpressionAttributeNames") == NULL;

	json_each (member, h->request) {
		struct buf fixed = {0};
		size_t before = names.len;

		if (member->type == JSON_STRING && slice_ends(member->name, SLICE("Expression"))) {
			aws_hints_alias(member->text, &fixed, &names);
		}
		if (names.len > before) {
			found++;
			said = said && found == 1 &&
			       typed_line_with(out, member->text, buf_view(&fixed));
		}
		buf_release(&fixed);
	}
	said = said && found == 1;
	if (said) {
		buf_fmt(out, " --expression-attribute-names '{%.*s}'", SLICE_ARG(buf_view(&names)));
		aws_hints_put_index(h, out);
	} else {
		out->len = begin;
		buf_fmt(out,
			"write #%.*s for %.*s, and add to --expression-attribute-names: "
			"\"#%.*s\":\"%.*s\"",
			SLICE_ARG(word), SLICE_ARG(word), SLICE_ARG(word), SLICE_ARG(word));
	}
	buf_release(&names);
}

/* ------------------------------------------------------------ others */

/* An attribute of a key, of the table or an index, that --attribute-definitions lacks; empty: none. */
static struct slice
aws_hints_undefined(const struct json *json, const struct json *definitions)
{
	struct slice found = {0};

	json_each (child, json) {
		bool defined = !slice_is(child->name, "AttributeName");

		json_each (row, defined ? NULL : definitions) {
			const struct json *name = json_get(row, "AttributeName");

			defined = defined || (name != NULL && slice_eq(name->text, child->text));
		}
		found = !defined ? child->text : aws_hints_undefined(child, definitions);
		if (found.len > 0) {
			return found;
		}
	}
	return found;
}

static bool
aws_hints_create(const struct aws_hints *h, const char *message, struct buf *out)
{
	const struct json *definitions = json_get(h->request, "AttributeDefinitions");
	struct slice name = aws_hints_undefined(h->request, definitions);

	if (definitions == NULL) {
		return false;
	}
	if (name.len > 0) {
		buf_fmt(out,
			"%.*s is in a key: add to --attribute-definitions: "
			"AttributeName=%.*s,AttributeType=S (or N, or B)",
			SLICE_ARG(name), SLICE_ARG(name));
		return true;
	}
	return strstr(message, "when BillingMode is PROVISIONED") != NULL &&
	       json_get(h->request, "BillingMode") == NULL &&
	       typed_line_insert(out, SLICE("--"), SLICE("--billing-mode PAY_PER_REQUEST"));
}

static bool
aws_hints_any(const struct aws_hints *h, const char *message, struct buf *out)
{
	static const char reserved[] = "reserved keyword: ";
	const char *word = strstr(message, reserved);

	if (word != NULL) {
		aws_hints_reserved(h, slice_from(word + sizeof(reserved) - 1), out);
		return true;
	}
	if (strstr(message, "missed key schema element") != NULL) {
		return aws_hints_index(h).len > 0 && typed_line_with(out, SLICE(""), SLICE("")) &&
		       (aws_hints_put_index(h, out), true);
	}
	return aws_hints_create(h, message, out);
}

bool
aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out)
{
	struct buf b = {0};
	struct call own;
	struct aws_hints h = {.ctl = ctl, .own = &own};

	if (c->error.code != ERR_VALIDATION || ctl->words.n < 2 || ctl->engine == NULL ||
	    typed_line_with(&b, slice_from(ctl->words.at[1]), SLICE(""))) { /* call, with JSON */
		buf_release(&b);
		return false;
	}
	call_open(&own, c->now_ms, CTL_BUDGET);
	bool found =
		json_parse(&own, slice_from(ctl->words.at[1]), JSON_LAST_WINS, &h.request) == 0 &&
		aws_hints_any(&h, c->error.message, out);

	call_close(&own);
	return found;
}
