/* mask - see mask.h; applies rules to items */
#include "tools/mask/mask.h"

#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/mask/mask_int.h"
#include "tools/text/text_lines.h"

/* The rules for a value and for the values in it. */
struct mask_at {
	const struct mask_node *node; /* node with rules for values in it; NULL: none */
	struct mask_rule *rule;     /* for the value, and values in it without a rule; NULL: keep */
	const struct key_attr *key; /* the key attribute that the value belongs to; NULL: none */
};

enum { MASK_GONE = 1 };

static int mask_value(struct masking *mk, struct mask_at at, const struct value *in,
		      struct value *out);

const struct mask_node *
mask_child(const struct mask_node *n, struct slice name)
{
	const struct mask_node *child = n->child;

	while (child != NULL && !slice_eq(child->name, name)) {
		child = child->next;
	}
	return child == NULL ? n->any : child;
}

/* Return the rules for the member @name of @at: its own rule, else that of "*", else that of @at. */
static struct mask_at
mask_below(struct mask_at at, struct slice name)
{
	struct mask_at below = {.rule = at.rule};

	if (at.node != NULL) {
		const struct mask_node *child = mask_child(at.node, name);

		if (at.node->any != NULL && at.node->any->rule != NULL) {
			below.rule = at.node->any->rule;
		}
		if (child != NULL && child->rule != NULL) {
			below.rule = child->rule;
		}
		below.node = mask_is_leaf(child) ? NULL : child;
	}
	return below;
}

/* ------------------------------------------------------------ one value: S, N or B */

/* Handle a value that a shift cannot change: fail for a key attribute, and redact others. */
static int
mask_odd(struct masking *mk, struct mask_at at, struct value *v)
{
	if (at.key != NULL) {
		struct buf place = {.arena = &mk->c->arena};

		text_put_place(&place, &mk->m->origin, at.rule->line);
		return call_fail(mk->c, ERR_VALIDATION,
				 "%.*sa value of the key attribute %.*s is not a %s; \"except\" "
				 "keeps it, and hash accepts all values",
				 SLICE_ARG(buf_view(&place)), SLICE_ARG(at.key->name),
				 at.rule->action == MASK_SHIFT ? "number" : "date");
	}
	v->text = v->type == VALUE_N ? SLICE("0") : at.rule->text;
	return 0;
}

/* Apply the rule to a text, or to a part of one. */
static int
mask_text(struct masking *mk, struct mask_at at, struct slice *text)
{
	struct value v = value_string(*text);
	int r = 0;

	switch (at.rule->action) {
	case MASK_HASH:
		v.text = mask_hash_text(mk, v.text);
		break;
	case MASK_FAKE:
		v.text = mask_fake_text(mk, at.rule->fake, v.text);
		break;
	case MASK_SHIFT_DAYS:
		r = mask_shift_days_text(mk, at.rule, v.text, &v.text) ? 0 : mask_odd(mk, at, &v);
		break;
	case MASK_SHIFT:
		r = mask_odd(mk, at, &v);
		break;
	case MASK_KEEP:
	case MASK_DROP:
	case MASK_REDACT:
		v.text = at.rule->text;
		break;
	}
	*text = v.text;
	return r;
}

/* Apply the rule to the text after the first separator, or to every second part. */
static int
mask_parts(struct masking *mk, struct mask_at at, struct slice *text)
{
	struct slice sep = at.rule->after;
	struct slice rest = *text;
	struct buf out = {.arena = &mk->c->arena};
	bool masks = false;

	assert(sep.len > 0);
	for (;;) {
		const char *end = masks && !at.rule->parts
					  ? NULL
					  : memmem(rest.at, rest.len, sep.at, sep.len);
		struct slice part =
			slice_of(rest.at, end == NULL ? rest.len : (size_t)(end - rest.at));
		int r = masks && part.len > 0 ? mask_text(mk, at, &part) : 0;

		if (r < 0) {
			return r;
		}
		buf_slice(&out, part);
		if (end == NULL) {
			break;
		}
		buf_slice(&out, sep);
		rest = slice_skip(rest, (size_t)(end - rest.at) + sep.len);
		masks = !masks;
	}
	*text = buf_view(&out);
	return 0;
}

