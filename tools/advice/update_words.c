/* update_words - see update_words.h */
#include "tools/advice/update_words.h"

#include "store/base/core/ascii.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/partiql/partiql_lex.h"

#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Where an expression begins whose words stand apart: "SET a = 1", "a=1 b=2"; words->n: it is one word. */
static size_t
update_words_first(const struct words *words)
{
	size_t last = words->n - 1;
	size_t i = last;

	if (unquoted_has_clause(slice_from(words->at[last])) &&
	    strchr(words->at[last], ' ') != NULL) {
		return words->n;
	}
	for (size_t at = 1; at < last; at++) {
		if (unquoted_has_clause(slice_from(words->at[at])) &&
		    strchr(words->at[at], ' ') == NULL) {
			return at;
		}
	}
	while (i >= 2 && words->at[i][0] != '=' && strchr(words->at[i], '=') != NULL) {
		i--;
	}
	return i + 1 < last ? i + 1 : words->n;
}

/* TABLE PK SK NAME VALUE, as HSET has it? */
static bool
update_words_pair(const struct words *words)
{
	const char *name = words->n == 5 ? words->at[3] : "";
	size_t n = 0;

	while (ascii_word(name[n])) {
		n++;
	}
	return n > 0 && name[n] == '\0' && !unquoted_has_clause(slice_from(words->at[4]));
}

/* "city=Bern": append the assignment of a number, a literal or a text; false: an expression, as n=n+1 and a='b' */
static bool
update_words_plain(struct buf *out, const char *word)
{
	size_t n = 0, fault;

	while (ascii_word(word[n]) || (n > 0 && word[n] == '.')) {
		n++;
	}
	struct slice value = slice_from(word + n + (word[n] == '='));
	bool whole = n > 0 && word[n] == '=' && value.len > 0 && !ascii_digit(word[0]);
	bool json = whole && strchr("[{", value.at[0]) == NULL && json_fault(value, &fault) == NULL;
	bool own = whole && strncmp(value.at, word, n) == 0 && value.at[n] == '-';

	if (!whole ||
	    (!json && (own || strchr(" :#", value.at[0]) || slice_ends(value, SLICE(",")) ||
		       strpbrk(value.at, "+()[]{}'\"<>=")))) {
		return false;
	}
	buf_fmt(out, "%.*s = ", (int)n, word);
	if (json) {
		buf_slice(out, value);
	} else {
		json_put_string(out, value);
	}
	return true;
}

/* "SK=PROFILE" names a part of the key. */
static bool
update_words_is_key(struct ctl *ctl, struct call *c, const char *table, const char *word)
{
	const struct schema *schema = NULL;
	struct slice name = slice_of(word, strcspn(word, "="));
	bool is = false;

	call_scope(own, c->now_ms);
	if (ctl_schema(ctl, &own, slice_from(table), &schema) == 0) {
		for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
			is = is || slice_eq(key_slot(&schema->key, i)->name, name);
		}
	}
	return is && name.len > 0;
}

