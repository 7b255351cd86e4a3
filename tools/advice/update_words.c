/* update_words - see update_words.h */
#include "tools/advice/update_words.h"

#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/model/schema.h"

#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"

/* The index of the first word of an expression: "SET a = 1", "a=1 b=2"; words->n if the expression is one word. */
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

/* Return true for TABLE PK SK NAME VALUE, as in HSET of Redis. */
static bool
update_words_pair(const struct words *words)
{
	return words->n == 5 && words_plain(slice_from(words->at[3])) &&
	       !unquoted_has_clause(slice_from(words->at[4]));
}

/* "city=Bern": append the assignment of a literal or a text.  Return: false for expressions: n=n+1, a='b' */
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

/* Return true if the name in "SK=PROFILE" is an attribute of the table's key. */
static bool
update_words_is_key(struct ctl *ctl, struct call *c, const char *table, const char *word)
{
	const struct schema *schema = NULL;
	struct slice name = slice_of(word, strcspn(word, "="));

	call_scope(own, c->now_ms);
	return ctl_schema(ctl, &own, slice_from(table), &schema) == 0 &&
	       key_schema_has(&schema->key, name);
}

/* Convert a JSON patch in one word to SET.  Refuses null, which in a patch removes the attribute. */
static bool
update_words_merge(const struct call *c, struct buf *out, const char *word)
{
	call_scope(own, c->now_ms);
	bool is = word[0] == '{' && update_mend_json(&own, slice_from(word), out) &&
		  memmem(out->at, out->len, " = null", 7) == NULL;

	out->len = is ? out->len : 0;
	return is;
}

/* Make a SET expression of the last words, or of --set, if they are plain assignments; *first: number of other words */
static bool
update_words_assign(struct ctl *ctl, struct call *c, struct buf *b, const struct words *given,
		    const char *const *clauses, size_t *first)
{
	assert(given->n > 0);
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

/* Append "a = list_append(if_not_exists(a, []), ["x"])" for "--append a=x". */
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

/* Append the expression of the options; "--add n=1" and "--add n" become "ADD n 1". */
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

/* Fail with the corrected line if the expression has unquoted texts. */
static int
update_words_check(const struct ctl *ctl, struct call *c, const struct words *words)
{
	struct slice text = slice_from(words->at[words->n - 1]);
	struct page page = {0};
	struct unquoted found;
	call_scope(own, c->now_ms);
	struct buf line = {.arena = &own.arena};
	bool known = !url_is_far(ctl->store) &&
		     absent_sample(ctl, &own, slice_from(words->at[0]), &page) == 0;

	if (!unquoted_find(&own, "UpdateExpression", text, known ? &page : NULL, &found)) {
		return 0;
	}
	for (size_t i = 0; i + 1 < words->n; i++) {
		fmt_shell(&line, " %", slice_from(words->at[i]));
	}
	buf_char(&line, ' ');
	shell_text(&line, found.fixed);
	return call_fail(c, ERR_USAGE,
			 "give the expression as one word, with text in quotes: itemctl update%.*s",
			 SLICE_ARG(buf_view(&line)));
}

int
update_words_join(struct ctl *ctl, struct call *c, const char *const clauses[UPDATE_CLAUSES],
		  const struct words **words)
{
	const struct words *given = *words;
	struct words *own = arena_new(&c->arena, struct words, 1);
	size_t first = given->n;
	struct buf b = {.arena = &c->arena};

	if (clauses[UPDATE_CLAUSES - 1] != NULL &&
	    strchr(clauses[UPDATE_CLAUSES - 1], '=') == NULL) {
		return call_fail(c, ERR_USAGE,
				 "give --append an attribute and a value: --append %s=VALUE",
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
	cleanup(buf_release) struct buf key = {0};
	size_t at = 0;

	name.len = strcspn(name.at, ".");
	while (bare_literal(expression, &at, &literal) && !slice_eq(literal.name, name)) {
		literal.word.len = 0;
	}
	buf_str(out,
		"a key cannot be changed: put the item with another key, then delete this one");
	for (size_t i = 0; i + 1 < words->n; i++) {
		fmt_shell(&key, " %", slice_from(words->at[i]));
	}
	if (literal.word.len > 0 && literal.word.at[0] != ':' && words->n > 2 &&
	    strcmp(words->at[1], "-") != 0) {
		struct slice value = literal.word;
		cleanup(buf_release) struct buf change = {0};

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
	}
}