static int
mask_string(struct masking *mk, struct mask_at at, struct value *v)
{
	const struct mask_rule *r = at.rule;

	if (r->after.len > 0 && v->text.len > 0 &&
	    memmem(v->text.at, v->text.len, r->after.at, r->after.len) != NULL) {
		return mask_parts(mk, at, &v->text);
	}
	return v->text.len == 0 ? 0 : mask_text(mk, at, &v->text);
}

static int
mask_string_again(struct masking *mk, struct mask_at at, struct value *v)
{
	struct mask_memo *memo = &mk->memos[at.rule->number];
	struct slice in = v->text;

	bool of_key = at.key != NULL;

	assert(at.rule->number < mk->m->n_rules);
	if (memo->in.at != NULL && memo->of_key == of_key && slice_eq(memo->in, in)) {
		v->text = memo->out;
		return 0;
	}
	int r = mask_string(mk, at, v);

	if (r == 0) {
		*memo = (struct mask_memo){.in = in, .out = v->text, .of_key = of_key};
	}
	return r;
}

static int
mask_number(struct masking *mk, struct mask_at at, struct value *v)
{
	bool done = true;

	switch (at.rule->action) {
	case MASK_HASH:
		*v = mask_hash(mk, v);
		break;
	case MASK_SHIFT:
		done = mask_shift_number(mk, v->text, &at.rule->shift, &v->text);
		break;
	case MASK_SHIFT_DAYS:
		done = mask_shift_days_number(mk, at.rule, v->text, &v->text);
		break;
	case MASK_KEEP:
	case MASK_DROP:
	case MASK_REDACT:
	case MASK_FAKE:
		v->text = SLICE("0");
		break;
	}
	return done ? 0 : mask_odd(mk, at, v);
}

static int
mask_binary(struct masking *mk, struct mask_at at, struct value *v)
{
	if (at.rule->action == MASK_HASH) {
		*v = mask_hash(mk, v);
		return 0;
	}
	if (at.rule->action == MASK_SHIFT || at.rule->action == MASK_SHIFT_DAYS) {
		return mask_odd(mk, at, v);
	}
	v->text = at.rule->text;
	return 0;
}

static bool
mask_excepts(const struct mask_rule *r, const struct value *v)
{
	for (size_t i = 0; i < r->n_except; i++) {
		if (slice_eq(r->except[i], v->text)) {
			return true;
		}
	}
	return false;
}

/* Return the rule for this value among those for its path, and mark it as used. */
static struct mask_rule *
mask_choose(struct mask_rule *r, const struct value *v)
{
	while (r != NULL && r->when.len > 0 &&
	       !(v->type == VALUE_S && slice_starts(v->text, r->when))) {
		r = r->other;
	}
	if (r != NULL && !r->used) {
		r->used = true;
	}
	return r;
}

/* Return: 0; MASK_GONE: the rule drops the value; an error */
static int
mask_scalar(struct masking *mk, struct mask_at at, struct value *v)
{
	at.rule = mask_choose(at.rule, v);
	if (at.rule == NULL || at.rule->action == MASK_KEEP || mask_excepts(at.rule, v)) {
		return 0;
	}
	if (at.rule->action == MASK_DROP) {
		return MASK_GONE;
	}
	return v->type == VALUE_S   ? mask_string_again(mk, at, v)
	       : v->type == VALUE_N ? mask_number(mk, at, v)
				    : mask_binary(mk, at, v);
}

/* ------------------------------------------------------------ sets, lists, maps */

