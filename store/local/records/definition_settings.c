/* definition_settings - the encoder and decoder of a definition's settings: tag, length, value */
#include "store/local/records/definition_settings.h"

#include "store/local/records/reader.h"

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

/* The settings written so far. Settings with their default value are left out. */
struct settings {
	struct buf bytes;
	unsigned n;
};

static void
put_setting(struct settings *to, enum setting tag, struct slice value)
{
	buf_char(&to->bytes, (char)tag);
	buf_text(&to->bytes, value);
	to->n++;
}

static void
put_choice(struct settings *to, enum setting tag, unsigned choice)
{
	char byte = (char)choice;

	if (choice != 0) {
		put_setting(to, tag, slice_of(&byte, 1));
	}
}

static void
definition_put_stream(struct settings *to, const struct stream_setting *s)
{
	struct buf value;

	if (s->label_ms == 0) {
		return;
	}
	buf_init(&value, NULL);
	buf_char(&value, (char)s->view);
	buf_u64be(&value, s->id);
	buf_u64be(&value, s->label_ms);
	put_setting(to, SETTING_STREAM, buf_view(&value));
	buf_release(&value);
}

static void
put_tags(struct settings *to, const struct schema *s)
{
	struct buf tags;

	buf_init(&tags, NULL);
	for (size_t i = 0; i < s->n_tags; i++) {
		buf_text(&tags, s->tags[i].key);
		buf_text(&tags, s->tags[i].value);
	}
	if (s->n_tags > 0) {
		put_setting(to, SETTING_TAGS, buf_view(&tags));
	}
	buf_release(&tags);
}

static void
put_recovery(struct settings *to, const struct schema *s)
{
	struct buf value;

	buf_init(&value, NULL);
	buf_u64be(&value, s->recovery_ms);
	buf_varint(&value, s->recovery_days);
	if (s->recovery_ms != 0) {
		put_setting(to, SETTING_RECOVERY, buf_view(&value));
	}
	buf_release(&value);
}

static void
put_restored(struct settings *to, const struct restored *r)
{
	struct buf value;

	buf_init(&value, NULL);
	buf_u64be(&value, r->at_ms);
	buf_text(&value, r->table);
	buf_slice(&value, r->backup);
	if (r->backup.len > 0) {
		put_setting(to, SETTING_RESTORED, buf_view(&value));
	}
	buf_release(&value);
}

static void
definition_put_number(struct settings *to, enum setting tag, uint64_t n)
{
	struct buf value;

	if (n != 0) {
		buf_init(&value, NULL);
		buf_varint(&value, n);
		put_setting(to, tag, buf_view(&value));
		buf_release(&value);
	}
}

/* Two numbers, written only if @given. */
static void
put_pair(struct settings *to, enum setting tag, bool given, uint64_t reads, uint64_t writes)
{
	struct buf value;

	buf_init(&value, NULL);
	buf_varint(&value, reads);
	buf_varint(&value, writes);
	if (given) {
		put_setting(to, tag, buf_view(&value));
	}
	buf_release(&value);
}

/* The on-demand limits and the warm throughput of indexes, each pair after the index's id. */
static void
put_of_indexes(struct settings *to, const struct schema *s)
{
	struct buf limits;
	struct buf warm;

	buf_init(&limits, NULL);
	buf_init(&warm, NULL);
	for (size_t i = 0; i < s->n_index; i++) {
		const struct index *ix = &s->index[i];

		if (ix->on_demand.given) {
			buf_u16be(&limits, ix->id);
			buf_varint(&limits, ix->on_demand.reads);
			buf_varint(&limits, ix->on_demand.writes);
		}
		if (ix->warm.reads != 0 || ix->warm.writes != 0) {
			buf_u16be(&warm, ix->id);
			buf_varint(&warm, ix->warm.reads);
			buf_varint(&warm, ix->warm.writes);
		}
	}
	if (limits.len > 0) {
		put_setting(to, SETTING_INDEX_ON_DEMAND, buf_view(&limits));
	}
	if (warm.len > 0) {
		put_setting(to, SETTING_INDEX_WARM, buf_view(&warm));
	}
	buf_release(&limits);
	buf_release(&warm);
}

static void
definition_put_encryption(struct settings *to, const struct encryption *e)
{
	struct buf value;

	buf_init(&value, NULL);
	buf_text(&value, e->key);
	if (e->on) {
		put_setting(to, SETTING_ENCRYPTION, buf_view(&value));
	}
	buf_release(&value);
}

void
definition_settings_put(struct buf *out, const struct schema *s)
{
	struct settings to = {0};

	buf_init(&to.bytes, NULL);
	put_choice(&to, SETTING_PROTECTED, s->protected);
	put_choice(&to, SETTING_CLASS, s->table_class);
	if (s->ttl.len > 0) {
		put_setting(&to, SETTING_TTL, s->ttl);
	}
	definition_put_stream(&to, &s->stream);
	put_tags(&to, s);
	put_choice(&to, SETTING_THROTTLE, s->throttle);
	definition_put_number(&to, SETTING_COLLECTION_LIMIT, s->collection_limit);
	put_recovery(&to, s);
	put_choice(&to, SETTING_CREATING, s->creating);
	put_restored(&to, &s->restored);
	if (s->uuid.len > 0) {
		put_setting(&to, SETTING_UUID, s->uuid);
	}
	put_pair(&to, SETTING_ON_DEMAND, s->on_demand.given, s->on_demand.reads,
		 s->on_demand.writes);
	put_pair(&to, SETTING_WARM, s->warm.reads != 0 || s->warm.writes != 0, s->warm.reads,
		 s->warm.writes);
	definition_put_encryption(&to, &s->encryption);
	put_of_indexes(&to, s);
	definition_put_number(&to, SETTING_CLASS_MS, s->class_ms);
	buf_varint(out, to.n);
	buf_slice(out, buf_view(&to.bytes));
	buf_release(&to.bytes);
}

/* ------------------------------------------------------------ reading */

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

/* The inverse of put_of_indexes(). Ids of indexes that do not exist are skipped. */
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

void
definition_settings_get(struct reader *r, struct schema *s)
{
	for (size_t n = get_count(r); n > 0 && !r->bad; n--) {
		get_setting(r, s);
	}
}
