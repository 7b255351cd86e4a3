/* exprs - see exprs.h */
#include "tools/session/exprs.h"

#include <ctype.h>

#include "store/base/core/escape.h"
#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/expr/inline.h"
#include "store/model/item_json.h"

#include "tools/session/unquoted.h"

enum {
	WINDOW_MIN = 20,              /* columns: with fewer the whole line is shown */
	SHOWN_BESIDE = 2 + 3 + 3 + 1, /* "  " and "..." and "...", and the caret after the end */
	LINE_SHOWN = 400, /* bytes: without a terminal, a longer line is shown in part */
};

/* Parse the JSON object of @option. */
static int
parse_object(struct call *c, const char *option, const char *example, const char *text,
	     const struct json **out)
{
	if (json_parse(c, slice_from(text), JSON_STRICT, out) < 0) {
		return call_prefix(c, "--%s: ", option);
	}
	if ((*out)->type != JSON_OBJECT) {
		return call_fail(c, ERR_USAGE, "--%s needs an object: %s", option, example);
	}
	return 0;
}

/* "#a=Name,#b=Other" as JSON */
static const char *
names_json(struct call *c, struct slice text)
{
	struct buf b = {.arena = &c->arena};

	for (const char *before = "{"; text.len > 0; before = ",") {
		struct slice name = slice_take(&text, ',');
		struct slice alias = slice_take(&name, '=');

		buf_str(&b, before);
		json_put_string(&b, ascii_trim(alias));
		buf_char(&b, ':');
		json_put_string(&b, ascii_trim(name));
	}
	buf_char(&b, '}');
	return slice_cstr(&c->arena, buf_view(&b));
}

static int
parse_names(struct call *c, struct exprs *e, const char *text)
{
	struct placeholders *ph = &e->request.ph;
	const struct json *json = NULL;

	if (text[0] == '#' && strchr(text, '=') != NULL) {
		text = names_json(c, slice_from(text));
	}
	int r = parse_object(c, "names", "{\"#n\":\"name\"}", text, &json);
	if (r < 0) {
		return r;
	}
	struct name_alias *names = arena_new(&c->arena, struct name_alias, json->n + 1);
	size_t n = 0;

	json_each (member, json) {
		if (member->type != JSON_STRING) {
			return call_fail(c, ERR_USAGE, "--names: the value of %.*s is not a name",
					 SLICE_ARG(member->name));
		}
		names[n++] = (struct name_alias){.alias = member->name, .name = member->text};
	}
	ph->names = names;
	ph->n_names = n;
	ph->names_given = true;
	e->request.own_names = n;
	return 0;
}

static int
parse_values(struct call *c, struct exprs *e, const char *text)
{
	struct placeholders *ph = &e->request.ph;
	const struct json *json = NULL;

	int r = parse_object(c, "values", "{\":v\":value}", text, &json);
	if (r < 0) {
		return r;
	}
	struct attr *values = arena_new(&c->arena, struct attr, json->n + 1);
	size_t n = 0;

	json_each (member, json) {
		values[n].name = member->name;
		r = value_from_json(c, member, &values[n++].value);
		if (r < 0) {
			return r;
		}
	}
	ph->values = (struct item){.at = values, .n = n};
	ph->values_given = true;
	e->request.own_values = n;
	return 0;
}

int
exprs_placeholders(struct call *c, struct exprs *e, const char *names, const char *values)
{
	int r = names == NULL ? 0 : parse_names(c, e, names);

	return r < 0 || values == NULL ? r : parse_values(c, e, values);
}

/* Return true if @text contains the placeholder @name, not only as the beginning of a longer one. */
static bool
exprs_mentions(struct slice text, struct slice name)
{
	while (text.len >= name.len && name.len > 0) {
		const char *at = memmem(text.at, text.len, name.at, name.len);

		if (at == NULL) {
			return false;
		}
		text = slice_skip(text, (size_t)(at - text.at) + name.len);
		if (text.len == 0 || !(isalnum((unsigned char)text.at[0]) || text.at[0] == '_')) {
			return true;
		}
	}
	return false;
}

