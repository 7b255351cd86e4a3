/* nothing - see nothing.h */
#include "tools/advice/nothing.h"

#include "store/base/text/json.h"
#include "store/base/text/url.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/advice/absent_key.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/text/bare.h"
#include "tools/text/typed_line.h"

/* A comparison, and a value of its attribute. */
struct mistyped {
	struct bare of;
	enum value_type type; /* of the literal */
	const struct value
		*held; /* value in the first item that has the attribute; NULL: none has it */
};

/* A type in messages: "a text", "a number". */
static const char *
mistyped_title(enum value_type type)
{
	static const char *const titles[VALUE_TYPES] = {
		[VALUE_S] = "a text",
		[VALUE_N] = "a number",
		[VALUE_B] = "binary",
		[VALUE_BOOL] = "true or false",
		[VALUE_NULL] = "null",
		[VALUE_L] = "a list",
		[VALUE_M] = "a map",
		[VALUE_SS] = "a set of texts",
		[VALUE_NS] = "a set of numbers",
		[VALUE_BS] = "a set of binaries",
	};

	return titles[type];
}

/* The type of a literal; VALUE_TYPES for an undefined placeholder. */
static enum value_type
mistyped_type(struct slice literal, const struct placeholders *ph)
{
	char first = literal.at[0];

	if (first == ':') {
		const struct value *v = item_get(&ph->values, literal);

		return v == NULL ? VALUE_TYPES : v->type;
	}
	if (first == '\'' || first == '"') {
		return VALUE_S;
	}
	if (ascii_digit(first) || first == '-') {
		return VALUE_N;
	}
	return slice_is(literal, "null") ? VALUE_NULL : VALUE_BOOL;
}

/* The value at the path "a.b", or NULL. */
static const struct value *
mistyped_held(const struct item *it, struct slice path)
{
	const char *dot = slice_chr(path, '.');
	size_t n = dot == NULL ? path.len : (size_t)(dot - path.at);
	const struct value *v = item_get(it, slice_of(path.at, n));

	if (dot == NULL || v == NULL) {
		return v;
	}
	return v->type == VALUE_M ? mistyped_held(&v->map, slice_skip(path, n + 1)) : NULL;
}

/*
 * Return true if all items that have the attribute have it with the same type, which is not that of the literal.  For
 * null the types of the items may differ; "<>" is never mistyped.
 */
static bool
mistyped_is(struct mistyped *m, const struct page *sample, const struct placeholders *ph)
{
	struct slice name = absent_named(ph, m->of.name);

	m->type = mistyped_type(m->of.word, ph);
	for (size_t i = 0; i < sample->count; i++) {
		const struct value *v = mistyped_held(&sample->items[i], name);

		if (v == NULL) {
			continue;
		}
		if (v->type == m->type ||
		    (m->held != NULL && v->type != m->held->type && m->type != VALUE_NULL)) {
			return false;
		}
		m->held = m->held == NULL ? v : m->held;
	}
	return m->held != NULL && m->type != VALUE_TYPES && !slice_is(m->of.comparator, "<>");
}

/* ------------------------------------------------------------ the correction */

/* A literal without its quotes. */
static struct slice
mistyped_bare(struct slice literal)
{
	bool quoted = literal.at[0] == '\'' || literal.at[0] == '"';

	return quoted ? slice_of(literal.at + 1, literal.len - 2) : literal;
}

/* Return true if the typed value, with or without quotes, can have the type that items have. */
static bool
mistyped_fits(const struct mistyped *m)
{
	struct slice text = mistyped_bare(m->of.word);
	size_t at;

	assert(m->held != NULL);
	if (m->of.word.at[0] == ':') {
		return false;
	}
	return m->held->type == VALUE_S ||
	       (m->held->type == VALUE_N && text.len > 0 &&
		(ascii_digit(text.at[0]) || text.at[0] == '-') && json_fault(text, &at) == NULL) ||
	       (m->held->type == VALUE_BOOL && (slice_is(text, "true") || slice_is(text, "false")));
}

/* Append the literal with the type that items have, or else the value of an item. */
static void
mistyped_put_value(struct buf *b, const struct mistyped *m)
{
	bool fits = mistyped_fits(m);
	struct slice text = fits ? mistyped_bare(m->of.word) : m->held->text;

	if (m->held->type == VALUE_S) {
		buf_fmt(b, "'%.*s'", SLICE_ARG(text));
	} else if (fits) {
		buf_slice(b, text);
	} else {
		value_put_json(b, m->held, ITEM_PLAIN);
	}
}

