/* mend_expression - expressions: their syntax, functions, names and values */
#include "store/base/core/ascii.h"
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

enum {
	MEND_TEXTS = sizeof(mend_texts) / sizeof(mend_texts[0]),
	MEND_ROUNDS = 6, /* mistakes of one expression */
};

/* The word at *@at or behind it, with its "#" or ":", or one other sign; empty: the end. */
static struct slice
mend_word(struct slice text, size_t *at)
{
	while (*at < text.len && ascii_blank(text.at[*at])) {
		(*at)++;
	}
	size_t from = *at;
	bool alias = from < text.len && (text.at[from] == '#' || text.at[from] == ':');

	*at += alias;
	while (*at < text.len && ascii_word(text.at[*at])) {
		(*at)++;
	}
	*at += *at == from && from < text.len;
	return slice_of(text.at + from, *at - from);
}

/* @text with @by in the place of @word, a part of it. */
static struct slice
mend_with(struct mend *m, struct slice text, struct slice word, struct slice by)
{
	struct buf b;

	buf_init(&b, &m->c->arena);
	buf_put(&b, text.at, (size_t)(word.at - text.at));
	buf_slice(&b, by);
	buf_slice(&b, slice_skip(text, (size_t)(word.at - text.at) + word.len));
	return buf_view(&b);
}

static bool
mend_is_name(struct slice word)
{
	return word.len > 0 && (ascii_word(word.at[word.len - 1]) || word.at[0] == '#') &&
	       word.at[0] != ':' && !ascii_digit(word.at[0]);
}

/* ------------------------------------------------------------ values */

/* "{...}" of the placeholders @member with one more. */
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

/* A value that was typed in an expression: its placeholder. */
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

/* How long the literal at @at of @text is, where the word begins: a text in quotes, or a number by itself; 0: it is none. */
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

/* Texts in quotes, and numbers behind an operator, become values. */
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

/* ------------------------------------------------------------ syntax */

/* A candidate of what was meant, and the best one so far. */
struct mend_try {
	struct mend *m;
	enum expr_kind kind;
	struct slice best;
	size_t place; /* of its first fault; SIZE_MAX: it has none */
};

/* Where the syntax of @text is wrong; SIZE_MAX: nowhere, or it is not known. */
static size_t
mend_fault(struct mend *m, enum expr_kind kind, struct slice text)
{
	m->c->error = (struct error){0};
	if (kind == EXPR_PROJECTION || expr_syntax(m->c, kind, text) == 0) {
		return SIZE_MAX;
	}
	return m->c->error.place == 0 ? 0 : m->c->error.place - 1;
}

static void
mend_attempt(struct mend_try *t, struct slice text)
{
	size_t place = mend_fault(t->m, t->kind, text);

	if (place > t->place) {
		t->best = text;
		t->place = place;
	}
}

/* Other languages' signs and clauses, each where it stands first. */
static void
mend_try_foreign(struct mend_try *t, struct slice text)
{
	const struct mend_foreign *row = NULL;

	while ((row = mend_foreign_next(row)) != NULL) {
		struct slice from = slice_from(row->other);
		const char *at = row->kind > MEND_CLAUSE || text.len == 0
					 ? NULL
					 : memmem(text.at, text.len, from.at, from.len);

		if (at != NULL) {
			mend_attempt(t, mend_with(t->m, text, slice_of(at, from.len),
						  slice_from(row->ours)));
		}
	}
}

/* "a + :b" and "a += :b" for "a = a + :b"; @sign: the token that was refused. */
static void
mend_try_sum(struct mend_try *t, struct slice text, struct slice name, struct slice sign)
{
	struct buf b;

	if (sign.len != 1 || (sign.at[0] != '+' && sign.at[0] != '-') || !mend_is_name(name)) {
		return;
	}
	size_t rest = (size_t)(sign.at + 1 - text.at);
	bool twice = rest < text.len && text.at[rest] == sign.at[0];

	if (twice) {
		return; /* n++ */
	}
	rest += rest < text.len && text.at[rest] == '=';
	buf_init(&b, &t->m->c->arena);
	buf_put(&b, text.at, (size_t)(name.at - text.at));
	buf_fmt(&b, "%.*s = %.*s %c%.*s", SLICE_ARG(name), SLICE_ARG(name), sign.at[0],
		SLICE_ARG(slice_skip(text, rest)));
	mend_attempt(t, buf_view(&b));
}

static struct slice
mend_function(struct slice word, const char *functions)
{
	const char *ours = mend_foreign(word, MEND_FUNCTION);

	return ours != NULL && strstr(functions, ours) != NULL ? slice_from(ours)
							       : mend_nearest(word, functions);
}