void
exprs_keep(struct call *c, struct exprs *e, struct slice a, struct slice b)
{
	assert(e->n == 0);
	struct placeholders *ph = &e->request.ph;
	struct name_alias *names = arena_new(&c->arena, struct name_alias, ph->n_names + 1);
	struct attr *values = arena_new(&c->arena, struct attr, ph->values.n + 1);
	size_t n_names = 0;
	size_t n_values = 0;

	for (size_t i = 0; i < ph->n_names; i++) {
		if (exprs_mentions(a, ph->names[i].alias) ||
		    exprs_mentions(b, ph->names[i].alias)) {
			names[n_names++] = ph->names[i];
		}
	}
	for (size_t i = 0; i < ph->values.n; i++) {
		if (exprs_mentions(a, ph->values.at[i].name) ||
		    exprs_mentions(b, ph->values.at[i].name)) {
			values[n_values++] = ph->values.at[i];
		}
	}
	*ph = (struct placeholders){
		.names = names,
		.n_names = n_names,
		.values = {.at = values, .n = n_values},
		.names_given = n_names > 0,
		.values_given = n_values > 0,
	};
	e->request.own_names = n_names;
	e->request.own_values = n_values;
}

/* The first unquoted date in an update ("2024-01-01", "2024-05"): a subtraction; empty: none */
static struct slice
exprs_date(struct slice expression)
{
	char quote = '\0';

	for (size_t i = 0; i < expression.len; i++) {
		char ch = expression.at[i];

		if (quote != '\0' || bare_value_is_quote(ch)) {
			quote = quote == '\0' ? ch : ch == quote ? '\0' : quote;
			continue;
		}
		struct slice word = bare_value_word(expression, i);

		if (word.len == 0) {
			continue;
		}
		if (word.len > 6 && ascii_digits_end(word, 0) == 4 && word.at[4] == '-' &&
		    ascii_digits_end(word, 5) == 7 && (word.len == 7 || word.at[7] == '-')) {
			return word;
		}
		i += word.len - 1;
	}
	return (struct slice){0};
}

int
exprs_add(struct call *c, struct exprs *e, const char *field, struct slice user, struct slice *text)
{
	*text = slice_of(NULL, 0);
	if (user.at == NULL) {
		return 0;
	}
	if (ascii_trim(user).len == 0) { /* an unset variable must not mean "no condition" */
		return call_fail(c, ERR_USAGE, "Invalid %s: The expression can not be empty;",
				 field);
	}
	assert(e->n < EXPRS_MAX);
	struct exprs_typed *typed = &e->typed[e->n++];

	*typed = (struct exprs_typed){.field = field, .user = user};
	if (strcmp(field, "UpdateExpression") == 0) {
		struct slice date = exprs_date(user);

		if (date.len > 0) {
			return call_fail(c, ERR_USAGE, "%.*s would be a subtraction",
					 SLICE_ARG(date));
		}
	}
	int r = inline_expression(c, &e->request, user, &typed->sent);
	if (r < 0) {
		typed->sent.text.at = NULL;
		return r;
	}
	*text = typed->sent.text;
	return 0;
}

void
exprs_value(struct call *c, struct exprs *e, const char *alias, const struct value *v)
{
	assert(alias[0] == ':');
	inline_value(c, &e->request, slice_from(alias), v);
}

void
exprs_name(struct call *c, struct exprs *e, const char *alias, struct slice name)
{
	assert(alias[0] == '#');
	inline_name(c, &e->request, slice_from(alias), name);
}

/* The expression that the error is about, or NULL. */
static const struct exprs_typed *
at_fault(const struct exprs *e, const struct error *error)
{
	if (e->n > 0 && e->typed[e->n - 1].sent.text.at == NULL) {
		return &e->typed[e->n - 1]; /* it could not be rewritten */
	}
	for (size_t i = 0; i < e->n; i++) {
		if (strstr(error->message, e->typed[i].field) != NULL) {
			return &e->typed[i];
		}
	}
	return e->n == 1 ? &e->typed[0] : NULL;
}

/* The physical line of @s around @at. */
static struct slice
line_around(struct slice s, size_t at)
{
	const char *before = slice_rchr(slice_of(s.at, at), '\n');
	struct slice rest = before == NULL ? s : slice_skip(s, (size_t)(before + 1 - s.at));

	return slice_take(&rest, '\n');
}

/* @s without its first @n characters. */
static struct slice
without(struct slice s, size_t n)
{
	size_t at = 0;

	while (at < s.len && (n > 0 || !utf8_begins(s.at[at]))) {
		n -= utf8_begins(s.at[at++]);
	}
	return slice_skip(s, at);
}

