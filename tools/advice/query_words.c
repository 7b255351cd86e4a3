/* query_words - see query_words.h */
#include "tools/advice/query_words.h"

#include <strings.h>

#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/model/schema.h"

#include "tools/advice/query_hints.h"
#include "tools/cli/synonyms.h"
#include "tools/session/absent.h"
#include "tools/text/fmt.h"
#include "tools/text/sort_words.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

struct slice
named_key_value(struct slice name, struct slice word)
{
	size_t at = name.len;

	if (word.len < at || !ascii_same(slice_of(word.at, at), name)) {
		return (struct slice){0};
	}
	while (at < word.len && word.at[at] == ' ') {
		at++;
	}
	if (at == word.len || word.at[at] != '=') {
		return (struct slice){0};
	}
	while (at < word.len && strchr("= '\"", word.at[at]) != NULL) {
		at++;
	}
	size_t end = at;

	while (end < word.len && word.at[end] != '\'' && word.at[end] != '"') {
		end++;
	}
	return slice_of(word.at + at, end - at);
}

const char *
named_key_hint(const char *command, struct call *c, struct slice table,
	       const struct key_schema *key, const struct slice *values, size_t n, const char *rest)
{
	assert(n <= 2);
	struct slice value[2] = {{0}};
	size_t named = 0, at = 0;

	for (size_t i = 0; i < n; i++) {
		value[i] = named_key_value((i == 0 ? key->pk : key->sk)->name, values[i]);
		at = value[i].len > 0 ? i : at;
		named += value[i].len > 0;
	}
	struct buf b = {.arena = &c->arena};
	buf_str(&b, "give keys without their names: ");
	if (named == 1 && typed_line_with(&b, values[at], value[at])) {
		return slice_cstr(&c->arena, buf_view(&b));
	}
	buf_fmt(&b, "itemctl %s ", command);
	shell_word(&b, table);
	for (size_t i = 0; i < n; i++) {
		fmt_shell(&b, " %", value[i].len > 0 ? value[i] : values[i]);
	}
	if (rest != NULL) {
		fmt_shell(&b, " %", slice_from(rest));
	}
	return named > 0 ? slice_cstr(&c->arena, buf_view(&b)) : NULL;
}

/* ------------------------------------------------------------ NAME=VALUE as a key */

/* The name in "NAME=VALUE", or empty. */
static struct slice
query_words_name(const char *word)
{
	struct slice name = ascii_trim(slice_of(word, strcspn(word, "=")));
	bool is = strchr(word, '=') != NULL && strspn(word, "0123456789") == 0 && words_plain(name);

	return is ? name : SLICE("");
}

/* Append the typed line with @by, which is text for a shell, in place of the word @word. */
static void
query_words_put_line(const struct query_hints *q, struct buf *b, const char *word, struct slice by)
{
	const struct words *words = q->words;

	if (typed_line_words(b, slice_from(word), by)) {
		return;
	}
	buf_str(b, "itemctl query");
	for (size_t i = 0; i < words->n; i++) {
		buf_char(b, ' ');
		if (words->at[i] == word) {
			buf_slice(b, by);
		} else {
			shell_word(b, slice_from(words->at[i]));
		}
	}
	query_hints_put_index(b, slice_from(q->index));
}

/* The offset of " AND " in @text outside quotes, or the length of @text. */
static size_t
query_words_and(struct slice text)
{
	char quote = '\0';

	for (size_t i = 0; i + 5 <= text.len; i++) {
		char ch = text.at[i];

		if (quote != '\0' || ch == '\'' || ch == '"') {
			quote = quote == '\0' ? ch : ch == quote ? '\0' : quote;
		} else if (strncasecmp(text.at + i, " AND ", 5) == 0) {
			return i;
		}
	}
	return text.len;
}

/* Add the words of query for a condition on the sort key. */
static void
query_words_add_sort(struct call *c, struct words *words, const struct sort_words *sort)
{
	if (strcmp(sort->option, "eq") != 0) {
		words_add(c, words, sort->option);
	}
	words_add(c, words, sort->a);
	if (sort->b != NULL) {
		words_add(c, words, sort->b);
	}
}

