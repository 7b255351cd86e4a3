/*
 * template_serverless - the variables of serverless.yml, see template_value.h: ${self:custom.x}, ${sls:stage}, ${opt:stage, 'dev'}
 *
 * Only the file is read.  A command-line option or environment variable has the default value after its comma.  Without
 * a default, the stage and the region are those of the provider, or else dev and us-east-1.  Any other variable is
 * replaced by the last part of its name, and is noted.
 */
#include "store/base/text/json.h"

#include "tools/model/template_value.h"

enum {
	SERVERLESS_DEPTH = 32,     /* nested variables */
	SERVERLESS_TEXT_MAX = 4096 /* bytes of a text after replacement */
};

bool
template_serverless_is_one(const struct json *json)
{
	const struct json *resources = json_get(json, "resources");

	return json_get(json, "service") != NULL && resources != NULL;
}

/* ------------------------------------------------------------ words */

/* Return the length of the variable at the start of @text, with its braces; 0: there is none. */
static size_t
serverless_length(struct slice text)
{
	size_t depth = 0;

	if (!slice_starts(text, SLICE("${"))) {
		return 0;
	}
	for (size_t i = 0; i < text.len; i++) {
		depth += text.at[i] == '{';
		depth -= text.at[i] == '}';
		if (text.at[i] == '}' && depth == 0) {
			return i + 1;
		}
	}
	return 0;
}

/* Return "self" of "self:custom.x"; empty: @word is no variable of serverless.yml. */
static struct slice
serverless_source(struct slice word)
{
	size_t n = 0;

	while (n < word.len && (ascii_word(word.at[n]) || word.at[n] == '-')) {
		n++;
	}
	if (n > 0 && n < word.len && word.at[n] == '(') { /* file(x.yml):key */
		const char *close = slice_chr(word, ')');

		n = close == NULL ? 0 : (size_t)(close - word.at) + 1;
	}
	bool named = n > 0 && n < word.len && word.at[n] == ':' &&
		     (n + 1 == word.len || word.at[n + 1] != ':');

	return named || (n > 0 && n == word.len && word.at[n - 1] == ')') ? slice_of(word.at, n)
									  : slice_of(word.at, 0);
}

/* Take the part of *@rest before the first comma that is not in braces, quotes or parentheses, and that comma. */
static struct slice
serverless_part(struct slice *rest)
{
	size_t depth = 0;
	char quote = '\0';
	size_t i = 0;

	for (; i < rest->len; i++) {
		char ch = rest->at[i];

		if (quote != '\0' || ch == '\'' || ch == '"') {
			quote = quote == '\0' ? ch : quote == ch ? '\0' : quote;
		} else if (ch == '{' || ch == '(') {
			depth++;
		} else if (ch == '}' || ch == ')') {
			depth -= depth > 0;
		} else if (ch == ',' && depth == 0) {
			break;
		}
	}
	struct slice part = ascii_trim(slice_of(rest->at, i));

	*rest = slice_skip(*rest, i < rest->len ? i + 1 : i);
	return part;
}

/* ------------------------------------------------------------ values */

static struct slice serverless_fill(const struct template_scope *s, struct slice text, int depth);

/* Return the value at a path such as "custom.tables.0.name", or NULL. */
static const struct json *
serverless_at(const struct json *json, struct slice path)
{
	while (json != NULL && path.len > 0) {
		const char *dot = slice_chr(path, '.');
		struct slice name =
			slice_of(path.at, dot == NULL ? path.len : (size_t)(dot - path.at));
		uint64_t n = 0;

		path = slice_skip(path, name.len + (dot != NULL));
		if (json->type == JSON_ARRAY && ascii_count(name, &n)) {
			for (json = json->child; json != NULL && n > 0; n--) {
				json = json->next;
			}
		} else {
			json = json->type == JSON_OBJECT ? json_get_slice(json, name) : NULL;
		}
	}
	return json;
}

