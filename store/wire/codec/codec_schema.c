/*
 * codec_schema - converts the parts of a table's definition to the structs of model/schema.h and back
 *
 * A request is checked here only for errors that a struct schema cannot represent (the first key element is not HASH, a
 * key attribute is not defined); schema_check() does the rest.  An answer is accepted without checks.
 */
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/shape.h"

#define INVALID "One or more parameter values were invalid: "

/* ------------------------------------------------------------ keys of requests */

/* Append attribute names as error messages print them: "[a, b]". */
static void
codec_put_names(struct buf *b, const struct key_attr *at, size_t n)
{
	buf_char(b, '[');
	for (size_t i = 0; at != NULL && i < n; i++) {
		buf_str(b, i == 0 ? "" : ", ");
		buf_slice(b, at[i].name);
	}
	buf_char(b, ']');
}

static const struct key_attr *
codec_definition(const struct codec_definitions *d, struct slice name)
{
	for (size_t i = 0; i < d->n; i++) {
		if (slice_eq(d->at[i].name, name)) {
			return &d->at[i];
		}
	}
	return NULL;
}

static int
codec_fail_undefined(struct call *c, const struct key_attr *keys, size_t n,
		     const struct codec_definitions *d)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, INVALID "Some index key attributes are not defined in AttributeDefinitions. "
			    "Keys: ");
	codec_put_names(&b, keys, n);
	buf_str(&b, ", AttributeDefinitions: ");
	codec_put_names(&b, d->at, d->n);
	return call_fail(c, ERR_VALIDATION, "%.*s", SLICE_ARG(buf_view(&b)));
}

enum { LONG_KEY = 100 }; /* number of attributes that no valid key reaches */

/*
 * Set the type of each key attribute to that of its definition; @d: NULL if types are unknown.  Only the first LONG_KEY
 * attributes are looked up, since a longer key is refused later.
 */
static int
codec_define(struct call *c, struct key_attr *keys, size_t n, const struct codec_definitions *d)
{
	for (size_t i = 0; d != NULL && i < n && i < LONG_KEY; i++) {
		const struct key_attr *a = codec_definition(d, keys[i].name);

		if (a == NULL) {
			return codec_fail_undefined(c, keys, n, d);
		}
		keys[i].type = a->type;
	}
	return 0;
}

static int
codec_too_many(struct call *c, const char *type)
{
	return call_fail(c, ERR_VALIDATION,
			 INVALID "The KeySchema exceeds the maximum allowed number of %s key "
				 "attributes",
			 type);
}

/* Check that struct key_schema can hold a key: HASH before RANGE, and not too many of either. */
static int
codec_check_order(struct call *c, const struct codec_key *k, bool several)
{
	size_t n_range = 0;

	assert(k->n > 0);
	if (k->at[0].kind != CODEC_KEY_HASH) {
		return call_fail(
			c, ERR_VALIDATION,
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
	}
	if (!several && k->n > 1 && k->at[1].kind != CODEC_KEY_RANGE) {
		return call_fail(
			c, ERR_VALIDATION,
			"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
	}
	for (size_t i = 0; i < k->n; i++) {
		bool is_range = k->at[i].kind == CODEC_KEY_RANGE;

		n_range += is_range;
		if (!is_range && n_range > 0) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID "All HASH key attributes must precede RANGE key "
						 "attributes in the KeySchema");
		}
	}
	if (k->n - n_range > KEY_PART_MAX) {
		return codec_too_many(c, "HASH");
	}
	return n_range > KEY_PART_MAX ? codec_too_many(c, "RANGE") : 0;
}

/* Store the attributes in @out, as far as there is room. */
static void
codec_place(const struct codec_key *k, const struct key_attr *keys, struct key_schema *out)
{
	size_t n_pk = 0;
	size_t n_sk = 0;

	for (size_t i = 0; i < k->n; i++) {
		if (k->at[i].kind == CODEC_KEY_HASH && n_pk < KEY_PART_MAX) {
			out->pk[n_pk++] = keys[i];
		} else if (k->at[i].kind == CODEC_KEY_RANGE && n_sk < KEY_PART_MAX) {
			out->sk[n_sk++] = keys[i];
		}
	}
}

