/* update_mend - corrections of update expressions, see update_words.h: JSON patches, +=, ++, quoted numbers, lists */
#include "store/base/text/json.h"
#include "store/partiql/partiql_lex.h"

#include "tools/advice/update_words.h"
#include "tools/session/unquoted.h"
#include "tools/system/call_scope.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

bool
update_mend_json(struct call *own, struct slice text, struct buf *out)
{
	const struct json *json = NULL;

	if (json_parse(own, text, JSON_STRICT, &json) < 0 || json->type != JSON_OBJECT) {
		return false;
	}
	const struct json *set = json_get(json, "$set");

	json = set != NULL && json->n == 1 ? set : json;
	buf_str(out, "SET ");
	json_each (member, json) {
		if (member->type >= JSON_ARRAY || !words_plain(member->name) ||
		    ascii_digit(member->name.at[0])) {
			return false;
		}
		buf_fmt(out, "%s%.*s = ", member == json->child ? "" : ", ",
			SLICE_ARG(member->name));
		if (member->type == JSON_STRING) {
			json_put_string(out, member->text);
		} else {
			struct json_writer w;

			json_writer_init(&w, out, 0);
			json_value(&w, member);
		}
	}
	return json->n > 0;
}

/* Append "SET n += 5" as "SET n = n + 5".  Return: false: this is not the only change */
static bool
update_mend_adds(struct slice text, struct buf *out)
{
	for (size_t at = 1; at + 1 < text.len; at++) {
		char sign = text.at[at];
		size_t end = at;

		if ((sign != '+' && sign != '-') || text.at[at + 1] != '=') {
			continue;
		}
		while (end > 0 && text.at[end - 1] == ' ') {
			end--;
		}
		size_t from = end;

		while (from > 0 && (ascii_word(text.at[from - 1]) || text.at[from - 1] == '.')) {
			from--;
		}
		struct slice rest = ascii_trim(slice_skip(text, at + 2));
		struct slice name = slice_of(text.at + from, end - from);

		if (name.len == 0 || rest.len == 0 || ascii_same(name, SLICE("SET"))) {
			return false;
		}
		buf_str(out, from == 0 ? "SET " : "");
		buf_put(out, text.at, end);
		buf_fmt(out, " = %.*s %c %.*s", SLICE_ARG(name), sign, SLICE_ARG(rest));
		return strpbrk(slice_cstr(out->arena, rest), "+-=,'\"") == NULL;
	}
	return false;
}

/* Append 'SET n = n + "5"' without the quotes around the number.  Return: false: there is no such number */
static bool
update_mend_number(struct slice text, struct buf *out)
{
	for (size_t at = 0; at + 3 < text.len; at++) {
		size_t from = at + 1, fault;

		while (from < text.len && text.at[from] == ' ') {
			from++;
		}
		if ((text.at[at] != '+' && text.at[at] != '-') || from + 2 >= text.len ||
		    (text.at[from] != '"' && text.at[from] != '\'')) {
			continue;
		}
		const char *close = memchr(text.at + from + 1, text.at[from], text.len - from - 1);
		size_t end = close == NULL ? from : (size_t)(close - text.at);
		struct slice number = slice_of(text.at + from + 1, end - from - (end > from));

		if (number.len > 0 && ascii_digit(number.at[0]) &&
		    json_fault(number, &fault) == NULL) {
			buf_put(out, text.at, from);
			buf_slice(out, number);
			buf_slice(out, slice_skip(text, end + 1));
			return true;
		}
	}
	return false;
}

/* The list that begins at *value, or a list with only this element; value->end becomes the end of the list. */
static struct slice
update_mend_list(const struct sql_text *t, struct lexeme *value)
{
	bool list = value->type == LEXEME_LEFT;

	value->end = list ? sql_text_close(t->text, *value) : value->end;
	return fmt_slice(&t->c->arena, list ? "%.*s" : "[%.*s]", (int)(value->end - value->start),
			 t->text.at + value->start);
}

