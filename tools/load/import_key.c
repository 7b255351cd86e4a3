/* import_key - see import_key.h */
#include "tools/load/import_key.h"

#include <inttypes.h>

#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/number.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/advice/suggest.h"
#include "tools/session/ctl.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"
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

/* ------------------------------------------------------------ the key of --key */

/* Append the typed line with the key in which @attr is replaced by @name and @type. */
static void
import_key_with(struct buf *out, const char *spec, const struct key_schema *key,
		const struct key_attr *attr, struct slice name, enum value_type type)
{
	cleanup(buf_release) struct buf b = {0};

	key_each (own, key) {
		enum value_type t = own == attr ? type : own->type;

		buf_fmt(&b, "%s%.*s%s%s", b.len == 0 ? "" : ",",
			SLICE_ARG(own == attr ? name : own->name), t == VALUE_S ? "" : ":",
			t == VALUE_S ? "" : value_type_name(t));
	}
	(void)typed_line_said(out, "; did you mean: ", slice_from(spec), buf_view(&b));
}

/* Find an attribute of the item whose name is similar to that of @attr. */
static struct slice
import_key_near(const struct key_attr *attr, const struct item *it)
{
	struct near near = near_start(attr->name);

	for (size_t k = 0; k < it->n; k++) {
		near_try(&near, it->at[k].name);
	}
	return near.best;
}

static int
import_key_lacks(struct call *c, const char *spec, const struct key_schema *key,
		 const struct key_attr *attr, const struct item *items, size_t n, size_t i)
{
	struct slice near = import_key_near(attr, &items[i]);
	struct buf line = {.arena = &c->arena};
	struct buf guess = {.arena = &c->arena};

	if (near.len > 0) {
		import_key_with(&line, spec, key, attr, near, item_get(&items[i], near)->type);
	} else if (import_key_guess(&guess, NULL, items, n, false)) {
		(void)typed_line_said(&line, "; did you mean: ", slice_from(spec),
				      buf_view(&guess));
	}
	return call_fail(c, ERR_USAGE, "item %zu has no attribute %.*s%.*s", i + 1,
			 SLICE_ARG(attr->name), SLICE_ARG(buf_view(&line)));
}

static int
import_key_mismatch(struct call *c, const char *spec, const struct key_schema *key,
		    const struct key_attr *attr, const struct value *v, size_t i)
{
	struct buf line = {.arena = &c->arena};

	if (value_is_ordered(v->type)) {
		import_key_with(&line, spec, key, attr, attr->name, v->type);
	}
	return call_fail(c, ERR_USAGE, "%.*s of item %zu is of type %s, not %s%.*s",
			 SLICE_ARG(attr->name), i + 1, value_type_name(v->type),
			 value_type_name(attr->type), SLICE_ARG(buf_view(&line)));
}

int
import_key_check(struct call *c, const char *spec, const struct key_schema *key,
		 const struct item *items, size_t n, bool typed)
{
	for (size_t i = 0; i < n; i++) {
		key_each (attr, key) {
			const struct value *v = item_get(&items[i], attr->name);

			if (v == NULL) {
				return import_key_lacks(c, spec, key, attr, items, n, i);
			}
			if (typed && v->type != attr->type) {
				return import_key_mismatch(c, spec, key, attr, v, i);
			}
		}
	}
	return 0;
}

/* ------------------------------------------------------------ the key of an existing table */

/* Compare two attributes; types only if @spec contains the type. */
static bool
import_key_same(struct call *c, const char *spec, const struct key_attr *own,
		const struct key_attr *given)
{
	struct slice typed = fmt_slice(&c->arena, "%.*s:", SLICE_ARG(own->name));

	return slice_eq(own->name, given->name) &&
	       (own->type == given->type ||
		(given->type == VALUE_S && strstr(spec, typed.at) == NULL));
}

int
import_key_there(struct ctl *ctl, struct call *c, struct slice table, const char **spec)
{
	const struct words none = {0};
	const char *key = *spec;
	bool guessed = key != NULL && strcmp(key, "auto") == 0;
	struct buf b = {.arena = &c->arena};
	struct schema given;
	const struct schema *s;

	if (key == NULL || ctl_store_is_new(ctl, c) || (guessed && url_is_far(ctl->store))) {
		return 0;
	}
	int r = ctl_open_store(ctl, c, false);

	r = r < 0 ? r : ctl_schema(ctl, c, table, &s);
	if (r == -ERR_NO_TABLE) {
		c->error = (struct error){0};
		return 0;
	}
	*spec = NULL;
	r = r < 0 || guessed ? r : keyspec_schema(c, "", key, &none, &none, &given);
	if (r < 0 || guessed ||
	    (import_key_same(c, key, s->key.pk, given.key.pk) &&
	     import_key_same(c, key, s->key.sk, given.key.sk))) {
		return r;
	}
	keyspec_print(&b, &s->key);
	buf_str(&b, ", which import does not change");
	typed_line_set(SLICE("key"), NULL, 1);
	(void)typed_line_said(&b, "; with it: ", SLICE(""), SLICE(""));
	return call_fail(c, ERR_USAGE, "table %.*s has the key %.*s", SLICE_ARG(table),
			 SLICE_ARG(buf_view(&b)));
}