/* The members of '{"a":1}' or '{"$set":{"a":1}}' as SET; false: one has a name or a value that cannot stand there. */
static bool
update_words_json(struct call *own, struct slice text, struct buf *out)
{
	const struct json *json = NULL;

	if (json_parse(own, text, JSON_STRICT, &json) < 0 || json->type != JSON_OBJECT) {
		return false;
	}
	const struct json *set = json_get(json, "$set");

	json = set != NULL && json->n == 1 ? set : json;
	buf_str(out, "SET ");
	json_each (member, json) {
		for (size_t i = 0; i < member->name.len; i++) {
			if (!ascii_word(member->name.at[i])) {
				return false;
			}
		}
		if (member->type >= JSON_ARRAY || member->name.len == 0 ||
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

/* Likewise of a word that holds nothing else. A null is left out: as a patch it removes, here it would be a value. */
static bool
update_words_merge(const struct call *c, struct buf *out, const char *word)
{
	call_scope(own, c->now_ms);
	bool is = word[0] == '{' && update_words_json(&own, slice_from(word), out) &&
		  memmem(out->at, out->len, " = null", 7) == NULL;

	out->len = is ? out->len : 0;
	return is;
}

/* The last words, or --set, if they are such assignments: the expression with SET, and how many words are left. */
static bool
update_words_assign(struct ctl *ctl, struct call *c, struct buf *b, const struct words *given,
		    const char *const *clauses, size_t *first)
{
	size_t i = given->n;
	bool ok = true;

	static const struct slice set = SLICE_INIT("SET ");
	bool merges = update_words_merge(c, b, clauses[0] != NULL ? clauses[0] : given->at[i - 1]);

	buf_slice(b, merges ? SLICE("") : set);
	if (merges) {
		i -= clauses[0] == NULL;
	} else if (clauses[0] != NULL) {
		ok = update_words_plain(b, clauses[0]);
	} else {
		while (i > 1 && (i == given->n || i > 2) && strchr(given->at[i - 1], '=') != NULL &&
		       !update_words_is_key(ctl, c, given->at[0], given->at[i - 1])) {
			i--;
		}
	}
	for (size_t k = i; ok && !merges && k < given->n; k++) {
		buf_str(b, k == i ? "" : ", ");
		struct slice word = slice_from(given->at[k]);

		word.len -= k + 1 < given->n && slice_ends(word, SLICE(",")); /* a=1, b=2 */
		ok = update_words_plain(b, slice_cstr(&c->arena, word));
	}
	i -= i > 2 && i < given->n && strcasecmp(given->at[i - 1], "SET") == 0;
	ok = ok && b->len > set.len && !(clauses[1] || clauses[2] || clauses[3]);
	if (ok) {
		ctl_note(ctl, "read as: %.*s", SLICE_ARG(buf_view(b)));
	}
	b->len = ok ? b->len : 0;
	*first = ok ? i : given->n;
	return ok;
}

/* "--append a=x" is "a = list_append(a, ['x'])", of a list that may not be there yet. */
static void
update_words_append(struct buf *b, const char *clause)
{
	size_t n = strcspn(clause, "=");
	const char *value = clause[n] == '=' ? clause + n + 1 : "";
	size_t fault;

	buf_fmt(b, "%.*s = list_append(if_not_exists(%.*s, []), ", (int)n, clause, (int)n, clause);
	if (value[0] == '[') {
		buf_str(b, value);
	} else if (json_fault(slice_from(value), &fault) == NULL) {
		buf_fmt(b, "[%s]", value);
	} else {
		buf_char(b, '[');
		json_put_string(b, slice_from(value));
		buf_char(b, ']');
	}
	buf_char(b, ')');
}

/* "--add n=1" is "ADD n 1", and so is "--add n". */
static void
update_words_options(struct buf *b, const char *const clauses[UPDATE_CLAUSES])
{
	const char *set = clauses[0];
	const char *add = clauses[1];
	const char *append = clauses[UPDATE_CLAUSES - 1];

	if (set != NULL) {
		buf_fmt(b, "SET %s", set);
	}
	if (append != NULL) {
		buf_str(b, set == NULL ? "SET " : ", ");
		update_words_append(b, append);
	}
	if (add != NULL) {
		size_t n = strcspn(add, "= ");

		buf_fmt(b, "%sADD %.*s %s", b->len == 0 ? "" : " ", (int)n, add,
			add[n] == '\0' ? "1" : add + n + 1);
	}
	if (clauses[2] != NULL) {
		buf_fmt(b, "%sREMOVE %s", b->len == 0 ? "" : " ", clauses[2]);
	}
}

/* Is it right as it stands? Else the line that was meant. */
static int
update_words_check(const struct ctl *ctl, struct call *c, const struct words *words)
{
	struct slice text = slice_from(words->at[words->n - 1]);
	struct page page = {0};
	struct unquoted found;
	struct call own;
	struct buf line;
	int r = 0;

	call_open(&own, c->now_ms, CALL_BUDGET);
	bool known = !url_is_far(ctl->store) &&
		     absent_sample(ctl, &own, slice_from(words->at[0]), &page) == 0;

	if (unquoted_find(&own, "UpdateExpression", text, known ? &page : NULL, &found)) {
		buf_init(&line, &own.arena);
		for (size_t i = 0; i + 1 < words->n; i++) {
			buf_char(&line, ' ');
			shell_word(&line, slice_from(words->at[i]));
		}
		buf_char(&line, ' ');
		shell_text(&line, found.fixed);
		r = call_fail(
			c, ERR_USAGE,
			"the expression is one word, with texts in quotes: itemctl update%.*s",
			SLICE_ARG(buf_view(&line)));
	}
	call_close(&own);
	return r;
}

int
update_words_join(struct ctl *ctl, struct call *c, const char *const clauses[UPDATE_CLAUSES],
		  const struct words **words)
{
	const struct words *given = *words;
	struct words *own = arena_new(&c->arena, struct words, 1);
	size_t first = given->n;
	struct buf b;

	buf_init(&b, &c->arena);
	if (clauses[UPDATE_CLAUSES - 1] != NULL &&
	    strchr(clauses[UPDATE_CLAUSES - 1], '=') == NULL) {
		return call_fail(c, ERR_USAGE, "--append is written: --append %s=VALUE",
				 clauses[UPDATE_CLAUSES - 1]);
	}
	bool assigned = update_words_assign(ctl, c, &b, given, clauses, &first);

	if (!assigned) {
		update_words_options(&b, clauses);
	}
	if (b.len == 0) {
		first = update_words_first(given);
	}
	size_t n = assigned ? first : given->n;

	if (b.len == 0 && first == n && update_words_pair(given)) {
		buf_fmt(&b, "SET %s = %s", given->at[n - 2], given->at[n - 1]);
		first = n -= 2;
	} else if (b.len == 0 && first == n) {
		return 0;
	}
	bool clause = first < n && unquoted_has_clause(slice_from(given->at[first]));

	for (size_t i = first; i < n; i++) {
		buf_fmt(&b, "%s%s",
			i > first ? clause ? " " : ", "
			: clause  ? ""
				  : "SET ",
			given->at[i]);
	}
	for (size_t i = 0; i < first; i++) {
		words_add(c, own, given->at[i]);
	}
	words_add(c, own, slice_cstr(&c->arena, buf_view(&b)));
	*words = own;
	return assigned ? 0 : update_words_check(ctl, c, own);
}

void
update_words_key(const struct words *words, struct slice expression, const struct call *c,
		 struct buf *out)
{
	struct slice name = slice_from(strstr(c->error.message, "attribute ") + 10);
	struct bare literal = {0};
	struct buf key = {0};
	size_t at = 0;

	name.len = strcspn(name.at, ".");
	while (bare_literal(expression, &at, &literal) && !slice_eq(literal.name, name)) {
		literal.word.len = 0;
	}
	buf_str(out, "a key cannot be changed: put the item with another key, and delete this one");
	for (size_t i = 0; i + 1 < words->n; i++) {
		buf_char(&key, ' ');
		shell_word(&key, slice_from(words->at[i]));
	}
	if (literal.word.len > 0 && literal.word.at[0] != ':' && words->n > 2 &&
	    strcmp(words->at[1], "-") != 0) {
		struct slice value = literal.word;
		struct buf change = {0};

		if (value.at[0] == '\'' || value.at[0] == '"') {
			value = slice_of(value.at + 1, value.len - 2);
			buf_fmt(&change, ".\"%.*s\" = ", SLICE_ARG(name));
			json_put_string(&change, value);
		} else {
			buf_fmt(&change, ".\"%.*s\" = %.*s", SLICE_ARG(name), SLICE_ARG(value));
		}
		buf_fmt(out, ": itemctl get%.*s | jq -c ", SLICE_ARG(buf_view(&key)));
		shell_text(out, buf_view(&change));
		buf_fmt(out, " | itemctl put %s - && itemctl delete%.*s", words->at[0],
			SLICE_ARG(buf_view(&key)));
		buf_release(&change);
	}
	buf_release(&key);
}

/* "SET n += 5" as "SET n = n + 5", where it is the only one; else false */
static bool
update_words_adds(struct slice text, struct buf *out)
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

/* 'SET n = n + "5"' without the quotes around the number; else false */
static bool
update_words_number(struct slice text, struct buf *out)
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

/* What stands at *@value as a list: it is one, or its only element. *value ends where that does. */
static struct slice
update_words_list(const struct sql_text *t, struct lexeme *value)
{
	bool list = value->type == LEXEME_LEFT;

	value->end = list ? sql_text_close(t->text, *value) : value->end;
	return fmt_slice(&t->c->arena, list ? "%.*s" : "[%.*s]", (int)(value->end - value->start),
			 t->text.at + value->start);
}

/* array_push(a, 'x') as list_append(a, ['x']); false: it is none, or of something else */
static bool
update_words_call(struct sql_text *t, struct lexeme at)
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
	struct slice list = update_words_list(t, &value);

	sql_text_put(t, value.start, value.end, "%.*s", SLICE_ARG(list));
	sql_text_put(t, at.start, at.end, "list_append");
	return true;
}

/* Is @value what @at puts at the end of a list?  "+" alone adds numbers, and only "||" is no sum of them. */
static bool
update_words_joins(struct lexeme at, struct lexeme value, bool adds)
{
	bool concat = at.type == LEXEME_CONCAT;

	if (value.type == LEXEME_STRING || value.type == LEXEME_QUOTED) {
		return adds || concat;
	}
	return value.type == LEXEME_NUMBER
		       ? concat
		       : value.type == LEXEME_LEFT && (concat || at.type == LEXEME_PLUS);
}

/* n++, a || 'x', a += 'x'; false: it is none of these */
static bool
update_words_operator(struct sql_text *t, struct lexeme at)
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
	if (name.len == 0 || !update_words_joins(at, value, adds)) {
		return false;
	}
	struct slice list = update_words_list(t, &value);

	sql_text_put(t, path, value.end, "%.*s%slist_append(%.*s, %.*s)", adds ? (int)name.len : 0,
		     name.at, adds ? " = " : "", SLICE_ARG(name), SLICE_ARG(list));
	return true;
}

void
update_words_lists(struct sql_text *t)
{
	struct lexeme at = sql_text_find(t->text, 0, "SET");

	while (at.type != LEXEME_END && !sql_text_is(t->text, at, "WHERE") &&
	       !update_words_call(t, at) && !update_words_operator(t, at)) {
		at = lex(t->text, at.end);
	}
}

/* The typed line with the whole expression, or that of --set, put right. */
static bool
update_words_line(struct buf *out, struct slice expression, struct slice fixed)
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
	struct call own;
	struct buf fixed;

	call_open(&own, c->now_ms, CALL_BUDGET);
	buf_init(&fixed, &own.arena);
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
		     : types ? update_words_number(expression, &fixed)
		     : json  ? update_words_json(&own, bare, &fixed)
			     : update_words_adds(expression, &fixed);

	buf_str(out, listed  ? "did you mean: "
		     : types ? "a number has no quotes: "
		     : json  ? "an update is an expression: "
			     : "n += 1 is written n = n + 1: ");
	found = found && update_words_line(out, expression, buf_view(&fixed));
	out->len = found ? out->len : begin;
	call_close(&own);
	return found;
}
