/* definition - the encoder and decoder of table definitions: version, keys, indexes, settings */
#include "store/local/records/definition.h"

#include "store/local/records/reader.h"
#include "store/model/limits.h"

enum { DEFINITION_FORMAT = 1 };

/* The numbers are part of the format. */
enum setting {
	SETTING_PROTECTED = 1,
	SETTING_CLASS,
	SETTING_TTL,
	SETTING_STREAM,
	SETTING_TAGS,
	SETTING_THROTTLE,
	SETTING_COLLECTION_LIMIT,
	SETTING_RECOVERY = 8,
	SETTING_CREATING = 10,
	SETTING_RESTORED,
	SETTING_UUID,
	SETTING_ON_DEMAND,
	SETTING_WARM,
	SETTING_ENCRYPTION,
	SETTING_INDEX_ON_DEMAND,
	SETTING_INDEX_WARM,
	SETTING_CLASS_MS,
};

static void
definition_put_part(struct buf *out, const struct key_attr part[KEY_PART_MAX])
{
	size_t n = key_part_n(part);

	buf_char(out, (char)n);
	for (size_t i = 0; i < n; i++) {
		buf_text(out, part[i].name);
		buf_char(out, (char)part[i].type);
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

/* The settings written so far. */
struct settings {
	struct buf bytes;
	unsigned n;
	struct buf value; /* of the setting that is being written */
};

/* End the setting @tag. It is left out if its value is empty: it has its default. */
static void
end_setting(struct settings *to, enum setting tag)
{
	if (to->value.len > 0) {
		buf_char(&to->bytes, (char)tag);
		buf_text(&to->bytes, buf_view(&to->value));
		buf_clear(&to->value);
		to->n++;
	}
}

static void
put_choice(struct settings *to, enum setting tag, unsigned choice)
{
	if (choice != 0) {
		buf_char(&to->value, (char)choice);
	}
	end_setting(to, tag);
}

static void
put_bytes(struct settings *to, enum setting tag, struct slice bytes)
{
	buf_slice(&to->value, bytes);
	end_setting(to, tag);
}

static void
definition_put_number(struct settings *to, enum setting tag, uint64_t n)
{
	if (n != 0) {
		buf_varint(&to->value, n);
	}
	end_setting(to, tag);
}

static void
put_properties(struct settings *to, const struct schema *s)
{
	struct buf *value = &to->value;

	put_choice(to, SETTING_PROTECTED, s->protected);
	put_choice(to, SETTING_CLASS, s->table_class);
	put_bytes(to, SETTING_TTL, s->ttl);
	if (s->stream.label_ms != 0) {
		buf_char(value, (char)s->stream.view);
		buf_u64be(value, s->stream.id);
		buf_u64be(value, s->stream.label_ms);
	}
	end_setting(to, SETTING_STREAM);
	for (size_t i = 0; i < s->n_tags; i++) {
		buf_text(value, s->tags[i].key);
		buf_text(value, s->tags[i].value);
	}
	end_setting(to, SETTING_TAGS);
	put_choice(to, SETTING_THROTTLE, s->throttle);
	definition_put_number(to, SETTING_COLLECTION_LIMIT, s->collection_limit);
	if (s->recovery_ms != 0) {
		buf_u64be(value, s->recovery_ms);
		buf_varint(value, s->recovery_days);
	}
	end_setting(to, SETTING_RECOVERY);
	put_choice(to, SETTING_CREATING, s->creating);
	if (s->restored.backup.len > 0) {
		buf_u64be(value, s->restored.at_ms);
		buf_text(value, s->restored.table);
		buf_slice(value, s->restored.backup);
	}
	end_setting(to, SETTING_RESTORED);
	put_bytes(to, SETTING_UUID, s->uuid);
}

/* Append limits, if there are any; @ix: those of an index, after its id. */
static void
put_on_demand(struct buf *value, const struct index *ix, struct on_demand limits)
{
	if (limits.given) {
		if (ix != NULL) {
			buf_u16be(value, ix->id);
		}
		buf_varint(value, limits.reads);
		buf_varint(value, limits.writes);
	}
}

static void
put_warm(struct buf *value, const struct index *ix, struct warm warm)
{
	bool given = warm.reads != 0 || warm.writes != 0;

	put_on_demand(value, ix, (struct on_demand){given, warm.reads, warm.writes});
}

static void
definition_put_settings(struct buf *out, const struct schema *s)
{
	struct settings to = {0};

	put_properties(&to, s);
	put_on_demand(&to.value, NULL, s->on_demand);
	end_setting(&to, SETTING_ON_DEMAND);
	put_warm(&to.value, NULL, s->warm);
	end_setting(&to, SETTING_WARM);
	if (s->encryption.on) {
		buf_text(&to.value, s->encryption.key);
	}
	end_setting(&to, SETTING_ENCRYPTION);
	for (size_t i = 0; i < s->n_index; i++) {
		put_on_demand(&to.value, &s->index[i], s->index[i].on_demand);
	}
	end_setting(&to, SETTING_INDEX_ON_DEMAND);
	for (size_t i = 0; i < s->n_index; i++) {
		put_warm(&to.value, &s->index[i], s->index[i].warm);
	}
	end_setting(&to, SETTING_INDEX_WARM);
	definition_put_number(&to, SETTING_CLASS_MS, s->class_ms);
	buf_varint(out, to.n);
	buf_slice(out, buf_view(&to.bytes));
	buf_release(&to.bytes);
	buf_release(&to.value);
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
	definition_put_settings(out, s);
}

/* ------------------------------------------------------------ reading */

static size_t
get_part(struct reader *r, size_t max, struct key_attr out[KEY_PART_MAX])
{
	size_t n = get_choice(r, (unsigned)max + 1);

	for (size_t i = 0; i < n; i++) {
		out[i].name = get_text(r);
		out[i].type = (enum value_type)get_choice(r, VALUE_TYPES);
		r->bad = r->bad || out[i].name.len == 0 || !value_is_ordered(out[i].type);
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

/* The rest of the value, which must not be empty. */
static struct slice
get_rest(struct reader *r)
{
	struct slice rest = slice_of((const char *)r->at, reader_left(r));

	r->bad = r->bad || rest.len == 0;
	r->at = r->end;
	return rest;
}

/* A tag takes at least two bytes; the last one may be cut off. If a damaged record has two lists, the last counts. */
static void
get_tags(struct reader *r, struct schema *s)
{
	s->n_tags = 0;
	s->tags = arena_new(r->arena, struct tag, reader_left(r) / 2 + 1);
	while (!r->bad && !reader_at_end(r)) {
		s->tags[s->n_tags].key = get_text(r);
		s->tags[s->n_tags++].value = get_text(r);
	}
}

/* The lists of indexes. Ids of indexes that do not exist are skipped. */
static void
get_of_indexes(struct reader *r, struct schema *s, bool warm)
{
	while (!r->bad && !reader_at_end(r)) {
		uint16_t id = (uint16_t)get_be(r, sizeof(id));
		uint64_t reads = get_varint(r);
		uint64_t writes = get_varint(r);

		for (size_t i = 0; i < s->n_index; i++) {
			struct index *ix = &s->index[i];

			if (ix->id == id && warm) {
				ix->warm = (struct warm){reads, writes};
			} else if (ix->id == id) {
				ix->on_demand = (struct on_demand){true, reads, writes};
			}
		}
	}
}

/* Read a limit of the table or of its indexes. Return: false if @tag is no such setting */
static bool
get_limit(struct reader *v, struct schema *s, unsigned tag)
{
	switch (tag) {
	case SETTING_THROTTLE:
		s->throttle = get_choice(v, 2) == 1;
		break;
	case SETTING_COLLECTION_LIMIT:
		s->collection_limit = get_varint(v);
		break;
	case SETTING_ON_DEMAND:
		s->on_demand.given = true;
		s->on_demand.reads = get_varint(v);
		s->on_demand.writes = get_varint(v);
		break;
	case SETTING_WARM:
		s->warm.reads = get_varint(v);
		s->warm.writes = get_varint(v);
		break;
	case SETTING_INDEX_ON_DEMAND:
	case SETTING_INDEX_WARM:
		get_of_indexes(v, s, tag == SETTING_INDEX_WARM);
		break;
	default:
		return false;
	}
	return true;
}

static void
get_setting(struct reader *r, struct schema *s)
{
	unsigned tag = (unsigned)get_be(r, 1);
	struct slice value = get_text(r);
	struct reader v = reader_of(r->arena, value);

	switch (tag) {
	case SETTING_PROTECTED:
		s->protected = get_choice(&v, 2) == 1;
		break;
	case SETTING_CLASS:
		s->table_class = (enum table_class)get_choice(&v, CLASS_STANDARD + 1);
		break;
	case SETTING_TTL:
		s->ttl = get_rest(&v);
		break;
	case SETTING_STREAM:
		s->stream.view = (enum stream_view)get_choice(&v, STREAM_NEW_AND_OLD_IMAGES + 1);
		s->stream.id = get_be(&v, sizeof(s->stream.id));
		s->stream.label_ms = get_be(&v, sizeof(s->stream.label_ms));
		break;
	case SETTING_TAGS:
		get_tags(&v, s);
		break;
	case SETTING_RECOVERY:
		s->recovery_ms = get_be(&v, sizeof(s->recovery_ms));
		s->recovery_days = (uint32_t)get_varint(&v);
		break;
	case SETTING_CREATING:
		s->creating = get_choice(&v, 2) == 1;
		break;
	case SETTING_RESTORED:
		s->restored.at_ms = get_be(&v, sizeof(s->restored.at_ms));
		s->restored.table = get_text(&v);
		s->restored.backup = get_rest(&v);
		break;
	case SETTING_UUID:
		s->uuid = get_rest(&v);
		break;
	case SETTING_ENCRYPTION:
		s->encryption = (struct encryption){true, get_text(&v)};
		break;
	case SETTING_CLASS_MS:
		s->class_ms = get_varint(&v);
		break;
	default:
		r->bad = !get_limit(&v, s, tag) || r->bad;
	}
	r->bad = r->bad || !reader_at_end(&v);
}

static void
definition_get_settings(struct reader *r, struct schema *s)
{
	for (size_t n = get_count(r); n > 0 && !r->bad; n--) {
		get_setting(r, s);
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
	definition_get_settings(&r, out);
	if (!reader_at_end(&r)) {
		return call_fail(c, ERR_CORRUPT, "table %.*s: its definition is damaged",
				 SLICE_ARG(name));
	}
	return 0;
}
