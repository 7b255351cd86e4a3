/* query_hints - see query_hints.h */
#include "tools/advice/query_hints.h"

#include <strings.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/json.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/scan_hints.h"
#include "tools/cli/commands.h"
#include "tools/session/ctl.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/text/named_key.h"
#include "tools/text/sort_words.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* " --index NAME", unless @index is empty. */
static void
query_hints_put_index(struct buf *b, struct slice index)
{
	if (index.len > 0) {
		buf_fmt(b, " --index %.*s", SLICE_ARG(index));
	}
}

void
query_hints_line(struct buf *b, struct slice table, const struct index *ix, struct slice value)
{
	fmt_shell(b, "itemctl query % %", table, value);
	query_hints_put_index(b, ix == NULL ? SLICE("") : ix->name);
}

int
query_hints_no_key(struct call *c, const char *table, const char *index, struct slice filter)
{
	struct bare literal;
	struct buf b;
	size_t at = 0;

	buf_init(&b, &c->arena);
	if (bare_literal(filter, &at, &literal) && slice_is(literal.operator, "=") &&
	    ascii_trim(slice_skip(filter, at)).len == 0) {
		bool quoted = literal.word.at[0] == '\'' || literal.word.at[0] == '"';

		buf_fmt(&b, "the partition key is a word: itemctl query %s ", table);
		shell_word(&b, quoted ? slice_of(literal.word.at + 1, literal.word.len - 2)
				      : literal.word);
		query_hints_put_index(&b, slice_from(index));
		buf_fmt(&b, "; if %.*s is none: ", SLICE_ARG(literal.name));
	} else if (filter.len == 0) {
		buf_fmt(&b, "itemctl query %s PK", table);
		query_hints_put_index(&b, slice_from(index));
		buf_str(&b, "; all items: ");
	}
	buf_fmt(&b, "itemctl scan %s", table);
	query_hints_put_index(&b, slice_from(index));
	if (filter.len > 0) {
		buf_str(&b, " --filter ");
		shell_text(&b, filter);
	}
	return call_fail(c, ERR_USAGE, "query needs %s: %.*s",
			 filter.len > 0 ? "PK" : "either PK or --shards LO..HI",
			 SLICE_ARG(buf_view(&b)));
}

bool
query_hints_key(const struct schema *s, struct slice name, const struct index **ix)
{
	*ix = NULL;
	if (key_part_n(s->key.pk) == 1 && slice_eq(s->key.pk->name, name)) {
		return true;
	}
	for (size_t i = 0; i < s->n_index; i++) {
		const struct key_schema *key = schema_key(s, &s->index[i]);

		if (key_part_n(key->pk) == 1 && slice_eq(key->pk->name, name)) {
			*ix = &s->index[i];
			return true;
		}
	}
	return false;
}

/* What names itself in "NAME=VALUE"; empty: nothing does. */
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

/* The typed line with @by, which is text for a shell, in place of the word @word. */
static void
query_hints_put_line(const struct query_hints *q, struct buf *b, const char *word, struct slice by)
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

/* Where " AND " begins in @text, outside of quotes; its length: nowhere. */
static size_t
find_and(struct slice text)
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

/* Words that query takes for a condition on the sort key. */
static void
add_sort(struct call *c, struct words *words, const struct sort_words *sort)
{
	if (strcmp(sort->option, "eq") != 0) {
		words_add(c, words, sort->option);
	}
	words_add(c, words, sort->a);
	if (sort->b != NULL) {
		words_add(c, words, sort->b);
	}
}

/*
 * "PK = 'a'", "PK = 'a' AND begins_with(SK, 'b')": what is typed for it; false: the first word is none of these.
 * @meant: gets the words of the line, unless that is not complete
 */
