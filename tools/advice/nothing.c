/* nothing - see nothing.h */
#include "tools/advice/nothing.h"

#include "store/base/text/url.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/mistyped.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/text/bare.h"

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
