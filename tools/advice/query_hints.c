/* query_hints - see query_hints.h */
#include "tools/advice/query_hints.h"

#include <strings.h>

#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/query_words.h"
#include "tools/cli/commands.h"
#include "tools/session/ctl.h"
#include "tools/text/bare.h"
#include "tools/text/fmt.h"
#include "tools/text/sort_words.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

void
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
	struct buf b = {.arena = &c->arena};
	size_t at = 0;

	if (bare_literal(filter, &at, &literal) && slice_is(literal.comparator, "=") &&
	    ascii_trim(slice_skip(filter, at)).len == 0) {
		bool quoted = literal.word.at[0] == '\'' || literal.word.at[0] == '"';

		buf_fmt(&b, "itemctl query %s ", table);
		shell_word(&b, quoted ? slice_of(literal.word.at + 1, literal.word.len - 2)
				      : literal.word);
		query_hints_put_index(&b, slice_from(index));
		buf_fmt(&b, "; if %.*s is not the partition key: ", SLICE_ARG(literal.name));
	} else if (filter.len == 0) {
		buf_fmt(&b, "itemctl query %s PK", table);
		query_hints_put_index(&b, slice_from(index));
		buf_str(&b, "; for all items: ");
	}
	buf_fmt(&b, "itemctl scan %s", table);
	query_hints_put_index(&b, slice_from(index));
	if (filter.len > 0) {
		buf_str(&b, " --filter ");
		shell_text(&b, filter);
	}
	return call_fail(c, ERR_USAGE, "query needs %s: %.*s",
			 filter.len > 0 ? "PK" : "PK or --shards LO..HI, for example",
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

const struct words *
query_hints_again(const struct query_hints *q, struct call *c)
{
	struct words *meant = arena_new(&c->arena, struct words, 1);
	struct buf b = {.arena = &c->arena};

	if (q->words == NULL || q->words->n > 3 ||
	    (!query_words_put_key(q, c, &b, meant) &&
	     (q->words->n != 3 || key_part_n(q->key->pk) != 1 ||
	      !query_words_put_sort(q, c, q->words->at[2], &b, meant))) ||
	    meant->n == 0) {
		return NULL;
	}
	c->error = (struct error){0};
	ctl_note(q->ctl, "read as: %.*s", SLICE_ARG(buf_view(&b)));
	return meant;
}

int
query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r)
{
	struct buf b = {.arena = &c->arena};

	if (!query_words_put_key(q, c, &b, &(struct words){0}) &&
	    !query_words_put_other(q, &b, word, true) &&
	    !query_words_put_number(q, q->key->pk, word, &b)) {
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

/* Append "itemctl query T PK --between A B", or with "--ge A" if @high is NULL. */
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
	struct buf b = {.arena = &c->arena};

	query_hints_put_range(q, &b, low, high);
	return call_fail(c, ERR_USAGE, "a range includes both ends: %.*s", SLICE_ARG(buf_view(&b)));
}

int
query_hints_start(const struct query_hints *q, struct call *c, const char *start, const char *high)
{
	struct buf b = {.arena = &c->arena};

	if (start == NULL || start[0] == '\0' || strchr(start, '{') != NULL) {
		return 0;
	}
	query_hints_put_range(q, &b, start, high);
	return call_fail(c, ERR_USAGE,
			 "--start needs the key, as JSON, after which the page begins; for a "
			 "range: %.*s",
			 SLICE_ARG(buf_view(&b)));
}

int
query_hints_sort(const struct query_hints *q, struct call *c, const struct key_attr *attr,
		 const char *word, int r)
{
	struct slice value = named_key_value(attr->name, slice_from(word));
	struct buf b = {.arena = &c->arena};

	buf_str(&b, "give keys without their names: ");
	if (value.len == 0 || !typed_line_with(&b, slice_from(word), value)) {
		buf_clear(&b);
		if (!query_words_put_number(q, attr, word, &b)) {
			return r;
		}
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* The corrected line for "query music Acme Song=Blue", or NULL. */
static const char *
named_sort(const struct query_hints *q, struct call *c)
{
	const struct slice values[] = {slice_from(q->words->at[1]), slice_from(q->words->at[2])};

	return key_part_n(q->key->pk) > 1
		       ? NULL
		       : named_key_hint(q->ctl->command->name, c, slice_from(q->words->at[0]),
					q->key, values, 2, NULL);
}

/* Correct a name in place of a value: "query music Artist Acme", "query music ByYear 1999". */
static bool
query_hints_put_name(const struct query_hints *q, struct buf *b)
{
	const struct words *words = q->words;
	bool named = slice_is(q->key->pk[0].name, words->at[1]);

	for (size_t i = 1; i < 3 && !named && q->index == NULL; i++) {
		const struct index *ix = schema_index(q->schema, slice_from(words->at[i]));

		if (ix != NULL) {
			buf_str(b, "give an index as an option: ");
			query_hints_line(b, slice_from(words->at[0]), ix,
					 slice_from(words->at[3 - i]));
			return true;
		}
	}
	if (named) {
		buf_str(b, "give PK without its name: ");
		query_hints_line(b, slice_from(words->at[0]),
				 schema_index(q->schema, slice_from(q->index)),
				 slice_from(words->at[2]));
	}
	return named;
}

/* Append a suggestion, if there is one. */
static void
query_hints_put_meant(const struct query_hints *q, struct call *c, struct buf *b)
{
	const char *sort = q->words->n == 3 ? named_sort(q, c) : NULL;

	if (sort != NULL) {
		buf_str(b, sort);
	} else if (!query_words_put_key(q, c, b, &(struct words){0}) && q->words->n == 3 &&
		   key_part_n(q->key->pk) == 1 && !query_hints_put_name(q, b)) {
		(void)query_words_put_sort(q, c, q->words->at[2], b, &(struct words){0});
	}
	if (b->len == 0 && q->words->n == 2) {
		(void)query_words_put_other(q, b, q->words->at[1], false);
	}
}

bool
query_hints_meant(const struct query_hints *q, struct call *c)
{
	struct buf b = {.arena = &c->arena};

	query_hints_put_meant(q, c, &b);
	return b.len > 0;
}

/* Append a query of the first index that has the value as partition key.  Sends a Query for each index. */
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

/* "PK IN ('a', 'b')": suggest a statement, which can read several partitions. */
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
	fmt_shell(b, "to query several partitions: itemctl sql %", buf_view(&statement));
}

int
query_hints_none(const struct query_hints *q, struct call *c, bool ranged)
{
	struct buf b = {.arena = &c->arena};

	put_in(q, c, &b);
	if (b.len == 0) {
		query_hints_put_meant(q, c, &b);
	}
	if (b.len == 0 && q->words->n > 1) {
		query_words_put_filter(q, c, &b);
	}
	if (b.len > 0) {
		return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	if (q->words->n == 2 && !ranged && q->index == NULL && key_part_n(q->key->pk) == 1 &&
	    ctl_may_look(q->ctl) && !url_is_far(q->ctl->store) && q->ctl->counted.scanned == 0) {
		put_other_index(q, c, &b);
	}
	if (b.len == 0) {
		query_words_put_limit(q, &b);
	}
	if (b.len > 0) {
		ctl_note(q->ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return 0;
}