/* Mask the members of a set, and remove duplicates.  Return: 0; MASK_GONE: no member is left; an error */
static int
mask_set(struct masking *mk, struct mask_at at, struct value *v)
{
	struct values out = {.at = arena_new(&mk->c->arena, struct value, v->list.n + 1)};

	for (size_t i = 0; i < v->list.n; i++) {
		struct value member = v->list.at[i];
		bool twice = false;
		int r = mask_scalar(mk, at, &member);

		if (r < 0) {
			return r;
		}
		for (size_t k = 0; k < out.n && !twice; k++) {
			twice = value_eq(&out.at[k], &member);
		}
		if (!twice && r == 0) {
			out.at[out.n++] = member;
		}
	}
	v->list = out;
	return out.n == 0 ? MASK_GONE : 0;
}

static int
mask_list(struct masking *mk, struct mask_at at, struct value *v)
{
	struct values out = {.at = arena_new(&mk->c->arena, struct value, v->list.n + 1)};
	struct mask_at each = {.rule = at.rule};

	if (at.node != NULL && at.node->each != NULL) {
		each.node = mask_is_leaf(at.node->each) ? NULL : at.node->each;
		each.rule = at.node->each->rule != NULL ? at.node->each->rule : at.rule;
	}
	for (size_t i = 0; i < v->list.n; i++) {
		int r = mask_value(mk, each, &v->list.at[i], &out.at[out.n]);

		if (r < 0) {
			return r;
		}
		out.n += r == 0;
	}
	v->list = out;
	return 0;
}

/* @key: of the table, if @map is an item; NULL: a map in an item */
static int
mask_map(struct masking *mk, struct mask_at at, const struct key_schema *key, struct item *map)
{
	struct item out = {.at = arena_new(&mk->c->arena, struct attr, map->n + 1)};

	for (size_t i = 0; i < map->n; i++) {
		struct mask_at below = mask_below(at, map->at[i].name);

		if (key != NULL) {
			below.key = key_schema_attr(key, map->at[i].name);
		}
		int r = mask_value(mk, below, &map->at[i].value, &out.at[out.n].value);

		if (r < 0) {
			return r;
		}
		if (r == 0) {
			out.at[out.n++].name = map->at[i].name;
		}
	}
	*map = out;
	return 0;
}

/* Return true if the rules change nothing in the value. */
static bool
mask_keeps(struct mask_at at)
{
	return at.node == NULL &&
	       (at.rule == NULL || (at.rule->when.len == 0 && at.rule->action == MASK_KEEP));
}

/* Return: 0; MASK_GONE: the rule drops the value; an error */
static int
mask_value(struct masking *mk, struct mask_at at, const struct value *in, struct value *out)
{
	*out = *in;
	if (value_is_ordered(in->type)) {
		return mask_scalar(mk, at, out);
	}
	const struct mask_rule *r = mask_choose(at.rule, in);

	if (mask_keeps(at)) {
		return 0;
	}
	if (r != NULL && r->action == MASK_DROP && at.node == NULL) {
		return MASK_GONE;
	}
	if (in->type == VALUE_L) {
		return mask_list(mk, at, out);
	}
	if (in->type == VALUE_M) {
		return mask_map(mk, at, NULL, &out->map);
	}
	if (in->type == VALUE_BOOL) {
		out->truth = in->truth && (r == NULL || r->action != MASK_REDACT);
	}
	return value_is_set(in->type) ? mask_set(mk, at, out) : 0;
}

int
mask_items(struct call *c, const struct mask *m, const struct key_schema *key, struct item *items,
	   size_t n)
{
	struct masking mk = {.c = c, .m = m};
	int r = 0;

	mk.memos = arena_new(&c->arena, struct mask_memo, m->n_rules + 1);
	if (m->key != NULL) {
		mk.key = *m->key;
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		r = mask_map(&mk, (struct mask_at){.node = &m->root}, key, &items[i]);
	}
	return r;
}