/* Return the attribute of item @i that may be meant by @attr, which it lacks: by a similar name, or a likely key. */
static struct slice
import_key_source(const struct key_schema *key, const struct key_attr *attr,
		  const struct item *items, size_t n, size_t i, struct buf *guess)
{
	struct slice near = import_key_near(attr, &items[i]);

	if (near.len > 0 || key->sk->name.len > 0 ||
	    !import_key_guess(guess, NULL, items, n, false)) {
		return near;
	}
	struct slice whole = buf_view(guess);

	return slice_chr(whole, ',') != NULL ? SLICE("") : slice_take(&whole, ':');
}

/* Return true if the text of the value can become a value of @type. */
static bool
import_key_becomes(const struct value *v, enum value_type type)
{
	struct number number;

	if (v->type == VALUE_N || type == VALUE_S) {
		return value_is_ordered(v->type) && v->type != VALUE_B && type != VALUE_B;
	}
	call_scope(own, 0);
	return type == VALUE_N && v->type == VALUE_S && number_parse(&own, v->text, &number) == 0;
}

/* Append --set NAME=${SOURCE}; false: the names have characters that --set does not allow. */
static bool
import_key_option(struct buf *out, const struct key_attr *attr, struct slice source)
{
	cleanup(buf_release) struct buf b = {0};
	bool plain = source.len > 0;

	for (size_t i = 0; i < source.len; i++) { /* ; | and tab: a header with another delimiter */
		plain = plain && strchr("};|\t", source.at[i]) == NULL;
	}

	for (size_t i = 0; i < attr->name.len; i++) {
		plain = plain && strchr("=:", attr->name.at[i]) == NULL;
	}
	if (!plain) {
		return false;
	}
	buf_fmt(&b, "%.*s%s=${%.*s}", SLICE_ARG(attr->name), attr->type == VALUE_N ? ":N" : "",
		SLICE_ARG(source));
	buf_str(out, out->len == 0 ? "--set " : " --set ");
	shell_word(out, buf_view(&b));
	return true;
}

/* Find the attribute *@out from which all items can get a key attribute; empty: they have it.  Return: false: none */
static bool
import_key_is_made(const struct key_schema *key, const struct key_attr *attr,
		   const struct item *items, size_t n, struct buf *guess, struct slice *out)
{
	*out = SLICE("");
	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(&items[i], attr->name);

		if (v == NULL && out->len == 0) {
			*out = import_key_source(key, attr, items, n, i, guess);
			v = out->len > 0 ? item_get(&items[i], *out) : NULL;
		} else if (v == NULL) {
			v = item_get(&items[i], *out);
		} else if (v->type != attr->type) {
			*out = attr->name;
		}
		if (v == NULL || !import_key_becomes(v, attr->type)) {
			return false;
		}
	}
	return true;
}

/* Append the options that give the items the key; false: not possible, or not needed. */
static bool
import_key_set(struct buf *out, const struct key_schema *key, const struct item *items, size_t n)
{
	size_t begin = out->len;
	bool made = true;
	cleanup(buf_release) struct buf guess = {0};

	key_each (attr, key) {
		struct slice source;

		buf_clear(&guess);
		made = made && import_key_is_made(key, attr, items, n, &guess, &source) &&
		       (source.len == 0 || import_key_option(out, attr, source));
	}
	out->len = made ? out->len : begin;
	return out->len > begin;
}

/* Return true if each item has the key. */
static bool
import_key_all(struct call *c, const struct key_schema *key, const struct item *items, size_t n,
	       bool typed)
{
	bool all = import_key_check(c, "", key, items, n, typed) == 0;

	c->error = (struct error){0};
	return all;
}

bool
import_key_mended(struct buf *out, struct ctl *ctl, struct call *c, const struct schema *s,
		  const char *file, const struct item *items, size_t n)
{
	struct slice stem = source_stem(file);
	const struct schema *other = NULL;
	struct buf option = {.arena = &c->arena};

	if (n == 0 || import_key_all(c, &s->key, items, n, true)) {
		return false;
	}
	if (ctl_schema(ctl, c, stem, &other) == 0 &&
	    import_key_all(c, &other->key, items, n, false)) {
		return typed_line_with(out, slice_from(ctl->words.at[0]), stem);
	}
	c->error = (struct error){0};
	return import_key_set(&option, &s->key, items, n) &&
	       typed_line_insert(out, SLICE("--"), buf_view(&option));
}
