/* derive - see derive.h */
#include "tools/load/derive.h"

#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* A part of a template: a text, and the name of the attribute after it. */
struct derive_part {
	struct slice text;
	struct slice name; /* empty: none */
};

struct derive_set {
	struct key_attr attr;
	struct derive_part *parts;
	size_t n;
	size_t cap;
};

struct derive {
	struct derive_set *sets;
	size_t n;
};

/* ------------------------------------------------------------ the options */

static struct derive_part *
derive_add_part(struct call *c, struct derive_set *set)
{
	set->parts = arena_room(&c->arena, set->parts, set->n, &set->cap);
	set->parts[set->n] = (struct derive_part){0};
	return &set->parts[set->n++];
}

static int
derive_template(struct call *c, const char *option, struct slice rest, struct derive_set *set)
{
	while (rest.len > 0) {
		const char *at = memmem(rest.at, rest.len, "${", 2);
		size_t before = at == NULL ? rest.len : (size_t)(at - rest.at);
		struct derive_part *part = derive_add_part(c, set);

		if (before > 0 && at != NULL && at[-1] == '$') { /* $${ */
			part->text = slice_of(rest.at, before - 1);
			derive_add_part(c, set)->text = SLICE("${");
			rest = slice_skip(rest, before + 2);
			continue;
		}
		part->text = slice_of(rest.at, before);
		rest = slice_skip(rest, before);
		if (at == NULL) {
			break;
		}
		const char *end = slice_chr(rest, '}');

		if (end == NULL || end == rest.at + 2) {
			return call_fail(c, ERR_USAGE, "--set %s: %s", option,
					 end == NULL ? "a ${ is not closed" : "${} names nothing");
		}
		part->name = slice_of(rest.at + 2, (size_t)(end - rest.at) - 2);
		rest = slice_skip(rest, (size_t)(end - rest.at) + 1);
	}
	return 0;
}

/* Parse NAME or NAME:T. */
static int
derive_name(struct call *c, const char *option, struct slice name, const struct schema *s,
	    struct key_attr *out)
{
	const char *colon = slice_rchr(name, ':');
	const struct key_attr *key = schema_key_attr(s, name);
	struct slice type = colon == NULL
				    ? SLICE("")
				    : slice_of(colon + 1, name.len - 1 - (size_t)(colon - name.at));

	*out = (struct key_attr){.name = name, .type = VALUE_S};
	if (colon != NULL) {
		out->name.len = (size_t)(colon - name.at);
		out->type = value_type_from_name(type);
	} else if (key != NULL) {
		out->type = key->type;
	}
	if (out->name.len == 0 || (out->type != VALUE_S && out->type != VALUE_N)) {
		return call_fail(c, ERR_USAGE,
				 "--set must be NAME=TEMPLATE, NAME:S=TEMPLATE or "
				 "NAME:N=TEMPLATE, not \"%s\"",
				 option);
	}
	return 0;
}

static const struct derive_set *
derive_find(const struct derive *d, struct slice name)
{
	for (size_t i = 0; i < d->n; i++) {
		if (slice_eq(d->sets[i].attr.name, name)) {
			return &d->sets[i];
		}
	}
	return NULL;
}

static bool
derive_is_constant(const struct derive *d, struct slice name)
{
	const struct derive_set *set = derive_find(d, name);

	for (size_t i = 0; set != NULL && i < set->n; i++) {
		if (set->parts[i].name.len > 0) {
			return false;
		}
	}
	return set != NULL;
}

/* In double quotes a shell removes ${id}; then each record would replace the previous one. */
static int
derive_check_key(struct call *c, const struct derive *d, const struct key_schema *key)
{
	if (!derive_is_constant(d, key->pk->name) ||
	    (key_schema_has_sort(key) && !derive_is_constant(d, key->sk->name))) {
		return 0;
	}
	return call_fail(c, ERR_USAGE,
			 "--set gives all records the same key. If the shell replaced a ${name}, "
			 "use single quotes: --set '%.*s=X#${name}'",
			 SLICE_ARG(key->pk->name));
}

