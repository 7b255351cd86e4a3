/*
 * codec_schema - the parts of a table's definition: rows, and what they become
 *
 * A request is judged here as far as a struct schema cannot hold what is wrong
 * with it (the first key is no HASH, a key attribute is not defined); the rest
 * is schema_check()'s.  An answer is accepted as it is.
 */
#include "store/base/text/json.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

#define INVALID "One or more parameter values were invalid: "

/* ------------------------------------------------------------ rows */

static const struct shape_rule codec_attribute_rule = {.min = 1, .max = LIMIT_KEY_NAME_BYTES};
const struct shape_rule codec_table_key_rule = {.min = 1, .max = 2};
const struct shape_rule codec_new_name_rule = {
	.name = true, .min = LIMIT_TABLE_NAME_MIN, .max = LIMIT_TABLE_NAME_MAX};

#define CODEC_ROW_ATTRIBUTE(type, field) \
	SHAPE_ROW(type, field, "AttributeName", SHAPE_STRING, \
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = &codec_attribute_rule)

/* In the order of enum value_type. */
static const char *const codec_types[] = {"S", "N", "B", NULL};
static const struct shape_words codec_type_words = {.at = codec_types, .set = "[B, N, S]"};

static const struct shape_member codec_definition_members[] = {
	CODEC_ROW_ATTRIBUTE(struct key_attr, name),
	SHAPE_ROW(struct key_attr, type, "AttributeType", SHAPE_ENUM,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_ANSWERED,
		  .words = &codec_type_words),
};
const struct shape codec_definition_shape = {
	.class = SHAPE_CLASS("AttributeDefinition"),
	SHAPE_MEMBERS(struct key_attr, codec_definition_members)};

/* In the order of enum codec_key_kind. */
static const char *const codec_kinds[] = {"", "HASH", "RANGE", NULL};
static const struct shape_words codec_kind_words = {.at = codec_kinds, .set = "[HASH, RANGE]"};

static const struct shape_member codec_key_members[] = {
	CODEC_ROW_ATTRIBUTE(struct codec_key_element, name),
	SHAPE_ROW(struct codec_key_element, kind, "KeyType", SHAPE_ENUM,
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .words = &codec_kind_words),
};
const struct shape codec_key_shape = {.class = SHAPE_CLASS("KeySchemaElement"),
				      SHAPE_MEMBERS(struct codec_key_element, codec_key_members)};

#define CODEC_ROW_UNIT(field, name) \
	SHAPE_ROW(struct codec_units, field, name, SHAPE_LONG, \
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_QUOTED, \
		  .rule = &codec_positive_rule)
static const struct shape_member codec_units_members[] = {
	CODEC_ROW_UNIT(reads, "ReadCapacityUnits"),
	CODEC_ROW_UNIT(writes, "WriteCapacityUnits"),
};
const struct shape codec_units_shape = {.class = SHAPE_CLASS("ProvisionedThroughput"),
					SHAPE_MEMBERS(struct codec_units, codec_units_members)};

/* From 1, in the order of enum projection_type. */
static const char *const codec_projections[] = {"", "ALL", "KEYS_ONLY", "INCLUDE", NULL};
static const struct shape_words codec_projection_words = {.at = codec_projections,
							  .set = "[ALL, INCLUDE, KEYS_ONLY]"};

static const struct shape_member codec_projection_members[] = {
	SHAPE_ROW(struct codec_projection, type, "ProjectionType", SHAPE_ENUM,
		  .words = &codec_projection_words),
	SHAPE_ROW(struct codec_projection, include, "NonKeyAttributes", SHAPE_LIST,
		  SHAPE_COUNT(struct codec_projection, n_include),
		  SHAPE_GIVEN(struct codec_projection, include_given), .of = &shape_strings,
		  .rule = &codec_filled_rule),
};
const struct shape codec_projection_shape = {
	.class = SHAPE_CLASS("Projection"),
	SHAPE_MEMBERS(struct codec_projection, codec_projection_members)};

