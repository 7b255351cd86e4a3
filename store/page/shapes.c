/* shapes - turns kinds of items into results: templates as texts, attributes with names, examples */
#include "store/page/shapes.h"

#include "store/base/core/max.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/page/picture.h"
#include "store/page/shapes_int.h"

enum { EXAMPLE_BUDGET = 4 * 1024 * 1024 }; /* bytes of memory to read an example */

/* ------------------------------------------------------------ results */

static const char *
looks_name(unsigned looks)
{
	switch (looks) {
	case LOOK_N:
	case LOOK_N | LOOK_TIME:
		return "<n>";
	case LOOK_TIME:
		return "<timestamp>";
	case LOOK_ULID:
		return "<ulid>";
	case LOOK_KSUID:
		return "<ksuid>";
	case LOOK_HASH:
		return "<hash>";
	default:
		return (looks & LOOK_TEXT) != 0 ? "<text>" : "<id>";
	}
}

static void
put_piece(struct buf *b, const struct shapes_node *p)
{
	static const char *const names[] = {[PIECE_DATE] = "<date>",
					    [PIECE_UUID] = "<uuid>",
					    [PIECE_EMAIL] = "<email>",
					    [PIECE_URL] = "<url>",
					    [PIECE_BINARY] = "<binary>"};

	buf_slice(b, p->text);
	if (p->piece != PIECE_FIXED) {
		buf_str(b, p->piece == PIECE_ID ? looks_name(p->looks) : names[p->piece]);
	}
}

/* Return: the template of the key attributes from @first to @end - 1. */
static struct slice
shapes_template(struct arena *a, const struct shapes_kind *kind, size_t first, size_t end)
{
	struct buf b;
	bool glued = false;
	size_t before = first;

	buf_init(&b, a);
	for (size_t i = 0; i < kind->n; i++) {
		const struct shapes_node *p = &kind->pieces[i];

		if (p->attribute < first || p->attribute >= end) {
			continue;
		}
		if (p->attribute != before) {
			buf_str(&b, " + ");
			glued = false;
		}
		before = p->attribute;
		if (!glued || p->piece == PIECE_FIXED) {
			put_piece(&b, p);
		}
		if (p->separator != '\0') {
			buf_char(&b, p->separator);
		}
		glued = p->piece != PIECE_FIXED && p->separator == '\0';
	}
	return buf_view(&b);
}

static int
compare_attrs(const void *a, const void *b)
{
	const struct shape_attr *x = a;
	const struct shape_attr *y = b;

	return x->items != y->items ? (x->items < y->items) - (x->items > y->items)
				    : slice_cmp(x->name, y->name);
}

static void
shape_attrs(struct arena *a, const struct shapes_kinds *k, const struct shapes_kind *kind,
	    struct shape *out)
{
	struct shape_attr *attrs =
		arena_new(&k->sample->arena, struct shape_attr, kind->n_attrs + 1);
	size_t unseen = 0;

	for (size_t i = 0; i < kind->items; i++) {
		unseen = max_of(unseen, kind->members[i]->unseen);
	}
	for (size_t i = 0; i < kind->n_attrs; i++) {
		const struct shapes_kind_attr *at = &kind->attrs[i];

		attrs[i] = (struct shape_attr){.name = k->sample->names.at[at->name],
					       .items = at->items};
		for (size_t t = 0; t < VALUE_TYPES; t++) {
			attrs[i].types[t] = at->types[t];
		}
	}
	qsort(attrs, kind->n_attrs, sizeof(*attrs), compare_attrs);
	out->n_attrs = kind->n_attrs < SHAPE_ATTRS_MOST ? kind->n_attrs : SHAPE_ATTRS_MOST;
	out->attrs_left_out = kind->n_attrs - out->n_attrs + unseen;
	out->attrs = arena_new(a, struct shape_attr, out->n_attrs);
	for (size_t i = 0; i < out->n_attrs; i++) {
		out->attrs[i] = attrs[i];
		out->attrs[i].name = slice_copy(a, attrs[i].name);
	}
}

