/* query_words - see query_words.h */
#include "tools/advice/query_words.h"

#include <strings.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/model/schema.h"

#include "tools/advice/query_hints.h"
#include "tools/text/named_key.h"
#include "tools/text/sort_words.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* The name in "NAME=VALUE", or empty. */
static struct slice
named(const char *word)
{
	struct slice name = {.at = word, .len = strcspn(word, "=")};

	name = word[name.len] == '=' && strspn(word, "0123456789") == 0 ? ascii_trim(name)
									: slice_of(NULL, 0);
	for (size_t i = 0; i < name.len; i++) {
		if (!ascii_word(name.at[i])) {
			return slice_of(NULL, 0);
		}
	}
	return name;
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
	struct buf by;

	if (value.len == 0 || key_part_n(q->key->pk) != 1) {
		return false;
	}
	buf_init(&by, &c->arena);
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
		buf_char(b, ' ');
		shell_word(b, sk);
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
	struct buf by;

	if (key_part_n(q->key->sk) != 1 ||
	    (!sort_words_text(c, q->key->sk->name, slice_from(word), &sort) &&
	     !sort_words_like(c, word, &sort))) {
		return false;
	}
	buf_init(&by, &c->arena);
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
	struct slice name = named(word);
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
		struct buf filter;

		buf_init(&filter, NULL);
		const char *quote = strspn(value.at, "-.0123456789") < value.len ? "\"" : "";

		buf_fmt(&filter, "%.*s = %s%.*s%s", SLICE_ARG(name), quote, SLICE_ARG(value),
			quote);
		buf_fmt(b, "the partition key is %.*s, not %.*s: itemctl scan ",
			SLICE_ARG(q->key->pk->name), SLICE_ARG(name));
		shell_word(b, slice_from(q->words->at[0]));
		query_hints_put_index(b, slice_from(q->index));
		buf_str(b, " --filter ");
		shell_text(b, buf_view(&filter));
		buf_release(&filter);
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
