/* query_hints - see query_hints.h */
#include "tools/query_hints.h"

#include "store/base/ascii.h"
#include "store/base/shell_word.h"

#include "tools/bare.h"
#include "tools/named_key.h"
#include "tools/typed_line.h"

struct slice
query_hints_value(const struct query_hints *q)
{
	return q->words->n < 2 ? slice_of(NULL, 0)
			       : named_key_value(q->key->pk[0].name, slice_from(q->words->at[1]));
}

void
query_hints_line(struct buf *b, struct slice table, const struct index *ix, struct slice value)
{
	buf_str(b, "itemctl query ");
	shell_word(b, table);
	buf_char(b, ' ');
	shell_word(b, value);
	if (ix != NULL) {
		buf_fmt(b, " --index %.*s", SLICE_ARG(ix->name));
	}
}

int
query_hints_no_key(struct call *c, const char *table, struct slice filter)
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
		buf_fmt(&b, "; if %.*s is none: ", SLICE_ARG(literal.name));
	}
	buf_fmt(&b, "itemctl scan %s --filter ", table);
	shell_text(&b, filter);
	return call_fail(c, ERR_USAGE, "query needs PK: %.*s", SLICE_ARG(buf_view(&b)));
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

/* The typed line with the value alone. */
static void
put_value_alone(const struct query_hints *q, struct buf *b, struct slice word, struct slice value)
{
	const char *other = strcasestr(value.at, " AND ");

	if (other != NULL && (size_t)(other - value.at) < value.len) {
		value.len = (size_t)(other - value.at);
	}
	buf_fmt(b, "PK is the value alone%s: ",
		other == NULL ? "" : ", the sort key's condition an option");
	if (!typed_line_with(b, word, value)) {
		query_hints_line(b, slice_from(q->words->at[0]),
				 schema_index(q->schema, slice_from(q->index)), value);
	}
	buf_str(b, other == NULL ? "" : " --begins-with V (or --eq, --gt, --between A B ...)");
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
		query_hints_line(b, slice_from(q->words->at[0]), ix, value);
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
		buf_str(b, " --filter ");
		shell_text(b, buf_view(&filter));
		buf_release(&filter);
	}
	return refused;
}

int
query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r)
{
	struct slice value = named_key_value(q->key->pk[0].name, slice_from(word));
	struct buf b;

	buf_init(&b, &c->arena);
	if (value.len > 0) {
		put_value_alone(q, &b, slice_from(word), value);
	} else if (!put_other_key(q, &b, word, true)) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

int
query_hints_sort(struct call *c, const struct key_attr *attr, const char *word, int r)
{
	struct slice value = named_key_value(attr->name, slice_from(word));
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, "keys are values alone: ");
	if (value.len == 0 || !typed_line_with(&b, slice_from(word), value)) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* "query music Acme Song=Blue" */
static const char *
named_sort(const struct query_hints *q, struct call *c)
{
	const struct slice values[] = {slice_from(q->words->at[1]), slice_from(q->words->at[2])};

	return key_part_n(q->key->pk) > 1 ? NULL
					  : named_key_hint(q->ctl, c, slice_from(q->words->at[0]),
							   q->key, values, 2, NULL);
}

void
query_hints_none(const struct query_hints *q, struct call *c)
{
	const char *sort = q->words->n == 3 ? named_sort(q, c) : NULL;
	struct slice value = query_hints_value(q);
	struct buf b;

	buf_init(&b, &c->arena);
	if (sort != NULL) {
		buf_str(&b, sort);
	} else if (value.len > 0) {
		put_value_alone(q, &b, slice_from(q->words->at[1]), value);
	} else if (q->words->n == 2) {
		(void)put_other_key(q, &b, q->words->at[1], false);
	}
	if (b.len > 0) {
		ctl_note(q->ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}
