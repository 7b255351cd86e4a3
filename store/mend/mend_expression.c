/* mend_expression - corrects literals, functions and placeholders of expressions */
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/expr/expr.h"
#include "store/mend/mend.h"
#include "store/mend/mend_int.h"

/* The expressions of a request. */
static const struct {
	const char *member;
	enum expr_kind kind;
	const char *keywords;
	const char *functions;
} mend_texts[] = {
	{"UpdateExpression", EXPR_UPDATE, "SET ADD REMOVE DELETE", "if_not_exists list_append"},
	{"ConditionExpression", EXPR_CONDITION, "AND OR NOT BETWEEN IN",
	 "attribute_exists attribute_not_exists attribute_type begins_with contains size"},
	{"FilterExpression", EXPR_FILTER, "AND OR NOT BETWEEN IN",
	 "attribute_exists attribute_not_exists attribute_type begins_with contains size"},
	{"KeyConditionExpression", EXPR_KEY_CONDITION, "AND BETWEEN", "begins_with"},
	{"ProjectionExpression", EXPR_PROJECTION, "", ""},
};

enum { MEND_TEXTS = sizeof(mend_texts) / sizeof(mend_texts[0]) };

/* ------------------------------------------------------------ values */

/* Adds the placeholder @name with the JSON text @raw to the object @member. */
static void
mend_add_placeholder(struct mend *m, const char *member, struct slice name, struct slice raw)
{
	const struct json *given = mend_get(m, member);
	struct json_writer w;
	struct buf b;

	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_each (child, given) {
		json_name_slice(&w, child->name);
		json_value(&w, child);
	}
	json_name_slice(&w, name);
	json_raw(&w, raw);
	json_close(&w);
	mend_set(m, slice_from(member), buf_view(&b));
}

/* Adds a placeholder for the literal @text, a number if @number, and returns its name. */
static struct slice
mend_literal(struct mend *m, struct slice text, bool number)
{
	struct buf name;
	struct buf raw;

	buf_init(&name, &m->c->arena);
	buf_init(&raw, &m->c->arena);
	buf_fmt(&raw, "{\"%c\":", number ? 'N' : 'S');
	json_put_string(&raw, text);
	buf_char(&raw, '}');
	for (unsigned i = 1; name.len == 0; i++) {
		buf_fmt(&name, ":v%u", i);
		if (json_get_slice(mend_get(m, "ExpressionAttributeValues"), buf_view(&name)) !=
		    NULL) {
			buf_clear(&name);
		}
	}
	mend_add_placeholder(m, "ExpressionAttributeValues", buf_view(&name), buf_view(&raw));
	return buf_view(&name);
}

/* The length of the literal at @at, which is a text in quotes or a number on its own; 0: there is none. */
static size_t
mend_literal_length(struct slice text, size_t at)
{
	char first = text.at[at];
	size_t end = at;

	if (first == '\'' || first == '"') {
		const char *quote = memchr(text.at + at + 1, first, text.len - at - 1);

		return quote == NULL ? 0 : (size_t)(quote + 1 - text.at) - at;
	}
	if (!ascii_digit(first) || at == 0 ||
	    (!ascii_blank(text.at[at - 1]) && strchr("=<>+-,(", text.at[at - 1]) == NULL)) {
		return 0;
	}
	while (end < text.len && (ascii_digit(text.at[end]) || text.at[end] == '.')) {
		end++;
	}
	return end < text.len && ascii_word(text.at[end]) ? 0 : end - at;
}

/* Replaces texts in quotes, and numbers after an operator, by placeholders. */
static struct slice
mend_literals(struct mend *m, struct slice text)
{
	for (size_t at = 0; at < text.len;) {
		struct slice word = mend_word(text, &at);
		size_t begin = (size_t)(word.at - text.at);
		size_t n = word.len == 0 ? 0 : mend_literal_length(text, begin);
		bool number = n > 0 && ascii_digit(word.at[0]);

		if (n > 0) {
			struct slice by = mend_literal(
				m, slice_of(word.at + !number, n - (number ? 0 : 2)), number);

			text = mend_with(m, text, slice_of(word.at, n), by);
			at = begin + by.len;
		}
	}
	return text;
}

