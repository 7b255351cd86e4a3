/* jmespath_text - lexical analysis of jmespath, see jmespath_int.h */
#include "store/base/text/json.h"

#include "tools/out/jmespath_int.h"

const struct json jmespath_null = {.type = JSON_NULL};
const struct json jmespath_false = {.type = JSON_FALSE};
const struct json jmespath_true = {.type = JSON_TRUE};

const struct json *
jmespath_value(struct jmespath *j, enum json_type type, struct slice text)
{
	struct json *json = arena_new(&j->c->arena, struct json, 1);

	*json = (struct json){.type = type, .text = text};
	return json;
}

const struct json *
jmespath_fail(struct jmespath *j, const char *fault)
{
	j->fault = j->fault == NULL && j->blind == 0 ? fault : j->fault;
	return &jmespath_null;
}

const struct json *
jmespath_wrong(struct jmespath *j, const char *fault)
{
	j->fault = j->fault == NULL ? fault : j->fault;
	return &jmespath_null;
}

void
jmespath_blanks(struct jmespath *j)
{
	while (j->at < j->text.len &&
	       (ascii_blank(j->text.at[j->at]) || j->text.at[j->at] == '\n')) {
		j->at++;
	}
}

bool
jmespath_at(struct jmespath *j, const char *token)
{
	jmespath_blanks(j);
	return slice_starts(slice_skip(j->text, j->at), slice_from(token));
}

bool
jmespath_take(struct jmespath *j, const char *token)
{
	bool there = jmespath_at(j, token);

	j->at += there ? strlen(token) : 0;
	return there;
}

void
jmespath_expect(struct jmespath *j, const char *token, const char *fault)
{
	if (!jmespath_take(j, token)) {
		(void)jmespath_wrong(j, fault);
	}
}

/* Take a quoted text at j->at, and return it without its quotes. Backslashes stay. */
static struct slice
jmespath_quoted(struct jmespath *j, char quote)
{
	assert(j->at < j->text.len && j->text.at[j->at] == quote);
	size_t begin = ++j->at;

	while (j->at < j->text.len && j->text.at[j->at] != quote) {
		j->at += j->text.at[j->at] == '\\' ? 2 : 1;
	}
	if (j->at >= j->text.len) {
		j->at = begin - 1;
		(void)jmespath_wrong(j, "a quote is not closed");
		return SLICE("");
	}
	return slice_of(j->text.at + begin, j->at++ - begin);
}

/* @text without the backslashes before @quote. */
static struct slice
jmespath_unquoted(struct jmespath *j, struct slice text, char quote)
{
	struct buf b = {.arena = &j->c->arena};

	for (size_t i = 0; i < text.len; i++) {
		i += text.at[i] == '\\' && i + 1 < text.len && text.at[i + 1] == quote;
		buf_char(&b, text.at[i]);
	}
	return buf_view(&b);
}

const struct json *
jmespath_literal(struct jmespath *j)
{
	struct slice text = jmespath_unquoted(j, jmespath_quoted(j, '`'), '`');
	const struct json *json = NULL;

	if (json_parse(j->c, text, JSON_LAST_WINS, &json) == 0) {
		return json;
	}
	j->c->error = (struct error){0};
	return jmespath_value(j, JSON_STRING, ascii_trim(text));
}

const struct json *
jmespath_raw(struct jmespath *j)
{
	struct slice text = jmespath_quoted(j, '\'');

	return jmespath_value(j, JSON_STRING, jmespath_unquoted(j, text, '\''));
}

struct slice
jmespath_name(struct jmespath *j)
{
	size_t begin;

	jmespath_blanks(j);
	begin = j->at;
	if (jmespath_at(j, "\"")) {
		const struct json *json = NULL;
		struct slice inside = jmespath_quoted(j, '"');

		if (j->fault == NULL && json_parse(j->c, slice_of(inside.at - 1, inside.len + 2),
						   JSON_STRICT, &json) == 0) {
			return json->text;
		}
		j->c->error = (struct error){0};
		(void)jmespath_wrong(j, "a name in quotes must be a JSON string");
		return SLICE("");
	}
	while (j->at < j->text.len && ascii_word(j->text.at[j->at]) &&
	       !(j->at == begin && ascii_digit(j->text.at[begin]))) {
		j->at++;
	}
	return slice_of(j->text.at + begin, j->at - begin);
}

bool
jmespath_whole(struct jmespath *j, long *out)
{
	char *end = NULL;
	const char *text = slice_cstr(&j->c->arena, slice_skip(j->text, j->at));

	*out = strtol(text, &end, 10);
	j->at += (size_t)(end - text);
	return end > text;
}