static struct key_attr *
codec_names_of(struct call *c, const struct codec_key *k)
{
	struct key_attr *keys = arena_new(&c->arena, struct key_attr, k->n);

	for (size_t i = 0; i < k->n; i++) {
		keys[i].name = k->at[i].name;
	}
	return keys;
}

/* A key without elements has been recorded as a fault already. */
int
codec_unpack_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		 bool several, struct key_schema *out)
{
	struct key_attr *keys = codec_names_of(c, k);
	int status = codec_define(c, keys, k->n, d);

	if (status == 0 && !several && k->n == 2 && slice_eq(keys[0].name, keys[1].name)) {
		status = call_fail(c, ERR_VALIDATION,
				   "Both the Hash Key and the Range Key element in the KeySchema "
				   "have the same name");
	}
	if (status == 0 && k->n > 0) {
		status = codec_check_order(c, k, several);
	}
	if (status == 0) {
		codec_place(k, keys, out);
	}
	return status;
}

int
codec_accept_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		 struct key_schema *out)
{
	struct key_attr *keys = codec_names_of(c, k);

	for (size_t i = 0; i < k->n; i++) {
		const struct key_attr *a = codec_definition(d, keys[i].name);

		keys[i].type = a == NULL ? VALUE_S : a->type;
	}
	codec_place(k, keys, out);
	return k->n == 0 || out->pk[0].name.len > 0
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "an answer with a key without a partition key");
}

int
codec_accept_table_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		       struct key_schema *out)
{
	int r = codec_accept_key(c, k, d, out);
	bool several = r == 0 && (key_part_n(out->pk) > 1 || key_part_n(out->sk) > 1);

	return several ? call_fail(
				 c, ERR_VALIDATION,
				 "an answer with a table whose key has several attributes of a kind")
		       : r;
}

/* ------------------------------------------------------------ indexes of requests */

int
codec_unpack_projection(struct call *c, const struct codec_projection *p, struct index *out)
{
	if (p->given && p->type == 0) {
		return call_fail(c, ERR_VALIDATION, INVALID "Unknown ProjectionType: null");
	}
	out->projection = p->type == 0 ? PROJECTION_ALL : (enum projection_type)(p->type - 1);
	if (p->include_given && out->projection != PROJECTION_INCLUDE) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "ProjectionType is %s, but NonKeyAttributes is specified",
				 codec_projection_words.at[p->type]);
	}
	out->include = p->include;
	out->n_include = p->n_include;
	return 0;
}

int
codec_unpack_index_key(struct call *c, const struct codec_index *ix,
		       const struct codec_definitions *d, bool global, struct index *out)
{
	*out = ix->of;
	out->global = global;
	out->read_units = ix->units.reads;
	out->write_units = ix->units.writes;
	return codec_unpack_key(c, &ix->key, d, global, &out->key);
}

int
codec_unpack_index(struct call *c, const struct codec_index *ix, const struct codec_definitions *d,
		   bool global, struct index *out)
{
	int status = codec_unpack_index_key(c, ix, d, global, out);

	return status < 0 ? status : codec_unpack_projection(c, &ix->projection, out);
}

static int
codec_accept_index(struct call *c, const struct codec_index *ix, const struct codec_definitions *d,
		   bool global, struct index *out)
{
	const struct codec_projection *p = &ix->projection;

	*out = ix->of;
	out->global = global;
	out->read_units = ix->units.reads;
	out->write_units = ix->units.writes;
	out->projection = p->type == 0 ? PROJECTION_ALL : (enum projection_type)(p->type - 1);
	if (out->projection == PROJECTION_INCLUDE) {
		out->include = p->include;
		out->n_include = p->n_include;
	}
	return codec_accept_key(c, &ix->key, d, &out->key);
}