/* "a contains :v", "m.a begins_with :v": the function before both. */
static void
mend_try_infix(struct mend_try *t, struct slice text, struct slice wrong)
{
	size_t begin = (size_t)(wrong.at - text.at);
	size_t at = begin + wrong.len;
	struct slice name = mend_function(wrong, "begins_with contains");
	struct slice value = mend_word(text, &at);
	struct buf b;

	if (wrong.len == 0 || name.len == 0 || value.len == 0 || value.at[0] != ':') {
		return;
	}
	struct slice left = ascii_trim(slice_of(text.at, begin));
	size_t n = left.len;

	while (n > 0 && (ascii_word(left.at[n - 1]) || strchr("#.[]", left.at[n - 1]) != NULL)) {
		n--;
	}
	buf_init(&b, &t->m->c->arena);
	buf_fmt(&b, "%.*s%.*s(%.*s, %.*s)%.*s", (int)n, text.at, SLICE_ARG(name),
		SLICE_ARG(slice_skip(left, n)), SLICE_ARG(value), SLICE_ARG(slice_skip(text, at)));
	mend_attempt(t, buf_view(&b));
}

/* What may be meant where the word @wrong was refused. */
static void
mend_try_at(struct mend_try *t, struct slice text, struct slice before, struct slice wrong,
	    const char *keywords)
{
	struct slice keyword = mend_is_name(wrong) ? mend_nearest(wrong, keywords) : SLICE("");
	struct buf b;

	buf_init(&b, &t->m->c->arena);
	if (keyword.len > 0 && !ascii_same(keyword, wrong)) {
		mend_attempt(t, mend_with(t->m, text, wrong, keyword));
	}
	mend_try_foreign(t, text);
	mend_try_infix(t, text, wrong);
	if (t->kind == EXPR_UPDATE) {
		mend_try_sum(t, text, before, wrong);
		if (ascii_same(wrong, SLICE("AND"))) {
			bool blank = wrong.at > text.at && ascii_blank(wrong.at[-1]);

			mend_attempt(t, mend_with(t->m, text,
						  slice_of(wrong.at - blank, wrong.len + blank),
						  SLICE(",")));
		}
		buf_fmt(&b, "SET %.*s", SLICE_ARG(text));
		mend_attempt(t, slice_copy(&t->m->c->arena, buf_view(&b)));
	}
	if ((t->kind == EXPR_UPDATE || t->kind == EXPR_PROJECTION) && mend_is_name(wrong) &&
	    before.len > 0 && before.at + before.len < wrong.at) {
		mend_attempt(t, mend_with(t->m, text,
					  slice_of(before.at + before.len,
						   (size_t)(wrong.at - before.at) - before.len),
					  SLICE(", ")));
	}
	if (slice_ends(text, SLICE(","))) {
		mend_attempt(t, ascii_trim(slice_of(text.at, text.len - 1)));
	}
	buf_clear(&b);
	buf_fmt(&b, "%.*s)", SLICE_ARG(text));
	mend_attempt(t, slice_copy(&t->m->c->arena, buf_view(&b)));
	if (wrong.len > 0 && (strchr(",)=", wrong.at[0]) != NULL || wrong.at[0] == ':' ||
			      (t->kind == EXPR_UPDATE && ascii_same(wrong, SLICE("SET"))))) {
		struct slice gone = wrong;

		for (; gone.at > text.at && ascii_blank(gone.at[-1]); gone.at--, gone.len++) {
		}
		mend_attempt(t, mend_with(t->m, text, gone, SLICE("")));
	}
}

/* Mistakes of syntax, one after the other. */
static struct slice
mend_syntax(struct mend *m, size_t which, struct slice text)
{
	enum expr_kind kind = mend_texts[which].kind;
	struct mend_try t = {.m = m, .kind = kind, .best = text};

	t.place = mend_fault(m, kind, text);
	for (int i = 0; i < MEND_ROUNDS && t.place != SIZE_MAX; i++) {
		struct slice last = t.best;
		struct slice before = {0};
		size_t fault = t.place < last.len ? t.place : last.len;
		size_t at = 0;
		struct slice wrong = mend_word(last, &at);

		while (wrong.len > 0 && (size_t)(wrong.at - last.at) + wrong.len <= fault) {
			before = wrong;
			wrong = mend_word(last, &at);
		}
		mend_try_at(&t, last, before, wrong, mend_texts[which].keywords);
		if (t.best.at == last.at && t.best.len == last.len) {
			return text; /* nothing that is known helps */
		}
	}
	return t.place == SIZE_MAX ? t.best : text;
}

/* ------------------------------------------------------------ functions */

/* Of the grammar, which are reserved, too. */
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

/* Is the placeholder or bare word @name in an expression? */
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

/* @from in all expressions becomes @to. */
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

/* The placeholder that no expression has and that is near to @name, or if @alone the only one; empty: none. */
static struct slice
mend_unused(const struct mend *m, const struct json *given, struct slice name, bool alone)
{
	struct near near = near_start(name);
	struct slice last = {0};
	size_t n = 0;

	json_each (child, given) {
		size_t end = 0;

		/* One that is no word, as ":v-", would never be found in an expression. */
		if (slice_eq(mend_word(child->name, &end), child->name) &&
		    !mend_used(m, child->name)) {
			near_try(&near, child->name);
			last = child->name;
			n++;
		}
	}
	return near.best.len == 0 && alone && n == 1 ? last : near.best;
}

/* What is given, with the sign that names begin with, and if it is @used. */
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

/* Is @name the only placeholder that is not given? */
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

/* What expressions have and is not given: under a near name, or only the user knows it. */
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

/* Reserved words become placeholders. */
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
				       : mend_syntax(m, i, mend_literals(m, text));
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