/* Return: the first member of the largest collection except the first collection; NULL: there is no other. */
static const struct shapes_item *
other_collection(const struct shapes_kinds *k, const struct shapes_kind *kind)
{
	const struct shapes_item *best = NULL;
	size_t most = 0;
	size_t end;

	for (size_t i = 0; i < kind->items; i = end) {
		for (end = i + 1;
		     end < kind->items && shapes_same_collection(k->sample, &kind->members[i]->keys,
								 &kind->members[end]->keys);
		     end++) {
		}
		if (i > 0 && end - i > most) {
			most = end - i;
			best = kind->members[i];
		}
	}
	return best;
}

static void
shape_members(struct arena *a, const struct shapes_kinds *k, const struct shapes_kind *kind,
	      struct shape *out)
{
	const struct schema *s = k->sample->schema;
	uint64_t *in_index = arena_new(a, uint64_t, s->n_index + 1);
	const struct shapes_item *other = other_collection(k, kind);

	for (size_t i = 0; i < kind->items; i++) {
		for (size_t x = 0; x < s->n_index && x < 64; x++) {
			in_index[x] += kind->members[i]->indexes >> x & 1;
		}
	}
	if (k->sample->index == NULL || k->sample->index->projection == PROJECTION_ALL) {
		out->in_index = in_index;
	}
	out->keys[out->n_keys++] = item_copy(a, &kind->members[0]->keys);
	if (other != NULL) {
		out->keys[out->n_keys++] = item_copy(a, &other->keys);
	}
}

int
shape_example(struct call *c, struct engine *e, const struct schema *s, const struct shape *shape,
	      struct item *out)
{
	struct get_item_in in = {.table = s->table};
	struct get_item_out got = {0};
	struct call own;

	assert(shape->n_keys > 0);
	in.key.at = arena_new(&c->arena, struct attr, KEY_ATTRS_MAX);
	for (size_t i = 0; i < shape->keys[0].n; i++) {
		if (key_schema_has(&s->key, shape->keys[0].at[i].name)) {
			in.key.at[in.key.n++] = shape->keys[0].at[i];
		}
	}
	call_open(&own, c->now_ms, EXAMPLE_BUDGET);
	call_for(&own, c);

	int r = engine_get_item(e, &own, &in, &got);

	if (r < 0 && r != -ERR_ACCESS) { /* the user may be allowed to scan, but not to get items */
		r = call_adopt(c, &own);
	} else if (got.found && item_size(&got.item) <= SHAPE_EXAMPLE_SIZE) {
		*out = item_copy(&c->arena, &got.item);
	} else {
		*out = in.key;
		r = 0;
	}
	call_close(&own);
	return r;
}

/* Append the fixed words of a template, for example CUSTOMER of CUSTOMER#<n>. */
static void
shapes_put_words(struct buf *out, struct slice shapes_template)
{
	size_t from = out->len;
	bool varies = false;

	for (size_t i = 0; i < shapes_template.len; i++) {
		char ch = shapes_template.at[i];
		bool ends = varies || ch == '<' || strchr("#|:/+ ", ch) != NULL;

		varies = ch == '<' || (varies && ch != '>');
		if (!ends) {
			buf_char(out, ch);
		} else if (out->len > from && out->at[out->len - 1] != ' ') {
			buf_char(out, ' ');
		}
	}
	out->len -= out->len > from && out->at[out->len - 1] == ' ';
}

/* Return: the name of a kind from its key: its fixed words, "CUSTOMER ORDER", or else its templates. */
static struct slice
shape_words(struct arena *a, const struct shape *shape)
{
	struct buf pk, sk;

	buf_init(&pk, a);
	buf_init(&sk, a);
	shapes_put_words(&pk, shape->pk);
	shapes_put_words(&sk, shape->sk);
	if (pk.len + sk.len == 0) {
		buf_slice(&pk, shape->pk);
		buf_slice(&sk, shape->sk);
	}
	if (sk.len > 0 && !slice_eq(buf_view(&pk), buf_view(&sk))) {
		buf_fmt(&pk, "%s%.*s", pk.len > 0 ? " " : "", SLICE_ARG(buf_view(&sk)));
	}
	return buf_view(&pk);
}