bool
query_words_put_key(const struct query_hints *q, struct call *c, struct buf *b, struct words *meant)
{
	const char *word = q->words->n < 2 ? "" : q->words->at[1];
	struct slice all = slice_from(word);
	size_t n = query_words_and(all);
	struct slice value = named_key_value(q->key->pk[0].name, ascii_trim(slice_of(word, n)));
	bool pair = n < all.len && key_part_n(q->key->sk) == 1;
	struct sort_words sort;
	struct buf by = {.arena = &c->arena};

	if (value.len == 0 || key_part_n(q->key->pk) != 1) {
		return false;
	}
	shell_word(&by, value);
	pair = pair && sort_words_text(c, q->key->sk->name, slice_skip(all, n + 5), &sort);
	if (pair) {
		buf_char(&by, ' ');
		sort_words_put(&by, &sort);
	}
	query_words_put_line(q, b, word, buf_view(&by));
	if (n < all.len && !pair) {
		buf_str(b, " --begins-with V (or --eq, --gt, --between A B ...)");
		return true;
	}
	words_add(c, meant, q->words->at[0]);
	words_add(c, meant, slice_cstr(&c->arena, value));
	if (pair) {
		query_words_add_sort(c, meant, &sort);
	}
	struct slice sk = q->words->n != 3 || key_part_n(q->key->sk) != 1
				  ? SLICE("")
				  : named_key_value(q->key->sk->name, slice_from(q->words->at[2]));

	if (sk.len > 0) { /* PK=a SK=b */
		buf_clear(b);
		query_hints_line(b, slice_from(q->words->at[0]),
				 schema_index(q->schema, slice_from(q->index)), value);
		fmt_shell(b, " %", sk);
		words_add(c, meant, slice_cstr(&c->arena, sk));
	} else if (q->words->n == 3) {
		words_add(c, meant, q->words->at[2]);
	}
	return true;
}

bool
query_words_put_sort(const struct query_hints *q, struct call *c, const char *word, struct buf *b,
		     struct words *meant)
{
	struct sort_words sort;
	struct buf by = {.arena = &c->arena};

	if (key_part_n(q->key->sk) != 1 ||
	    (!sort_words_text(c, q->key->sk->name, slice_from(word), &sort) &&
	     !sort_words_like(c, word, &sort))) {
		return false;
	}
	if (strcmp(sort.option, "eq") == 0) {
		shell_word(&by, slice_from(sort.a));
	} else {
		sort_words_put(&by, &sort);
	}
	query_words_put_line(q, b, word, buf_view(&by));
	words_add(c, meant, q->words->at[0]);
	words_add(c, meant, q->words->at[1]);
	query_words_add_sort(c, meant, &sort);
	return true;
}

bool
query_words_put_other(const struct query_hints *q, struct buf *b, const char *word, bool refused)
{
	struct slice name = query_words_name(word);
	struct slice value = named_key_value(name, slice_from(word));
	const struct index *ix;

	if (name.len == 0 || value.len == 0 || slice_eq(name, q->key->pk->name)) {
		return false;
	}
	if (query_hints_key(q->schema, name, &ix)) {
		buf_fmt(b, "%.*s is the partition key of %.*s: ", SLICE_ARG(name),
			SLICE_ARG(ix == NULL ? SLICE("the table") : ix->name));
		cleanup(buf_release) struct buf by = {0};

		shell_word(&by, value);
		query_hints_put_index(&by, ix == NULL ? SLICE("") : ix->name);
		if (q->index != NULL || !typed_line_words(b, slice_from(word), buf_view(&by))) {
			query_hints_line(b, slice_from(q->words->at[0]), ix, value);
		}
		return true;
	}
	if (refused) {
		cleanup(buf_release) struct buf filter = {0};
		const char *quote = strspn(value.at, "-.0123456789") < value.len ? "\"" : "";

		buf_fmt(&filter, "%.*s = %s%.*s%s", SLICE_ARG(name), quote, SLICE_ARG(value),
			quote);
		buf_fmt(b, "the partition key is %.*s, not %.*s: itemctl scan ",
			SLICE_ARG(q->key->pk->name), SLICE_ARG(name));
		shell_word(b, slice_from(q->words->at[0]));
		query_hints_put_index(b, slice_from(q->index));
		buf_str(b, " --filter ");
		shell_text(b, buf_view(&filter));
	}
	return refused;
}

bool
query_words_put_number(const struct query_hints *q, const struct key_attr *attr, const char *word,
		       struct buf *b)
{
	struct slice text = slice_from(word);
	size_t at;