int
derive_new(struct call *c, const struct words *sets, const struct schema *s,
	   const struct derive **out)
{
	struct derive *d = arena_new(&c->arena, struct derive, 1);

	*out = NULL;
	if (sets->n == 0) {
		return 0;
	}
	d->sets = arena_new(&c->arena, struct derive_set, sets->n);
	for (size_t i = 0; i < sets->n; i++) {
		struct slice option = slice_from(sets->at[i]);
		const char *equals = slice_chr(option, '=');
		size_t length = equals == NULL ? 0 : (size_t)(equals - option.at);
		struct derive_set set = {0};
		int r = derive_name(c, sets->at[i], slice_of(option.at, length), s, &set.attr);

		if (r == 0 && derive_find(d, set.attr.name) != NULL) {
			r = call_fail(c, ERR_USAGE, "--set: %.*s is given twice",
				      SLICE_ARG(set.attr.name));
		}
		r = r < 0 ? r
			  : derive_template(c, sets->at[i], slice_skip(option, length + 1), &set);
		if (r < 0) {
			return r;
		}
		d->sets[d->n++] = set;
	}
	*out = d;
	return derive_check_key(c, d, &s->key);
}

bool
derive_makes(const struct derive *d, struct slice name)
{
	return d != NULL && derive_find(d, name) != NULL;
}

struct slice
derive_takes(const struct derive *d)
{
	for (size_t i = 0; i < d->n; i++) {
		for (size_t k = 0; k < d->sets[i].n; k++) {
			if (d->sets[i].parts[k].name.len > 0) {
				return d->sets[i].parts[k].name;
			}
		}
	}
	return SLICE("");
}

/* ------------------------------------------------------------ an item */

static int
derive_put(struct call *c, struct slice name, const struct item *it, struct buf *text)
{
	const struct value *v = item_get(it, name);

	if (v == NULL) {
		return call_fail(c, ERR_VALIDATION, "there is no attribute %.*s", SLICE_ARG(name));
	}
	switch ((int)v->type) {
	case VALUE_S:
	case VALUE_N:
		buf_slice(text, v->text);
		return 0;
	case VALUE_BOOL:
		buf_str(text, v->truth ? "true" : "false");
		return 0;
	default:
		return call_fail(c, ERR_VALIDATION,
				 "%.*s is of type %s, not a string, a number, true or false",
				 SLICE_ARG(name), value_type_name(v->type));
	}
}

static int
derive_value(struct call *c, const struct derive_set *set, const struct item *it, struct value *out)
{
	struct buf text = {.arena = &c->arena};
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->n; i++) {
		buf_slice(&text, set->parts[i].text);
		if (set->parts[i].name.len > 0) {
			r = derive_put(c, set->parts[i].name, it, &text);
		}
	}
	r = r < 0 ? r : key_text_parse(c, &set->attr, buf_view(&text), out);
	return r < 0 ? call_prefix(c, "--set %.*s: ", SLICE_ARG(set->attr.name)) : 0;
}

int
derive_item(struct call *c, const struct derive *d, struct item *it)
{
	struct attr *at = arena_new(&c->arena, struct attr, it->n + d->n);
	struct item made = {.at = at};

	/* Attributes keep their order; new and replaced ones follow. */
	for (size_t i = 0; i < it->n; i++) {
		if (derive_find(d, it->at[i].name) == NULL) {
			at[made.n++] = it->at[i];
		}
	}
	for (size_t i = 0; i < d->n; i++) {
		at[made.n].name = d->sets[i].attr.name;
		int r = derive_value(c, &d->sets[i], it, &at[made.n++].value);

		if (r < 0) {
			return r;
		}
	}
	*it = made;
	return 0;
}