/* Replace array_push(a, 'x') by list_append(a, ['x']).  Return: false: there is no such call at @at */
static bool
update_mend_call(struct sql_text *t, struct lexeme at)
{
	struct lexeme value = lex(t->text, at.end);

	if (value.type != LEXEME_OPEN ||
	    !sql_text_is(t->text, at, "list_append array_append list_push array_push")) {
		return false;
	}
	while (value.type != LEXEME_COMMA && value.type != LEXEME_END) {
		value = lex(t->text, value.end);
	}
	value = lex(t->text, value.end);
	if (value.type != LEXEME_LEFT && value.type != LEXEME_STRING &&
	    value.type != LEXEME_QUOTED && value.type != LEXEME_NUMBER) {
		return false;
	}
	struct slice list = update_mend_list(t, &value);

	sql_text_put(t, value.start, value.end, "%.*s", SLICE_ARG(list));
	sql_text_put(t, at.start, at.end, "list_append");
	return true;
}

/* Return true if the operator @at appends @value to a list.  For a number only "||" does: "+" and "+=" add. */
static bool
update_mend_joins(struct lexeme at, struct lexeme value, bool adds)
{
	bool concat = at.type == LEXEME_CONCAT;

	if (value.type == LEXEME_STRING || value.type == LEXEME_QUOTED) {
		return adds || concat;
	}
	return value.type == LEXEME_NUMBER
		       ? concat
		       : value.type == LEXEME_LEFT && (concat || at.type == LEXEME_PLUS);
}

/* Replace n++, a || 'x' or a += 'x'.  Return: false: there is no such operator at @at */
static bool
update_mend_operator(struct sql_text *t, struct lexeme at)
{
	struct lexeme next = lex(t->text, at.end);
	bool pair = at.type == LEXEME_PLUS && next.start == at.end;
	bool adds = pair && next.type == LEXEME_EQ;
	struct lexeme value = adds ? lex(t->text, next.end) : next;
	size_t path = sql_text_path(t->text, at.start);
	struct slice name = ascii_trim(slice_of(t->text.at + path, at.start - path));

	if (pair && next.type == LEXEME_PLUS) {
		sql_text_put(t, path, next.end, "%.*s = %.*s + 1", SLICE_ARG(name),
			     SLICE_ARG(name));
		return true;
	}
	if (name.len == 0 || !update_mend_joins(at, value, adds)) {
		return false;
	}
	struct slice list = update_mend_list(t, &value);

	sql_text_put(t, path, value.end, "%.*s%slist_append(%.*s, %.*s)", adds ? (int)name.len : 0,
		     name.at, adds ? " = " : "", SLICE_ARG(name), SLICE_ARG(list));
	return true;
}

void
update_words_lists(struct sql_text *t)
{
	struct lexeme at = sql_text_find(t->text, 0, "SET");

	while (at.type != LEXEME_END && !sql_text_is(t->text, at, "WHERE") &&
	       !update_mend_call(t, at) && !update_mend_operator(t, at)) {
		at = lex(t->text, at.end);
	}
}

/* Append the typed line with the whole expression, or the one of --set, corrected. */
static bool
update_mend_line(struct buf *out, struct slice expression, struct slice fixed)
{
	static const struct slice set = SLICE_INIT("SET ");
	size_t n = slice_starts(expression, set) && slice_starts(fixed, set) ? set.len : 0;

	return typed_line_with(out, expression, fixed) ||
	       (n > 0 && typed_line_with(out, slice_skip(expression, n), slice_skip(fixed, n)));
}

bool
update_words_meant(const struct call *c, struct slice expression, struct buf *out)
{
	size_t begin = out->len;
	call_scope(own, c->now_ms);
	struct buf fixed = {.arena = &own.arena};
	struct slice bare = slice_skip(expression, slice_starts(expression, SLICE("SET ")) ? 4 : 0);
	bool json = bare.len > 0 && bare.at[0] == '{';
	bool types = strstr(c->error.message, "yntax error") == NULL;
	bool clause = unquoted_has_clause(expression);
	struct slice set =
		fmt_slice(&own.arena, clause ? "%.*s" : "SET %.*s", SLICE_ARG(expression));
	struct sql_text lists = {&own, set};

	update_words_lists(&lists);
	bool listed = !json && !slice_eq(lists.text, set);

	if (listed) {
		buf_slice(&fixed, lists.text);
	}
	bool found = listed  ? true
		     : types ? update_mend_number(expression, &fixed)
		     : json  ? update_mend_json(&own, bare, &fixed)
			     : update_mend_adds(expression, &fixed);

	buf_str(out, listed  ? "did you mean: "
		     : types ? "write a number without quotes: "
		     : json  ? "write the update as an expression: "
			     : "n += 1 is written n = n + 1: ");
	found = found && update_mend_line(out, expression, buf_view(&fixed));
	out->len = found ? out->len : begin;
	return found;
}
