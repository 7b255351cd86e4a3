/* import_key - see import_key.h */
#include "tools/load/import_key.h"

#include <inttypes.h>

#include "store/base/core/ascii.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"

#include "tools/advice/suggest.h"
#include "tools/session/ctl.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

enum {
	KEY_CANDIDATES = 12,  /* attributes of the first item that are tried */
	KEY_BYTES_MAX = 1024, /* bytes of a value; the limit of sort keys */
};

/* The items, and attributes that may be a key. */
struct import_key {
	const struct item *items;
	size_t n_items;
	const struct attr *at[KEY_CANDIDATES]; /* of the first item */
	size_t n;
};

static bool
import_key_fits(const struct value *v, enum value_type type)
{
	return v != NULL && v->type == type && (type == VALUE_S || type == VALUE_N) &&
	       v->text.len > 0 && v->text.len <= KEY_BYTES_MAX;
}

/* Return true if each item has the attribute @a with the same type. */
static bool
import_key_everywhere(const struct import_key *k, const struct attr *a)
{
	for (size_t i = 0; i < k->n_items; i++) {
		if (!import_key_fits(item_get(&k->items[i], a->name), a->value.type)) {
			return false;
		}
	}
	return true;
}

/* Return true if no two items have equal values of @a, and of @b unless it is NULL. */
static bool
import_key_unique(const struct import_key *k, const struct attr *a, const struct attr *b)
{
	for (size_t i = 1; i < k->n_items; i++) {
		const struct value *left = item_get(&k->items[i], a->name);
		const struct value *right = b == NULL ? NULL : item_get(&k->items[i], b->name);

		for (size_t j = 0; j < i; j++) {
			if (value_eq(left, item_get(&k->items[j], a->name)) &&
			    (b == NULL || value_eq(right, item_get(&k->items[j], b->name)))) {
				return false;
			}
		}
	}
	return true;
}

static const struct attr *
import_key_named(const struct import_key *k, const char *name)
{
	for (size_t i = 0; i < k->n; i++) {
		if (ascii_same(k->at[i]->name, slice_from(name))) {
			return k->at[i];
		}
	}
	return NULL;
}

/* Return true for names such as "id", "userId", "order_id" and "sku". */
static bool
import_key_says_so(struct slice name)
{
	struct slice end = slice_skip(name, name.len < 2 ? name.len : name.len - 2);

	return words_in_any_case("id uuid key sku isbn email code", name) || slice_is(end, "Id") ||
	       slice_is(end, "ID") || slice_ends(name, SLICE("_id"));
}

static void
import_key_put(struct buf *out, const struct attr *a, const struct attr *b)
{
	const struct attr *both[] = {a, b};

	for (size_t i = 0; i < 2 && both[i] != NULL; i++) {
		buf_fmt(out, "%s%.*s%s", i == 0 ? "" : ",", SLICE_ARG(both[i]->name),
			both[i]->value.type == VALUE_N ? ":N" : "");
	}
}

/* Return true if @a is the second attribute after a text, in the order of an export: partition key, sort key. */
static bool
import_key_leads(const struct import_key *k, const struct attr *a)
{
	return k->n > 1 && a == k->at[1] && k->at[0]->value.type == VALUE_S &&
	       k->at[0] == &k->items[0].at[0];
}

/*
 * Find one unique attribute, by its name or as a text.  If the first attribute is a text that repeats, such as the
 * customer of orders, the first choice is the pair of both.
 */
static bool
import_key_single(const struct import_key *k, struct buf *out, struct buf *other, bool by_name)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct attr *a = k->at[i];

		if ((by_name ? import_key_says_so(a->name) : a->value.type == VALUE_S) &&
		    import_key_unique(k, a, NULL)) {
			bool leads = other != NULL && import_key_leads(k, a);
			bool both = leads && !import_key_unique(k, k->at[0], NULL);

			import_key_put(both ? other : out, a, NULL);
			if (leads) {
				import_key_put(both ? out : other, k->at[0], a);
			}
			return true;
		}
	}
	return false;
}

/* Find two attributes; the first one is a text. */
static bool
import_key_pair(const struct import_key *k, struct buf *out)
{
	for (size_t i = 0; i < k->n; i++) {
		for (size_t j = 0; j < k->n && k->at[i]->value.type == VALUE_S; j++) {
			if (i != j && import_key_unique(k, k->at[i], k->at[j])) {
				import_key_put(out, k->at[i], k->at[j]);
				return true;
			}
		}
	}
	return false;
}

bool
import_key_guess(struct buf *out, struct buf *other, const struct item *items, size_t n,
		 bool certain)
{
	struct import_key k = {.items = items, .n_items = n};

	for (size_t i = 0; n > 0 && i < items[0].n && k.n < KEY_CANDIDATES; i++) {
		const struct attr *a = &items[0].at[i];

		if (ascii_digit(a->name.at[0])) {
			return false; /* values of a file without a header */
		}
		if (import_key_everywhere(&k, a) && slice_chr(a->name, ',') == NULL &&
		    slice_chr(a->name, ':') == NULL) {
			k.at[k.n++] = a;
		}
	}
	const struct attr *pk = import_key_named(&k, "PK");
	const struct attr *sk = import_key_named(&k, "SK");

	if (pk != NULL && import_key_unique(&k, pk, sk)) {
		import_key_put(out, pk, sk);
		return true;
	}
	return import_key_single(&k, out, other, true) ||
	       ((n > 1 || !certain) &&
		(import_key_single(&k, out, other, false) || import_key_pair(&k, out)));
}

void
import_key_suggest(struct call *c, const char *before, struct slice key)
{
	struct buf line = {.arena = &c->arena};

	buf_str(&line, before);
	if (key.len > 0 && typed_line_with(&line, SLICE(""), SLICE(""))) {
		fmt_shell(&line, " --key %", key);
		suggest_line(c, buf_view(&line));
	}
}

void
import_key_say(const struct ctl *ctl, struct call *c, struct slice key, struct slice second,
	       struct slice table)
{
	struct buf b = {.arena = &c->arena};

	if (second.len > 0 && table.len > 0 && ctl->store != NULL) {
		fmt_shell(&b, "; if it is %: itemctl -s % drop % --yes && ", second,
			  slice_from(ctl->store), table);
		if (!typed_line_with(&b, SLICE("auto"), second)) {
			buf_clear(&b);
		}
	}
	if (second.len > 0 && b.len == 0) {
		buf_fmt(&b, "; another key that suits the items: %.*s", SLICE_ARG(second));
	}
	ctl_note(ctl, "the new table gets a key that suits its items: --key %.*s%.*s",
		 SLICE_ARG(key), SLICE_ARG(buf_view(&b)));
}

int
import_key_held(struct engine *engine, struct call *c, const char *key, struct slice table,
		uint64_t items)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};

	call_scope(own, c->now_ms);
	bool counted = engine_describe_table(engine, &own, &in, &out) == 0 && !out.table.foreign;

	if (!counted || out.table.totals.items >= items) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "%" PRIu64 " of %" PRIu64
			 " items replaced another one: --key %s is not unique",
			 items - out.table.totals.items, items, key);
}