/* ------------------------------------------------------------ functions */

/* Whether @word is a keyword of the grammar. Keywords are also reserved words. */
static bool
mend_keyword(struct slice word)
{
	static const char *const words[] = {"AND", "OR",  "NOT",    "IN",    "BETWEEN",
					    "SET", "ADD", "REMOVE", "DELETE"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ascii_same(word, slice_from(words[i]))) {
			return true;
		}
	}
	return false;
}

/* Corrects the names of functions. */
static struct slice
mend_calls(struct mend *m, size_t which, struct slice text)
{
	for (size_t at = 0; at < text.len;) {
		struct slice word = mend_word(text, &at);
		size_t next = at;
		struct slice paren = mend_word(text, &next);

		if (!mend_is_name(word) || word.at[0] == '#' || !slice_is(paren, "(") ||
		    mend_keyword(word)) {
			continue;
		}
		struct slice by = mend_function(word, mend_texts[which].functions);

		if (by.len > 0 && !slice_eq(by, word)) {
			size_t begin = (size_t)(word.at - text.at);

			text = mend_with(m, text, word, by);
			at = begin + by.len;
		}
	}
	return text;
}

/* ------------------------------------------------------------ placeholders */

/* Whether an expression uses the placeholder or bare word @name. */
static bool
mend_used(const struct mend *m, struct slice name)
{
	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		for (size_t at = 0; at < text.len;) {
			if (slice_eq(mend_word(text, &at), name)) {
				return true;
			}
		}
	}
	return false;
}

/* Replaces @from by @to in all expressions. */
static void
mend_rename(struct mend *m, struct slice from, struct slice to)
{
	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		for (size_t at = 0; at < text.len;) {
			struct slice word = mend_word(text, &at);
			size_t begin = (size_t)(word.at - text.at);

			if (slice_eq(word, from)) {
				text = mend_with(m, text, word, to);
				at = begin + to.len;
			}
		}
		if (text.len > 0) {
			mend_set_text(m, slice_from(mend_texts[i].member), text);
		}
	}
}

/*
 * The placeholder in @given that no expression uses and that is most similar to @name. If @alone, the only unused one
 * will do. Empty: none.
 */
static struct slice
mend_unused(const struct mend *m, const struct json *given, struct slice name, bool alone)
{
	struct near near = near_start(name);
	struct slice last = {0};
	size_t n = 0;

	json_each (child, given) {
		size_t end = 0;

		/* A name that is not a word, such as ":v-", is never found in an expression. */
		if (slice_eq(mend_word(child->name, &end), child->name) &&
		    !mend_used(m, child->name)) {
			near_try(&near, child->name);
			last = child->name;
			n++;
		}
	}
	return near.best.len == 0 && alone && n == 1 ? last : near.best;
}

/* Gives the placeholders of @member names that begin with @sign; if @used, removes those that no expression uses. */
static void
mend_given_placeholders(struct mend *m, const char *member, char sign, bool used)
{
	const struct json *given = mend_get(m, member);
	struct json_writer w;
	struct buf b;
	size_t n = 0;

	if (given == NULL || given->type != JSON_OBJECT) {
		return;
	}
	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_each (child, given) {
		struct buf name;

		buf_init(&name, &m->c->arena);
		if (child->name.len > 0 && child->name.at[0] != sign) {
			bool other = strchr("#:$@", child->name.at[0]) != NULL;

			buf_fmt(&name, "%c%.*s", sign, SLICE_ARG(slice_skip(child->name, other)));
			if (mend_used(m, child->name) && !mend_used(m, buf_view(&name))) {
				mend_rename(m, child->name, buf_view(&name));
			}
		} else {
			buf_slice(&name, child->name);
		}
		struct slice bare = slice_skip(buf_view(&name), name.len > 0);

		if (!mend_used(m, buf_view(&name)) && mend_used(m, bare)) {
			mend_rename(m, bare, buf_view(&name));
		}
		if (!used || mend_used(m, buf_view(&name))) {
			json_name_slice(&w, buf_view(&name));
			json_value(&w, child);
			n++;
		}
	}
	json_close(&w);
	mend_set(m, slice_from(member), n > 0 ? buf_view(&b) : (struct slice){0});
}