	if (attr->type != VALUE_N) {
		return false;
	}
	buf_fmt(b, "%.*s is a number, not %s", SLICE_ARG(attr->name), word);
	if (text.len > 2 && strchr("'\"", text.at[0]) != NULL) {
		struct slice inner = slice_of(text.at + 1, text.len - 2);

		if (inner.at[0] != '{' && json_fault(inner, &at) == NULL) {
			buf_str(b, ": ");
			query_words_put_line(q, b, word, inner);
		}
	}
	return true;
}

/* ------------------------------------------------------------ scans */

/* Append the typed line as a scan with @filter in place of the words of the key. */
static void
query_words_put_scan(const struct query_hints *q, struct buf *b, struct slice filter)
{
	cleanup(buf_release) struct buf by = {0};
	bool whole = true;

	fmt_shell(&by, "--filter %", filter);
	for (int i = 1; whole && typed_line_word(i) != NULL; i++) {
		const char *other = synonyms_command(typed_line_word(i));

		if (words_in("query show", slice_from(typed_line_word(i))) ||
		    slice_is(slice_from(other), "query")) {
			whole = !typed_line_change(typed_line_word(i), SLICE("scan"));
		}
	}
	for (size_t i = 2; i < q->words->n; i++) {
		(void)typed_line_change(q->words->at[i], (struct slice){0});
	}
	if (!typed_line_words(b, slice_from(q->words->at[1]), buf_view(&by))) {
		fmt_shell(b, "itemctl scan % ", slice_from(q->words->at[0]));
		buf_slice(b, buf_view(&by));
	}
}

void
query_words_put_filter(const struct query_hints *q, struct call *c, struct buf *b)
{
	static const char *const signs[][2] = {
		{"eq", "="},  {"ne", "<>"}, {"lt", "<"},  {"le", "<="},  {"gt", ">"},
		{"ge", ">="}, {"==", "="},  {"!=", "<>"}, {"lte", "<="}, {"gte", ">="}};
	struct buf text = {.arena = &c->arena};
	struct buf filter = {.arena = &c->arena};
	struct page page = {0};
	size_t n = 0;

	for (size_t i = 1; i < q->words->n; i++) {
		buf_fmt(&text, "%s%s", i == 1 ? "" : " ", q->words->at[i]);
	}
	struct slice rest = buf_view(&text);

	if (rest.len == 0) {
		return;
	}
	while (n < rest.len && ascii_word(rest.at[n])) {
		n++;
	}
	struct slice name = slice_of(rest.at, n);

	rest = ascii_trim(slice_skip(rest, n));
	n = strspn(slice_cstr(&c->arena, rest), "=<>!");
	n = n == 0 && slice_chr(rest, ' ') != NULL ? strcspn(slice_cstr(&c->arena, rest), " ") : n;
	struct slice sign = slice_of(rest.at, n);
	struct slice value = ascii_trim(slice_skip(rest, n));

	assert(sign.at != NULL);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (slice_is(sign, signs[i][0])) {
			sign = slice_from(signs[i][1]);
			break;
		}
	}
	if (!words_in("= < > <= >= <>", sign) || name.len == 0 || value.len == 0 ||
	    url_is_far(q->ctl->store) ||
	    absent_sample(q->ctl, c, slice_from(q->words->at[0]), &page) < 0 ||
	    absent_is(&page, name)) {
		return;
	}
	bool quoted = value.at[0] == '\'' || value.at[0] == '"' || json_fault(value, &n) == NULL;

	const char *quote = quoted ? "" : slice_chr(value, '\'') != NULL ? "\"" : "'";

	buf_fmt(&filter, "%.*s %.*s %s%.*s%s", SLICE_ARG(name), SLICE_ARG(sign), quote,
		SLICE_ARG(value), quote);
	buf_str(b, "put a condition on other attributes into a filter: ");
	query_words_put_scan(q, b, buf_view(&filter));
}

void
query_words_put_limit(const struct query_hints *q, struct buf *b)
{
	const char *word = q->words->n == 2 ? q->words->at[1] : "";
	size_t n = strspn(word, "0123456789");

	if (n > 0 && n < 4 && word[n] == '\0') {
		fmt_shell(b, "for the first %: itemctl scan % --limit %", slice_from(word),
			  slice_from(q->words->at[0]), slice_from(word));
	}
}