static const char *
serverless_known(struct slice word)
{
	static const char *const known[][2] = {
		{"aws:region", "us-east-1"},
		{"opt:region", "us-east-1"},
		{"aws:accountId", "000000000000"},
		{"sls:stage", "dev"},
		{"opt:stage", "dev"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (slice_is(word, known[i][0])) {
			return known[i][1];
		}
	}
	return NULL;
}

/* Return the value of "self:custom.x", and for "sls:stage" and "aws:region" the member of "provider"; else NULL. */
static const struct json *
serverless_node(const struct template_scope *s, struct slice word)
{
	if (slice_starts(word, SLICE("self:"))) {
		return serverless_at(s->service, slice_skip(word, strlen("self:")));
	}
	if (slice_is(word, "sls:stage")) {
		return serverless_at(s->service, SLICE("provider.stage"));
	}
	return slice_is(word, "aws:region") ? serverless_at(s->service, SLICE("provider.region"))
					    : NULL;
}

/* Return the member of "provider" for "opt:stage" and "opt:region", which is used if there is no default; else NULL. */
static const struct json *
serverless_option(const struct template_scope *s, struct slice word)
{
	bool stage = slice_is(word, "opt:stage");

	return stage || slice_is(word, "opt:region")
		       ? serverless_at(s->service,
				       stage ? SLICE("provider.stage") : SLICE("provider.region"))
		       : NULL;
}

/* Evaluate one part of a variable to *@out.  Return: true if it has a value */
static bool
serverless_word(const struct template_scope *s, struct slice part, int depth, struct slice *out)
{
	bool quoted = part.len >= 2 && (part.at[0] == '\'' || part.at[0] == '"');
	struct slice word = quoted ? part : serverless_fill(s, part, depth + 1);
	const struct json *node = quoted ? NULL : serverless_node(s, word);

	*out = word;
	if (quoted) {
		*out = slice_of(part.at + 1, part.len - 2);
	} else if (node != NULL) {
		*out = serverless_fill(s, node->text, depth + 1);
		return node->type == JSON_STRING || node->type == JSON_NUMBER;
	}
	return quoted || serverless_source(word).len == 0;
}

/* Return the built-in value of a variable without a value, or the last part of its name, which is noted. */
static struct slice
serverless_name(const struct template_scope *s, struct slice whole, struct slice word, int depth)
{
	const struct json *option = serverless_option(s, word);
	const char *known = serverless_known(word);
	struct slice value =
		option == NULL ? SLICE("") : serverless_fill(s, option->text, depth + 1);
	size_t n = word.len;

	if (value.len > 0 || known != NULL) {
		return value.len > 0 ? value : slice_from(known);
	}
	while (n > 0 && word.at[n - 1] != '.' && word.at[n - 1] != ':') {
		n--;
	}
	if (s->unknown != NULL) {
		template_value_note(s->c, s->unknown, whole, slice_skip(word, n));
	}
	return slice_skip(word, n);
}

/* Return the value of the first part of a variable that has one. */
static struct slice
serverless_variable(const struct template_scope *s, struct slice whole, int depth)
{
	struct slice inside = slice_of(whole.at + 2, whole.len - 3);
	struct slice first = {0};
	bool some = false;

	while (inside.len > 0) {
		struct slice value;

		if (serverless_word(s, serverless_part(&inside), depth, &value)) {
			return value;
		}
		first = some ? first : value;
		some = true;
	}
	return serverless_name(s, whole, first, depth);
}

static struct slice
serverless_fill(const struct template_scope *s, struct slice text, int depth)
{
	if (depth > SERVERLESS_DEPTH || text.len == 0 || slice_chr(text, '$') == NULL) {
		return depth > SERVERLESS_DEPTH ? slice_of(text.at, 0) : text;
	}
	struct buf b = {.arena = &s->c->arena};
	for (size_t at = 0; at < text.len && b.len < SERVERLESS_TEXT_MAX;) {
		struct slice rest = slice_skip(text, at);
		size_t n = *s->fills > 0 ? serverless_length(rest) : 0;
		struct slice inside = n == 0 ? rest : slice_of(rest.at + 2, n - 3);

		if (n == 0 || serverless_source(inside).len == 0) {
			buf_char(&b, text.at[at++]);
			continue;
		}
		(*s->fills)--;
		struct slice value = serverless_variable(s, slice_of(rest.at, n), depth);

		buf_put(&b, value.at,
			value.len < SERVERLESS_TEXT_MAX ? value.len : SERVERLESS_TEXT_MAX);
		at += n;
	}
	return buf_view(&b);
}

struct slice
template_serverless_text(const struct template_scope *s, struct slice text)
{
	return s->fills == NULL ? text : serverless_fill(s, text, 0);
}

const struct json *
template_serverless_value(const struct template_scope *s, struct slice text)
{
	size_t n = s->service == NULL ? 0 : serverless_length(text);
	struct slice inside = n > 0 && n == text.len ? slice_of(text.at + 2, n - 3) : SLICE("");

	assert(s->service == NULL || s->fills != NULL);
	while (inside.len > 0) {
		struct slice word = serverless_fill(s, serverless_part(&inside), 0);
		const struct json *node = serverless_node(s, word);

		if (node != NULL && (node->type == JSON_OBJECT || node->type == JSON_ARRAY) &&
		    node->n < *s->fills) { /* limits the work: the node may refer to itself */
			*s->fills -= (unsigned)node->n + 1;
			return node;
		}
		if (node != NULL) {
			return NULL;
		}
	}
	return NULL;
}