static bool
query_hints_put_key(const struct query_hints *q, struct call *c, struct buf *b, struct words *meant)
{
	const char *word = q->words->n < 2 ? "" : q->words->at[1];
	struct slice all = slice_from(word);
	size_t n = find_and(all);
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
	query_hints_put_line(q, b, word, buf_view(&by));
	if (n < all.len && !pair) {
		buf_str(b, " --begins-with V (or --eq, --gt, --between A B ...)");
		return true;
	}
	words_add(c, meant, q->words->at[0]);
	words_add(c, meant, slice_cstr(&c->arena, value));
	if (pair) {
		add_sort(c, meant, &sort);
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

/* The sort key's word is a condition: "SK >= 5", "begins_with ORDER#", "ORDER#%"; likewise. */
static bool
query_hints_put_sort(const struct query_hints *q, struct call *c, const char *word, struct buf *b,
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
	query_hints_put_line(q, b, word, buf_view(&by));
	words_add(c, meant, q->words->at[0]);
	words_add(c, meant, q->words->at[1]);
	add_sort(c, meant, &sort);
	return true;
}

const struct words *
query_hints_again(const struct query_hints *q, struct call *c)
{
	struct words *meant = arena_new(&c->arena, struct words, 1);
	struct buf b;

	buf_init(&b, &c->arena);
	if (q->words == NULL || q->words->n > 3 ||
	    (!query_hints_put_key(q, c, &b, meant) &&
	     (q->words->n != 3 || key_part_n(q->key->pk) != 1 ||
	      !query_hints_put_sort(q, c, q->words->at[2], &b, meant)))) {
		return NULL;
	}
	if (meant->n == 0) {
		return NULL;
	}
	c->error = (struct error){0};
	ctl_note(q->ctl, "read as: %.*s", SLICE_ARG(buf_view(&b)));
	return meant;
}

/* "Status=BOOKED" where Status is the key of another index, or of none. */
static bool
put_other_key(const struct query_hints *q, struct buf *b, const char *word, bool refused)
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

/* "abc" for a number, or a number in quotes that no shell has taken. */
static bool
query_hints_put_number(const struct query_hints *q, const struct key_attr *attr, const char *word,
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
			query_hints_put_line(q, b, word, inner);
		}
	}
	return true;
}