static void
kinds_tell(struct call *c, struct shapes_kinds *k, struct shapes *out)
{
	const struct key_schema *key = k->sample->key;
	size_t n_pk = key_part_n(key->pk);
	bool named = false;

	out->at = arena_new(&c->arena, struct shape, SHAPES_MOST);
	out->left_out = k->left_out;
	out->items_left_out = k->items_left_out;
	for (size_t i = 0; i < k->n && k->at[i].items > 0; i++) {
		const struct shapes_kind *kind = &k->at[i];

		if (out->n == SHAPES_MOST) {
			out->left_out++;
			out->items_left_out += kind->items;
			continue;
		}
		struct shape *shape = &out->at[out->n++];

		shape->items = kind->items;
		shape->name = slice_copy(&c->arena, k->sample->names.at[kind->entity]);
		named = named || shape->name.len > 0;
		shape->pk = shapes_template(&c->arena, kind, 0, n_pk);
		shape->sk = shapes_template(&c->arena, kind, n_pk, KEY_ATTRS_MAX);
		shape_attrs(&c->arena, k, kind, shape);
		shape_members(&c->arena, k, kind, shape);
	}
	for (size_t i = 0; named && i < out->n; i++) {
		if (out->at[i].name.len == 0) {
			out->at[i].name = shape_words(&c->arena, &out->at[i]);
		}
	}
}

int
shapes_find(struct call *c, struct engine *e, const struct table_info *table,
	    const struct shapes_options *o, struct shapes *out)
{
	const struct schema *schema = table->schema;
	struct shapes_sample s = {.schema = schema, .totals = table->totals};
	size_t sample = o->sample == 0 ? SHAPES_SAMPLE : o->sample;

	*out = (struct shapes){.schema = schema};
	if (o->index.len > 0) {
		s.index = schema_view(schema, o->index);
		if (s.index == NULL) {
			return call_fail(c, ERR_NO_INDEX,
					 "The table %.*s has no index %.*s that is complete",
					 SLICE_ARG(schema->table), SLICE_ARG(o->index));
		}
		s.totals = table->index_totals[s.index - schema->index];
	}
	s.key = schema_key(schema, s.index);
	out->index = s.index;
	out->total = s.totals.items;
	arena_init(&s.arena, SIZE_MAX);

	int r = shapes_read(c, e, table, sample < SHAPES_SAMPLE_MOST ? sample : SHAPES_SAMPLE_MOST,
			    &s);

	out->sampled = s.n;
	out->whole = s.whole;
	if (r == 0) {
		struct shapes_kinds k = {.sample = &s};

		shapes_split(&s);
		shapes_kinds_find(&k);
		kinds_tell(c, &k, out);
	}
	arena_drop(&s.arena);
	return r;
}

/* ------------------------------------------------------------ words */

static void
put_count(struct buf *out, uint64_t n, const char *what)
{
	picture_number(out, n);
	buf_fmt(out, " %s%s", what, n == 1 ? "" : "s");
}

void
shapes_note(const struct shapes *s, struct buf *out)
{
	put_count(out, s->n + s->left_out, "kind");
	if (s->whole) {
		buf_str(out, " of ");
		put_count(out, s->sampled, "item");
	} else {
		buf_str(out, ", from a sample of ");
		picture_number(out, s->sampled);
		buf_str(out, " of about ");
		put_count(out, s->total > s->sampled ? s->total : s->sampled, "item");
	}
	if (s->left_out > 0) {
		buf_str(out, "; the rarest ");
		put_count(out, s->left_out, "kind");
		buf_str(out, " with ");
		put_count(out, s->items_left_out, "item");
		buf_str(out, s->left_out == 1 ? " is left out" : " are left out");
	}
}

void
shape_put_share(struct buf *out, uint64_t n, uint64_t of)
{
	uint64_t percent = of == 0 ? 100 : n * 100 / of;

	if (n < of) {
		buf_fmt(out, percent == 0 ? " <1%%" : " %u%%", (unsigned)percent);
	}
}

void
shape_put_attr(const struct shape *s, const struct shape_attr *a, struct buf *out)
{
	size_t n = 0;

	for (size_t t = 0; t < VALUE_TYPES; t++) {
		if (a->types[t] == 0) {
			continue;
		}
		buf_fmt(out, "%s%s", n++ == 0 ? "" : ", ", value_type_name((enum value_type)t));
		shape_put_share(out, a->types[t], s->items);
	}
}