#define CODEC_ROW_NEW_INDEX \
	SHAPE_ROW(struct codec_index, name, "IndexName", SHAPE_STRING, \
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = &codec_new_name_rule)

static const struct shape_member codec_local_members[] = {
	CODEC_ROW_NEW_INDEX,
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, &codec_table_key_rule),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
};
const struct shape codec_local_shape = {.class = SHAPE_CLASS("LocalSecondaryIndex"),
					SHAPE_MEMBERS(struct codec_index, codec_local_members)};

static const struct shape_member codec_global_members[] = {
	CODEC_ROW_NEW_INDEX,
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, &codec_filled_rule),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
	CODEC_ROW_UNITS(struct codec_index, units, "ProvisionedThroughput", 0),
	CODEC_ROW_ON_DEMAND(struct codec_index, on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_index, warm, &codec_warm_shape),
};
const struct shape codec_global_shape = {.class = SHAPE_CLASS("GlobalSecondaryIndex"),
					 SHAPE_MEMBERS(struct codec_index, codec_global_members)};
const struct shape codec_create_shape = {.class = SHAPE_CLASS("CreateGlobalSecondaryIndexAction"),
					 SHAPE_MEMBERS(struct codec_index, codec_global_members)};

static const char *const codec_modes[] = {"", "PROVISIONED", "PAY_PER_REQUEST", NULL};
const struct shape_words codec_mode_words = {.at = codec_modes,
					     .set = "[PROVISIONED, PAY_PER_REQUEST]"};

static const char *const codec_classes[] = {"", "STANDARD_INFREQUENT_ACCESS", "STANDARD", NULL};
const struct shape_words codec_class_words = {
	.at = codec_classes,
	.wrong = "Invalid table-class parameter provided. Please try again "
		 "with a valid table-class value: [STANDARD, "
		 "STANDARD_INFREQUENT_ACCESS]."};

/* From 1; the service has no other. */
static const char *const codec_encryption_types[] = {"", "AES256", "KMS", NULL};
static const struct shape_words codec_encryption_words = {.at = codec_encryption_types,
							  .set = "[AES256, KMS]"};

static const struct shape_member codec_encryption_members[] = {
	SHAPE_ROW(struct codec_encryption, enabled, "Enabled", SHAPE_BOOL, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_encryption, type, "SSEType", SHAPE_ENUM,
		  .words = &codec_encryption_words),
	CODEC_ROW_STRING(struct codec_encryption, key, "KMSMasterKeyId"),
};
const struct shape codec_encryption_shape = {
	.class = SHAPE_CLASS("SSESpecification"),
	SHAPE_MEMBERS(struct codec_encryption, codec_encryption_members)};

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

/* A limit, or -1 for none. */
static int
codec_read_limit(struct codec_reader *r, const struct json *json, void *field)
{
	uint64_t v = 0;

	if (json->type != JSON_NUMBER) {
		return typed_json_not_scalar(r->c, json, "Long");
	}
	int status = codec_amount(r, json->text, 0, &v);

	if (status == 0 && field != NULL) {
		*(uint64_t *)field = v;
	}
	return status;
}

static bool
codec_limit_given(const void *field)
{
	(void)field;
	return true;
}

static void
codec_write_limit(struct codec_writer *w, const void *field)
{
	uint64_t v = *(const uint64_t *)field;

	if (v == 0) {
		json_raw(&w->json, SLICE("-1"));
	} else {
		json_uint(&w->json, v);
	}
}

const struct shape_custom codec_limit = {codec_read_limit, codec_limit_given, codec_write_limit};

static const struct shape_member codec_on_demand_members[] = {
	SHAPE_ROW(struct on_demand, reads, "MaxReadRequestUnits", SHAPE_CUSTOM,
		  .custom = &codec_limit),
	SHAPE_ROW(struct on_demand, writes, "MaxWriteRequestUnits", SHAPE_CUSTOM,
		  .custom = &codec_limit),
};
const struct shape codec_on_demand_shape = {
	.class = SHAPE_CLASS("OnDemandThroughput"),
	SHAPE_MEMBERS(struct on_demand, codec_on_demand_members)};