int
query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r)
{
	struct buf b;

	buf_init(&b, &c->arena);
	if (!query_hints_put_key(q, c, &b, &(struct words){0}) &&
	    !put_other_key(q, &b, word, true) && !query_hints_put_number(q, q->key->pk, word, &b)) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

const struct words *
query_hints_words(struct call *c, const struct key_schema *key, const struct words *words)
{
	struct words *own = arena_new(&c->arena, struct words, 1);

	if (words->n < 4 || !slice_is(key->pk[0].name, words->at[1]) ||
	    strcmp(words->at[2], "=") != 0) {
		return words;
	}
	words_add(c, own, words->at[0]);
	words_add(c, own, words->at[3]);
	for (size_t i = 4 + (words->n > 4 && strcasecmp(words->at[4], "and") == 0); i < words->n;
	     i++) {
		words_add(c, own, words->at[i]);
	}
	return own;
}

/* "itemctl query T PK --between A B", without @high "--ge A" */
static void
query_hints_put_range(const struct query_hints *q, struct buf *b, const char *low, const char *high)
{
	struct sort_words sort = {high == NULL ? "ge" : "between", low, high};

	query_hints_line(b, slice_from(q->words->at[0]),
			 schema_index(q->schema, slice_from(q->index)),
			 slice_from(q->words->n > 1 ? q->words->at[1] : "PK"));
	buf_char(b, ' ');
	sort_words_put(b, &sort);
}

int
query_hints_range(const struct query_hints *q, struct call *c, const char *low, const char *high)
{
	struct buf b;

	buf_init(&b, &c->arena);
	query_hints_put_range(q, &b, low, high);
	return call_fail(c, ERR_USAGE, "a range includes both its ends: %.*s",
			 SLICE_ARG(buf_view(&b)));
}

int
query_hints_start(const struct query_hints *q, struct call *c, const char *start, const char *high)
{
	struct buf b;

	if (start == NULL || start[0] == '\0' || strchr(start, '{') != NULL) {
		return 0;
	}
	buf_init(&b, &c->arena);
	query_hints_put_range(q, &b, start, high);
	return call_fail(c, ERR_USAGE,
			 "--start is the key, as JSON, after which a page begins; a range: %.*s",
			 SLICE_ARG(buf_view(&b)));
}

int
query_hints_sort(const struct query_hints *q, struct call *c, const struct key_attr *attr,
		 const char *word, int r)
{
	struct slice value = named_key_value(attr->name, slice_from(word));
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, "keys are values alone: ");
	if (value.len == 0 || !typed_line_with(&b, slice_from(word), value)) {
		buf_clear(&b);
		if (!query_hints_put_number(q, attr, word, &b)) {
			return r;
		}
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* "query music Acme Song=Blue" */
static const char *
named_sort(const struct query_hints *q, struct call *c)
{
	const struct slice values[] = {slice_from(q->words->at[1]), slice_from(q->words->at[2])};

	return key_part_n(q->key->pk) > 1
		       ? NULL
		       : named_key_hint(q->ctl->command->name, c, slice_from(q->words->at[0]),
					q->key, values, 2, NULL);
}

/* "query music Artist Acme", "query music ByYear 1999", "query music 1999 ByYear": a name where a value is meant */
static bool
query_hints_put_name(const struct query_hints *q, struct buf *b)
{
	const struct words *words = q->words;
	bool named = slice_is(q->key->pk[0].name, words->at[1]);

	for (size_t i = 1; i < 3 && !named && q->index == NULL; i++) {
		const struct index *ix = schema_index(q->schema, slice_from(words->at[i]));

		if (ix != NULL) {
			buf_str(b, "an index is an option: ");
			query_hints_line(b, slice_from(words->at[0]), ix,
					 slice_from(words->at[3 - i]));
			return true;
		}
	}
	if (named) {
		buf_str(b, "PK is the value alone: ");
		query_hints_line(b, slice_from(words->at[0]),
				 schema_index(q->schema, slice_from(q->index)),
				 slice_from(words->at[2]));
	}
	return named;
}

/* The line that was meant; nothing is appended if none can be told. */
static void
query_hints_put_meant(const struct query_hints *q, struct call *c, struct buf *b)
{
	const char *sort = q->words->n == 3 ? named_sort(q, c) : NULL;

	if (sort != NULL) {
		buf_str(b, sort);
	} else if (!query_hints_put_key(q, c, b, &(struct words){0}) && q->words->n == 3 &&
		   key_part_n(q->key->pk) == 1 && !query_hints_put_name(q, b)) {
		(void)query_hints_put_sort(q, c, q->words->at[2], b, &(struct words){0});
	}
	if (b->len == 0 && q->words->n == 2) {
		(void)put_other_key(q, b, q->words->at[1], false);
	}
}

bool
query_hints_meant(const struct query_hints *q, struct call *c)
{
	struct buf b;

	buf_init(&b, &c->arena);
	query_hints_put_meant(q, c, &b);
	return b.len > 0;
}

/* The value is a partition key of an index: a look at each of them, which is not free elsewhere. */
static void
put_other_index(const struct query_hints *q, struct call *c, struct buf *b)
{
	const struct schema *s = q->schema;
	const char *word = q->words->at[1];

	for (size_t i = 0; i < s->n_index && b->len == 0; i++) {
		const struct key_schema *key = schema_key(s, &s->index[i]);
		struct absent_key k = {.table = s->table, .index = s->index[i].name, .key = key};
		struct value v;

		if (key_part_n(key->pk) == 1 && !slice_eq(key->pk->name, q->key->pk->name) &&
		    key_text_parse(c, key->pk, slice_from(word), &v) == 0) {
			k.pk = (struct key_values){.at = {&v}, .n = 1};
			if (absent_key_there(q->ctl, c, &k)) {
				buf_fmt(b, "index %.*s has: ", SLICE_ARG(k.index));
				query_hints_line(b, s->table, &s->index[i], slice_from(word));
			}
		}
		c->error = (struct error){0};
	}
}

/* "PK IN ('a', 'b')": a query of several partitions is a statement. */
static void
put_in(const struct query_hints *q, struct call *c, struct buf *b)
{
	struct slice word = slice_from(q->words->n == 2 ? q->words->at[1] : "");
	struct slice name = q->key->pk->name;
	struct buf statement = {.arena = &c->arena};

	if (!slice_starts(word, name) ||
	    strncasecmp(slice_cstr(&c->arena, slice_skip(word, name.len)), " IN (", 5) != 0) {
		return;
	}
	buf_fmt(&statement, "SELECT * FROM \"%s\"%s%s%s WHERE ", q->words->at[0],
		q->index == NULL ? "" : ".\"", q->index == NULL ? "" : q->index,
		q->index == NULL ? "" : "\"");
	for (size_t i = 0; i < word.len; i++) {
		buf_char(&statement, word.at[i] == '"' ? '\'' : word.at[i]);
	}
	fmt_shell(b, "a query of several partitions is a statement: itemctl sql %",
		  buf_view(&statement));
}

int
query_hints_none(const struct query_hints *q, struct call *c, bool ranged)
{
	struct buf b;

	buf_init(&b, &c->arena);
	put_in(q, c, &b);
	if (b.len == 0) {
		query_hints_put_meant(q, c, &b);
	}
	if (b.len == 0 && q->words->n > 1) {
		scan_hints_filter(q, c, &b);
	}
	if (b.len > 0) {
		return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	if (q->words->n == 2 && !ranged && q->index == NULL && key_part_n(q->key->pk) == 1 &&
	    ctl_may_look(q->ctl) && !url_is_far(q->ctl->store) && q->ctl->counted.scanned == 0) {
		put_other_index(q, c, &b);
	}
	if (b.len == 0) {
		scan_hints_limit(q, &b);
	}
	if (b.len > 0) {
		ctl_note(q->ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return 0;
}