/* The part of a line around @place that fits into @columns. */
static struct slice
window(struct slice line, size_t place, size_t columns)
{
	assert(place <= line.len);
	size_t n = utf8_characters(line);
	size_t at = utf8_characters(slice_of(line.at, place));

	if (columns < WINDOW_MIN || n + SHOWN_BESIDE <= columns) {
		return line;
	}
	size_t shown = columns - SHOWN_BESIDE;
	size_t from = at > shown / 2 ? at - shown / 2 : 0;
	struct slice begun = without(line, from + shown > n ? n - shown : from);

	return slice_of(begun.at, begun.len - without(begun, shown).len);
}

static void
exprs_show_line(struct slice line, size_t place, size_t columns, struct buf *out)
{
	struct slice shown = window(line, place, columns);
	size_t before = (size_t)(shown.at - line.at);

	buf_str(out, before > 0 ? "  ..." : "  ");
	escape_lines(out, shown, false);
	buf_str(out, before + shown.len < line.len ? "...\n" : "\n");
	buf_str(out, before > 0 ? "     " : "  ");
	cleanup(buf_release) struct buf ahead = {0};

	escape_lines(&ahead, slice_of(shown.at, place - before), false);
	for (size_t i = 0; i < ahead.len; i++) {
		if (ahead.at[i] == '\t') {
			buf_char(out, '\t');
		} else if (utf8_begins(ahead.at[i])) { /* one blank for each character, not byte */
			buf_char(out, ' ');
		}
	}
	buf_str(out, "^\n");
}

void
exprs_say(const struct exprs *e, const char *message, struct buf *out)
{
	struct slice typed[EXPRS_MAX];

	if (e == NULL) {
		buf_str(out, message);
		return;
	}
	for (size_t i = 0; i < e->n; i++) {
		typed[i] = e->typed[i].user;
	}
	inline_say(&e->request, typed, e->n, message, out);
}

/* The text between @name, which ends with a quote, and the closing quote in a message; may be empty. */
static struct slice
exprs_quoted(const char *message, const char *name)
{
	const char *from = strstr(message, name);
	const char *end = from == NULL ? NULL : strstr(from += strlen(name), "\", near: \"");

	if (from == NULL) {
		return slice_of(NULL, 0);
	}
	if (end == NULL) {
		end = memrchr(from, '"', strcspn(from, "\n")); /* later lines are help */
	}
	return end == NULL ? slice_of(NULL, 0) : slice_of(from, (size_t)(end - from));
}

/*
 * Find the place of an error in the message of a server: token: "=", near: "= = 1".  The text after near: begins with
 * the token before the one at fault.  Return: 1 + offset in the text that was sent; 0: unknown
 */
static size_t
place_near(const struct exprs_typed *typed, const char *message)
{
	struct slice text = typed->sent.text;
	struct slice token = exprs_quoted(message, "token: \"");
	struct slice near = exprs_quoted(message, "near: \"");
	const char *at = near.len == 0 || text.len == 0
				 ? NULL
				 : memmem(text.at, text.len, near.at, near.len);

	if (at == NULL || token.len == 0) {
		return 0;
	}
	const char *in = memmem(at + 1, near.len - 1, token.at, token.len);

	return (size_t)((in == NULL ? at : in) - text.at) + 1;
}

void
exprs_show(const struct exprs *e, const struct error *error, size_t columns, struct buf *out)
{
	const struct exprs_typed *typed = at_fault(e, error);
	size_t place = error->place;

	if (place == 0 && typed != NULL) {
		place = place_near(typed, error->message);
	}
	if (typed == NULL || place == 0) {
		return;
	}
	size_t at = place - 1;

	if (typed->sent.text.at != NULL) {
		if (at > typed->sent.text.len) {
			return;
		}
		at = typed->sent.offset[at];
	}
	if (at > typed->user.len) {
		return;
	}
	struct slice line = line_around(typed->user, at);

	/* Without a terminal, do not repeat a long text either. */
	if (columns == 0 && line.len > LINE_SHOWN) {
		columns = LINE_SHOWN;
	}
	exprs_show_line(line, (size_t)(typed->user.at + at - line.at), columns, out);
}