#define CODEC_ROWS_WARM \
	SHAPE_ROW(struct codec_warm, of.reads, "ReadUnitsPerSecond", SHAPE_LONG, \
		  .rule = &codec_positive_rule), \
		SHAPE_ROW(struct codec_warm, of.writes, "WriteUnitsPerSecond", SHAPE_LONG, \
			  .rule = &codec_positive_rule)
static const struct shape_member codec_warm_members[] = {CODEC_ROWS_WARM};
const struct shape codec_warm_shape = {.class = SHAPE_CLASS("WarmThroughput"),
				       SHAPE_MEMBERS(struct codec_warm, codec_warm_members)};

static const struct shape_words codec_warmed_words = {.set = "ACTIVE"};
static const struct shape_member codec_warmed_members[] = {
	CODEC_ROWS_WARM,
	{.name = SLICE_INIT("Status"), .kind = SHAPE_CONSTANT, .words = &codec_warmed_words},
};
const struct shape codec_warmed_shape = {.class = SHAPE_CLASS("TableWarmThroughputDescription"),
					 SHAPE_MEMBERS(struct codec_warm, codec_warmed_members)};

/* ------------------------------------------------------------ keys of requests */

/* "[a, b]" of attribute names, as complaints print them. */
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

enum { LONG_KEY = 100 }; /* attributes: more than any key may have */

/* Give each key attribute the type it is defined with; @d NULL: types are not known.  A key that is far too long is refused later. */
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

/* What struct key_schema can hold: HASH before RANGE, not too many of them. */
static int
codec_check_order(struct call *c, const struct codec_key *k, bool several)
{
	size_t n_range = 0;

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

/* As far as there is room. */
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

/* Without elements there is a fault already. */
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
				 codec_projections[p->type]);
	}
	out->include = p->include;
	out->n_include = p->n_include;
	return 0;
}

int
codec_unpack_index_key(struct call *c, const struct codec_index *ix,
		       const struct codec_definitions *d, bool global, struct index *out)
{
	out->name = ix->name;
	out->global = global;
	out->read_units = ix->units.reads;
	out->write_units = ix->units.writes;
	out->on_demand = ix->on_demand;
	out->warm = ix->warm.of;
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
		   struct index *out)
{
	const struct codec_projection *p = &ix->projection;

	out->name = ix->name;
	out->read_units = ix->units.reads;
	out->write_units = ix->units.writes;
	out->on_demand = ix->on_demand;
	out->warm = ix->warm.of;
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
	out->index = arena_new(&c->arena, struct index, lists[0].n + lists[1].n);
	for (int global = 0; global < 2; global++) {
		for (size_t i = 0; i < lists[global].n; i++) {
			struct index *ix = &out->index[out->n_index++];

			ix->global = global == 1;
			int status = codec_accept_index(c, &lists[global].at[i], d, ix);

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

/* The attributes of @k that are not yet among them. */
static void
codec_add_definitions(const struct key_schema *k, struct key_attr *at,
		      struct codec_definitions *out)
{
	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *a = key_slot(k, i);

		if (a->name.len > 0 && codec_definition(out, a->name) == NULL) {
			at[out->n++] = *a;
		}
	}
}

/* @given: as the request has them; none: what the keys use */
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
		.name = ix->name,
		.key = codec_pack_key(w, &ix->key),
		.projection = {.given = true,
			       .type = ix->projection + 1U,
			       .include = ix->include,
			       .n_include = include ? ix->n_include : 0},
		.units = {ix->read_units != 0, ix->read_units, ix->write_units, 0},
		.on_demand = ix->on_demand,
		.warm = {ix->warm.reads != 0 || ix->warm.writes != 0, ix->warm},
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