int
codec_accept_indexes(struct call *c, const struct codec_indexes lists[2],
		     const struct codec_definitions *d, struct schema *out)
{
	assert(out->n_index == 0);
	out->index = arena_new(&c->arena, struct index, lists[0].n + lists[1].n);
	for (int global = 0; global < 2; global++) {
		for (size_t i = 0; i < lists[global].n; i++) {
			int status = codec_accept_index(c, &lists[global].at[i], d, global == 1,
							&out->index[out->n_index++]);

			if (status < 0) {
				return status;
			}
		}
	}
	return 0;
}

/* ------------------------------------------------------------ to JSON */

struct codec_key
codec_pack_key(struct codec_writer *w, const struct key_schema *k)
{
	struct codec_key_element *at =
		arena_new(&w->arena, struct codec_key_element, KEY_ATTRS_MAX);
	struct codec_key out = {.at = at};

	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(k, i);

		if (a->name.len > 0) {
			at[out.n++] = (struct codec_key_element){
				a->name, i < KEY_PART_MAX ? CODEC_KEY_HASH : CODEC_KEY_RANGE};
		}
	}
	return out;
}

/* Add the attributes of @k that are not yet in @out; @at: the array of @out */
static void
codec_add_definitions(const struct key_schema *k, struct key_attr *at,
		      struct codec_definitions *out)
{
	key_each (a, k) {
		if (codec_definition(out, a->name) == NULL) {
			at[out->n++] = *a;
		}
	}
}

struct codec_definitions
codec_pack_definitions(struct codec_writer *w, const struct schema *s, const struct key_attr *given,
		       size_t n)
{
	struct codec_definitions out = {given, n};

	if (n > 0) {
		return out;
	}
	struct key_attr *at =
		arena_new(&w->arena, struct key_attr, KEY_ATTRS_MAX * (s->n_index + 1));

	out.at = at;
	codec_add_definitions(&s->key, at, &out);
	for (size_t i = 0; i < s->n_index; i++) {
		codec_add_definitions(&s->index[i].key, at, &out);
	}
	return out;
}

struct codec_index
codec_pack_index(struct codec_writer *w, const struct index *ix)
{
	bool include = ix->projection == PROJECTION_INCLUDE;

	return (struct codec_index){
		.of = *ix,
		.key = codec_pack_key(w, &ix->key),
		.projection = {.given = true,
			       .type = ix->projection + 1U,
			       .include = ix->include,
			       .n_include = include ? ix->n_include : 0},
		.units = {ix->read_units != 0, ix->read_units, ix->write_units, 0},
		.warm_given = ix->warm.reads != 0 || ix->warm.writes != 0,
	};
}

struct codec_indexes
codec_pack_indexes(struct codec_writer *w, const struct index *at, size_t n, bool global)
{
	struct codec_index *out = arena_new(&w->arena, struct codec_index, n);
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (at[i].global == global) {
			out[count++] = codec_pack_index(w, &at[i]);
		}
	}
	return (struct codec_indexes){.at = out, .n = count};
}

struct slice
codec_pack_arn(struct codec_writer *w, struct slice table, const char *kind, struct slice id)
{
	struct buf arn;

	buf_init(&arn, &w->arena);
	arn_put_table(&arn, w->region, table);
	if (kind != NULL) {
		buf_fmt(&arn, "%s%.*s", kind, SLICE_ARG(id));
	}
	return buf_view(&arn);
}

/* ------------------------------------------------------------ encryption */

struct encryption
codec_unpack_encryption(const struct codec_encryption *e)
{
	return e->enabled ? (struct encryption){true, e->key} : (struct encryption){0};
}

struct codec_encryption
codec_pack_encryption(const struct encryption *e)
{
	return (struct codec_encryption){.given = e->on, .enabled = e->on, .key = e->key};
}
