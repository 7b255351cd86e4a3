/* import_key - see import_key.h */
#include "tools/load/import_key.h"

#include <inttypes.h>

#include "store/base/core/ascii.h"
#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/number.h"
#include "store/model/value.h"

#include "tools/advice/suggest.h"
#include "tools/session/ctl.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

enum {
	KEY_CANDIDATES = 12,  /* attributes of the first item that are looked at */
	KEY_BYTES_MAX = 1024, /* of a sort key; more is no key of anybody's */
};

/* Attributes that may be a key. */
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

/* Has each item an attribute of that name, always of one type? */
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

/* Do no two items have the same values of @a, and of @b unless it is NULL? */
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

/* "id", "userId", "order_id", "sku" */
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

/* Is there a text before @a that leads, as the partition key does in an export? */
static bool
import_key_leads(const struct import_key *k, const struct attr *a)
{
	return k->n > 1 && a == k->at[1] && k->at[0]->value.type == VALUE_S &&
	       k->at[0] == &k->items[0].at[0];
}

/* One attribute: by its name, or a text; behind a text that repeats, as the customer of orders, both. */
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

/* Two attributes, the first one a text. */
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
			return false; /* values of a file without header */
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
	struct buf line;

	buf_init(&line, &c->arena);
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
	struct buf b;

	buf_init(&b, &c->arena);
	if (second.len > 0 && table.len > 0 && ctl->store != NULL) {
		fmt_shell(&b, "; if it is %: itemctl -s % drop % --yes && ", second,
			  slice_from(ctl->store), table);
		if (!typed_line_with(&b, SLICE("auto"), second)) {
			buf_clear(&b);
		}
	}
	if (second.len > 0 && b.len == 0) {
		buf_fmt(&b, "; %.*s suits them, too", SLICE_ARG(second));
	}
	ctl_note(ctl, "a new table gets the key that suits its items: --key %.*s%.*s",
		 SLICE_ARG(key), SLICE_ARG(buf_view(&b)));
}

int
import_key_held(struct engine *engine, struct call *c, const char *key, struct slice table,
		uint64_t items)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	bool counted = engine_describe_table(engine, &own, &in, &out) == 0 && !out.table.foreign;

	call_close(&own);
	if (!counted || out.table.totals.items >= items) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 "%" PRIu64 " of %" PRIu64
			 " items replaced another one: --key %s is not different in each",
			 items - out.table.totals.items, items, key);
}

/* ------------------------------------------------------------ a key that is given */

/* --key with @attr as @name and @type. */
static void
import_key_with(struct buf *out, const char *spec, const struct key_schema *key,
		const struct key_attr *attr, struct slice name, enum value_type type)
{
	const struct key_attr *both[] = {key->pk, key->sk};
	struct buf b;

	buf_init(&b, NULL);
	for (size_t i = 0; i < 2 && both[i]->name.len > 0; i++) {
		bool changed = both[i] == attr;
		enum value_type t = changed ? type : both[i]->type;

		buf_fmt(&b, "%s%.*s%s%s", i == 0 ? "" : ",",
			SLICE_ARG(changed ? name : both[i]->name), t == VALUE_S ? "" : ":",
			t == VALUE_S ? "" : value_type_name(t));
	}
	(void)typed_line_said(out, "; did you mean: ", slice_from(spec), buf_view(&b));
	buf_release(&b);
}

static int
import_key_lacks(struct call *c, const char *spec, const struct key_schema *key,
		 const struct key_attr *attr, const struct item *items, size_t n, size_t i)
{
	struct near near = near_start(attr->name);
	struct buf line;
	struct buf guess;

	buf_init(&line, &c->arena);
	buf_init(&guess, &c->arena);
	for (size_t k = 0; k < items[i].n; k++) {
		near_try(&near, items[i].at[k].name);
	}
	if (near.best.len > 0) {
		import_key_with(&line, spec, key, attr, near.best,
				item_get(&items[i], near.best)->type);
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
	struct buf line;

	buf_init(&line, &c->arena);
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
	const struct key_attr *both[] = {key->pk, key->sk};

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < 2 && both[k]->name.len > 0; k++) {
			const struct value *v = item_get(&items[i], both[k]->name);

			if (v == NULL) {
				return import_key_lacks(c, spec, key, both[k], items, n, i);
			}
			if (typed && v->type != both[k]->type) {
				return import_key_mismatch(c, spec, key, both[k], v, i);
			}
		}
	}
	return 0;
}