/* Append the comparison with a value of the right type. */
static void
mistyped_put_around(struct buf *b, const struct mistyped *m)
{
	struct slice comparator = m->of.comparator;
	bool in = ascii_same(comparator, SLICE("IN"));
	bool between = ascii_same(comparator, SLICE("BETWEEN"));
	bool begins = ascii_same(comparator, SLICE("begins_with"));

	buf_fmt(b, "%.*s %.*s ", SLICE_ARG(m->of.name),
		SLICE_ARG(begins ? SLICE(">=") : comparator));
	buf_str(b, in ? "(" : "");
	mistyped_put_value(b, m);
	buf_str(b, in ? ", ...)" : between ? " AND ..." : "");
}

static void
mistyped_put_right(struct buf *b, const struct mistyped *m)
{
	enum value_type held = m->held->type;

	if (m->type == VALUE_NULL && slice_is(m->of.comparator, "=")) {
		buf_fmt(b, "attribute_not_exists(%.*s)", SLICE_ARG(m->of.name));
	} else if (held == VALUE_L || value_is_set(held)) {
		buf_fmt(b, "contains(%.*s, %.*s)", SLICE_ARG(m->of.name), SLICE_ARG(m->of.word));
	} else if (held == VALUE_M) {
		buf_fmt(b, "%.*s.%.*s = %.*s", SLICE_ARG(m->of.name),
			SLICE_ARG(m->held->map.n == 0 ? SLICE("a") : m->held->map.at[0].name),
			SLICE_ARG(m->of.word));
	} else if (held == VALUE_NULL) {
		buf_fmt(b, "attribute_type(%.*s, 'NULL')", SLICE_ARG(m->of.name));
	} else {
		mistyped_put_around(b, m);
	}
}

/* Append the typed line with the corrected comparison if @line and the value is kept, else only the comparison. */
static void
mistyped_put_line(struct buf *out, const struct mistyped *m, struct slice expression, bool line)
{
	size_t begin = (size_t)(m->of.name.at - expression.at);
	size_t end = (size_t)(m->of.word.at - expression.at) + m->of.word.len;
	char sign = m->of.comparator.at[0];
	bool list = m->held->type == VALUE_L || value_is_set(m->held->type);
	bool kept = line && (sign == '=' || sign == '<' || sign == '>') &&
		    m->of.word.at[0] != ':' && (list || m->type == VALUE_NULL || mistyped_fits(m));
	cleanup(buf_release) struct buf right = {0};
	cleanup(buf_release) struct buf fixed = {0};

	mistyped_put_right(&right, m);
	begin -= begin > 0 && expression.at[begin - 1] == '"'; /* a name in PartiQL */
	buf_put(&fixed, expression.at, begin);
	buf_slice(&fixed, buf_view(&right));
	buf_slice(&fixed, slice_skip(expression, end));
	if (!kept || !typed_line_with(out, expression, buf_view(&fixed))) {
		buf_slice(out, buf_view(&right));
	}
}

bool
mistyped_put(struct buf *out, const struct page *sample, struct slice expression,
	     const struct placeholders *ph, bool line)
{
	struct mistyped m = {0};
	size_t at = 0;
	bool found = false;

	while (!found && bare_literal(expression, &at, &m.of)) {
		m.held = NULL;
		found = mistyped_is(&m, sample, ph);
	}
	if (found) {
		buf_fmt(out, "%.*s is %s in the items, and %.*s is %s: ", SLICE_ARG(m.of.name),
			mistyped_title(m.held->type), SLICE_ARG(m.of.word), mistyped_title(m.type));
		mistyped_put_line(out, &m, expression, line);
	}
	return found;
}

