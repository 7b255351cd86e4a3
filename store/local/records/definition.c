/* definition - the encoder and decoder of table definitions: version, keys and indexes */
#include "store/local/records/definition.h"

#include "store/base/core/ascii.h"
#include "store/local/records/definition_settings.h"
#include "store/local/records/reader.h"
#include "store/model/limits.h"

enum { DEFINITION_FORMAT = 1 };

static void
put_attr(struct buf *out, const struct key_attr *a)
{
	buf_text(out, a->name);
	buf_char(out, (char)a->type);
}

static void
definition_put_part(struct buf *out, const struct key_attr part[KEY_PART_MAX])
{
	size_t n = key_part_n(part);

	buf_char(out, (char)n);
	for (size_t i = 0; i < n; i++) {
		put_attr(out, &part[i]);
	}
}

static void
definition_put_key(struct buf *out, const struct key_schema *k)
{
	definition_put_part(out, k->pk);
	definition_put_part(out, k->sk);
}

static void
definition_put_index(struct buf *out, const struct index *ix)
{
	buf_text(out, ix->name);
	buf_char(out, ix->global);
	buf_u16be(out, ix->id);
	buf_char(out, (char)ix->state);
	buf_varint(out, ix->read_units);
	buf_varint(out, ix->write_units);
	definition_put_key(out, &ix->key);
	buf_char(out, (char)ix->projection);
	buf_varint(out, ix->n_include);
	for (size_t i = 0; i < ix->n_include; i++) {
		buf_text(out, ix->include[i]);
	}
}

void
definition_encode(struct buf *out, const struct schema *s)
{
	buf_char(out, DEFINITION_FORMAT);
	buf_u32be(out, s->id);
	buf_u32be(out, s->version);
	buf_u64be(out, s->created_ms);
	buf_char(out, s->provisioned);
	buf_varint(out, s->read_units);
	buf_varint(out, s->write_units);
	buf_u64be(out, s->on_demand_ms);
	definition_put_key(out, &s->key);
	buf_u16be(out, s->next_index);
	buf_varint(out, s->n_index);
	for (size_t i = 0; i < s->n_index; i++) {
		definition_put_index(out, &s->index[i]);
	}
	definition_settings_put(out, s);
}

/* ------------------------------------------------------------ reading */

static struct key_attr
get_attr(struct reader *r)
{
	struct key_attr a = {.name = get_text(r)};

	a.type = (enum value_type)get_choice(r, VALUE_TYPES);
	r->bad = r->bad || a.name.len == 0 || !value_is_ordered(a.type);
	return a;
}

static size_t
get_part(struct reader *r, size_t max, struct key_attr out[KEY_PART_MAX])
{
	size_t n = get_choice(r, (unsigned)max + 1);

	for (size_t i = 0; i < n; i++) {
		out[i] = get_attr(r);
	}
	return n;
}

/* @max: largest number of attributes in a part */
static struct key_schema
definition_get_key(struct reader *r, size_t max)
{
	struct key_schema k = {0};

	r->bad = get_part(r, max, k.pk) == 0 || r->bad;
	(void)get_part(r, max, k.sk);
	return k;
}

static void
get_index(struct reader *r, struct index *ix)
{
	ix->name = get_text(r);
	ix->global = get_choice(r, 2) == 1;
	ix->id = (uint16_t)get_be(r, sizeof(ix->id));
	ix->state = (enum index_state)get_choice(r, INDEX_DELETING + 1);
	ix->read_units = get_varint(r);
	ix->write_units = get_varint(r);
	ix->key = definition_get_key(r, ix->global ? KEY_PART_MAX : 1);
	ix->projection = (enum projection_type)get_choice(r, PROJECTION_INCLUDE + 1);
	ix->n_include = get_count(r);
	ix->include = arena_new(r->arena, struct slice, ix->n_include);
	for (size_t i = 0; i < ix->n_include; i++) {
		ix->include[i] = get_text(r);
	}
}

/* The same rule as in CreateTable, because front ends put the name into paths, lines and requests. */
static bool
definition_is_name(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		if (!ascii_word(name.at[i]) && name.at[i] != '.' && name.at[i] != '-') {
			return false;
		}
	}
	return name.len >= LIMIT_TABLE_NAME_MIN && name.len <= LIMIT_TABLE_NAME_MAX;
}

int
definition_decode(struct call *c, struct slice name, struct slice bytes, struct schema *out)
{
	struct reader r = reader_of(&c->arena, bytes);

	*out = (struct schema){.table = name};
	if (!definition_is_name(name)) {
		return call_fail(
			c, ERR_CORRUPT,
			"The store is damaged: a table has an invalid name. Restore a backup");
	}
	if (get_be(&r, 1) != DEFINITION_FORMAT) {
		return call_fail(c, ERR_CORRUPT, "table %.*s: not a definition", SLICE_ARG(name));
	}
	out->id = (uint32_t)get_be(&r, sizeof(out->id));
	out->version = (uint32_t)get_be(&r, sizeof(out->version));
	out->created_ms = get_be(&r, sizeof(out->created_ms));
	out->provisioned = get_choice(&r, 2) == 1;
	out->read_units = get_varint(&r);
	out->write_units = get_varint(&r);
	out->on_demand_ms = get_be(&r, sizeof(out->on_demand_ms));
	out->key = definition_get_key(&r, 1);
	out->next_index = (uint16_t)get_be(&r, sizeof(out->next_index));
	out->n_index = get_count(&r);
	out->index = arena_new(&c->arena, struct index, out->n_index);
	for (size_t i = 0; i < out->n_index && !r.bad; i++) {
		get_index(&r, &out->index[i]);
	}
	definition_settings_get(&r, out);
	if (!reader_at_end(&r)) {
		return call_fail(c, ERR_CORRUPT, "table %.*s: its definition is damaged",
				 SLICE_ARG(name));
	}
	return 0;
}