/* ------------------------------------------------------------ a table that is there */

/* Is it the same attribute?  Its type counts where @spec has it. */
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
	typed_line_set(SLICE("key"), NULL);
	(void)typed_line_said(&b, "; with it: ", SLICE(""), SLICE(""));
	return call_fail(c, ERR_USAGE, "table %.*s has the key %.*s", SLICE_ARG(table),
			 SLICE_ARG(buf_view(&b)));
}

/* The attribute of an item that is meant with @attr, which it lacks: of a near name, or one that could be its key. */
static struct slice
import_key_source(const struct key_schema *key, const struct key_attr *attr,
		  const struct item *items, size_t n, size_t i, struct buf *guess)
{
	struct near near = near_start(attr->name);

	for (size_t k = 0; k < items[i].n; k++) {
		near_try(&near, items[i].at[k].name);
	}
	if (near.best.len > 0 || key->sk->name.len > 0 ||
	    !import_key_guess(guess, NULL, items, n, false)) {
		return near.best;
	}
	struct slice whole = buf_view(guess);
	const char *end = slice_chr(whole, ':');

	return slice_chr(whole, ',') != NULL
		       ? SLICE("")
		       : slice_of(whole.at, end == NULL ? whole.len : (size_t)(end - whole.at));
}

/* Does the value's text become a value of @type? */
static bool
import_key_becomes(const struct value *v, enum value_type type)
{
	enum { NUMBER_BUDGET = 4096 };
	struct number number;
	struct call own;

	if (v->type == VALUE_N || type == VALUE_S) {
		return value_is_ordered(v->type) && v->type != VALUE_B && type != VALUE_B;
	}
	call_open(&own, 0, NUMBER_BUDGET);
	bool is =
		type == VALUE_N && v->type == VALUE_S && number_parse(&own, v->text, &number) == 0;

	call_close(&own);
	return is;
}

/* NAME=${SOURCE} */
static bool
import_key_option(struct buf *out, const struct key_attr *attr, struct slice source)
{
	struct buf b;
	bool plain = source.len > 0;

	for (size_t i = 0; i < source.len;
	     i++) { /* the last three: a header that is cut at something else */
		plain = plain && strchr("};|\t", source.at[i]) == NULL;
	}

	for (size_t i = 0; i < attr->name.len; i++) {
		plain = plain && strchr("=:", attr->name.at[i]) == NULL;
	}
	if (!plain) {
		return false;
	}
	buf_init(&b, NULL);
	buf_fmt(&b, "%.*s%s=${%.*s}", SLICE_ARG(attr->name), attr->type == VALUE_N ? ":N" : "",
		SLICE_ARG(source));
	buf_str(out, out->len == 0 ? "--set " : " --set ");
	shell_word(out, buf_view(&b));
	buf_release(&b);
	return true;
}

/* What is wrong with one attribute of the key: nothing, or *out is what it can be made of. */
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

/* The options that give the items the key. */
static bool
import_key_set(struct buf *out, const struct key_schema *key, const struct item *items, size_t n)
{
	const struct key_attr *both[] = {key->pk, key->sk};
	size_t begin = out->len;
	bool made = true;
	struct buf guess;

	buf_init(&guess, NULL);
	for (size_t k = 0; made && k < 2 && both[k]->name.len > 0; k++) {
		struct slice source;

		buf_clear(&guess);
		made = import_key_is_made(key, both[k], items, n, &guess, &source) &&
		       (source.len == 0 || import_key_option(out, both[k], source));
	}
	buf_release(&guess);
	out->len = made ? out->len : begin;
	return out->len > begin;
}

/* Has each item the key? */
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
	struct buf option;

	if (n == 0 || import_key_all(c, &s->key, items, n, true)) {
		return false;
	}
	if (ctl_schema(ctl, c, stem, &other) == 0 &&
	    import_key_all(c, &other->key, items, n, false)) {
		return typed_line_with(out, slice_from(ctl->words.at[0]), stem);
	}
	c->error = (struct error){0};
	buf_init(&option, &c->arena);
	return import_key_set(&option, &s->key, items, n) &&
	       typed_line_insert(out, SLICE("--"), buf_view(&option));
}