static bool
mistyped_say(const struct ctl *ctl, const struct page *sample, struct slice expression,
	     const struct placeholders *ph)
{
	cleanup(buf_release) struct buf b = {0};
	bool found = mistyped_put(&b, sample, expression, ph, true);

	if (found) {
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return found;
}

/* ------------------------------------------------------------ empty answers */

/* Print a note about the first name of the request, or of the statement, that no item has. */
static bool
nothing_absent(const struct ctl *ctl, const struct nothing *n, const struct page *page)
{
	bool said = false;
	struct slice name;
	size_t at = 0;

	for (size_t i = 0; !said && i < n->ph->n_names; i++) {
		said = absent_say(ctl, page, n->ph->names[i].name);
	}
	while (n->ph->n_names == 0 && !said && (name = bare_name(n->filter, &at)).len > 0) {
		said = absent_say(ctl, page, name);
	}
	return said;
}

static bool
nothing_say_filter(const struct ctl *ctl, struct call *c, const struct nothing *n)
{
	struct page page = {0};
	call_scope(own, c->now_ms);
	return absent_sample(ctl, &own, n->table, &page) == 0 && page.count > 0 &&
	       (nothing_absent(ctl, n, &page) || mistyped_say(ctl, &page, n->filter, n->ph));
}

/* Print a note about an unquoted text, which was taken for a name. */
static bool
nothing_say_bare(const struct ctl *ctl, const struct nothing *n)
{
	struct bare b;
	bool found = bare_find(n->filter, &b);

	if (found) {
		ctl_note(ctl, "%.*s was taken for an attribute name. Quote text: %.*s %.*s '%.*s'",
			 SLICE_ARG(b.word), SLICE_ARG(b.name), SLICE_ARG(b.comparator),
			 SLICE_ARG(b.word));
	}
	return found;
}

/*
 * As nothing_say_bare(), but unless the store is far, only if no item of a sample has such an attribute.  @complete:
 * the sample must contain all items; false for far stores
 */
static bool
nothing_say_unquoted(const struct ctl *ctl, struct call *c, const struct nothing *n, bool complete)
{
	struct page page = {0};
	struct unquoted found;

	if (url_is_far(ctl->store)) {
		return !complete && nothing_say_bare(ctl, n);
	}
	call_scope(own, c->now_ms);
	bool said = absent_sample(ctl, &own, n->table, &page) == 0 && page.count > 0 &&
		    (!complete || page.last.n == 0) &&
		    unquoted_find(&own, "FilterExpression", n->filter, &page, &found) &&
		    found.text.len > 0;

	if (said) {
		struct buf b = {.arena = &own.arena};

		unquoted_put_named(&b, n->filter, &found);
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	return said;
}

void
nothing_say_compared(const struct ctl *ctl, struct call *c, const struct nothing *n)
{
	struct bare b;

	if (!ctl->quiet && ctl->fill == NULL && bare_find(n->filter, &b)) {
		(void)nothing_say_unquoted(ctl, c, n, true);
	}
}

enum nothing_cause
nothing_say(const struct ctl *ctl, struct call *c, const struct nothing *n)
{
	const struct absent_key *k = n->key;
	bool filtered = n->filter.len > 0;
	bool keyed = k != NULL && !n->examined;
	bool asked = keyed && k->ranged && url_is_far(ctl->store);

	if (ctl->quiet || ctl->fill != NULL) {
		return NOTHING_SEEN;
	}
	if (filtered && !n->statement && nothing_say_unquoted(ctl, c, n, false)) {
		return NOTHING_WRONG;
	}
	if (keyed && absent_key_partition(ctl, c, k, !k->ranged)) {
		return NOTHING_SAID;
	}
	if (keyed && k->sk != NULL) {
		return absent_key_item(ctl, c, k) ? NOTHING_WRONG : NOTHING_SAID;
	}
	if (keyed && k->range != NULL) {
		absent_key_range(ctl, c, k);
		return NOTHING_SAID;
	}
	return filtered && !asked && ctl_may_look(ctl) && nothing_say_filter(ctl, c, n)
		       ? NOTHING_SAID
		       : NOTHING_SEEN;
}

static void
nothing_say_answer(const struct ctl *ctl, const struct absent_names *names, struct slice name)
{
	if (names->looked < ABSENT_LOOKS) {
		ctl_note(ctl, "no item of the answer has an attribute %.*s", SLICE_ARG(name));
	} else {
		ctl_note(ctl, "none of the first %zu items of the answer has an attribute %.*s",
			 names->looked, SLICE_ARG(name));
	}
}

void
nothing_say_projected(const struct ctl *ctl, struct call *c, struct slice table,
		      const struct absent_names *names)
{
	struct slice name = absent_names_first(names);
	struct page page = {0};

	if (ctl->quiet || ctl->fill != NULL || name.len == 0) {
		return;
	}
	if (url_is_far(ctl->store)) { /* reading a sample would cost */
		nothing_say_answer(ctl, names, name);
		return;
	}
	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) == 0) {
		for (size_t i = 0; i < names->n; i++) {
			if (!names->seen[i] && absent_say(ctl, &page, names->at[i])) {
				break;
			}
		}
	}
}