/* Whether @name is the only placeholder with its sign that is not given. */
static bool
mend_is_alone(const struct mend *m, const struct json *given, struct slice name)
{
	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		for (size_t at = 0; at < text.len;) {
			struct slice word = mend_word(text, &at);

			if (word.len > 1 && word.at[0] == name.at[0] && !slice_eq(word, name) &&
			    json_get_slice(given, word) == NULL) {
				return false;
			}
		}
	}
	return true;
}

/* Replaces placeholders that are not given by similar ones that are, or adds them with the value @raw. */
static void
mend_lacking(struct mend *m, const char *member, char sign, const char *raw)
{
	const struct json *before = mend_get(m, member);

	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		for (size_t at = 0; at < text.len;) {
			struct slice word = mend_word(text, &at);
			const struct json *given = mend_get(m, member);

			if (word.len < 2 || word.at[0] != sign ||
			    json_get_slice(given, word) != NULL) {
				continue;
			}
			struct slice near =
				mend_unused(m, given, word, mend_is_alone(m, before, word));

			if (near.len > 0) {
				mend_rename(m, word, near);
				text = mend_text(m, mend_texts[i].member);
				at = 0;
			} else {
				mend_add_placeholder(m, member, word, slice_from(raw));
			}
		}
	}
}

/* Replaces reserved words by placeholders. */
static void
mend_reserved(struct mend *m)
{
	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		for (size_t at = 0; at < text.len;) {
			struct slice word = mend_word(text, &at);
			size_t next = at;
			struct buf alias;
			struct buf raw;

			if (!mend_is_name(word) || word.at[0] == '#' || !expr_reserved(word) ||
			    mend_keyword(word) || slice_is(mend_word(text, &next), "(")) {
				continue;
			}
			buf_init(&alias, &m->c->arena);
			buf_init(&raw, &m->c->arena);
			buf_fmt(&alias, "#%.*s", SLICE_ARG(word));
			json_put_string(&raw, word);
			if (json_get_slice(mend_get(m, "ExpressionAttributeNames"),
					   buf_view(&alias)) == NULL) {
				mend_add_placeholder(m, "ExpressionAttributeNames",
						     buf_view(&alias), buf_view(&raw));
			}
			mend_why(m, "%.*s is a reserved word", SLICE_ARG(word));
			mend_rename(m, word, buf_view(&alias));
			text = mend_text(m, mend_texts[i].member);
			at = 0;
		}
	}
}

bool
mend_expressions(struct mend *m)
{
	bool read = true;

	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		if (text.len > 0) {
			text = mend_calls(m, i, text);
			text = mend_fault(m, mend_texts[i].kind, text) == SIZE_MAX
				       ? text
				       : mend_syntax(m, mend_texts[i].kind, mend_texts[i].keywords,
						     mend_literals(m, text));
			mend_set_text(m, slice_from(mend_texts[i].member), mend_calls(m, i, text));
		}
	}
	mend_reserved(m);
	for (int last = 0; last < 2; last++) {
		mend_given_placeholders(m, "ExpressionAttributeValues", ':', last);
		mend_given_placeholders(m, "ExpressionAttributeNames", '#', last);
		mend_lacking(m, "ExpressionAttributeValues", ':', "{\"S\":\"VALUE\"}");
		mend_lacking(m, "ExpressionAttributeNames", '#', "\"NAME\"");
	}
	for (size_t i = 0; i < MEND_TEXTS; i++) {
		struct slice text = mend_text(m, mend_texts[i].member);

		read = read &&
		       (text.len == 0 || mend_fault(m, mend_texts[i].kind, text) == SIZE_MAX);
	}
	return read;
}
