/* record - fuzzes the decoders of the stored data (records, counts, streams, keys), all with the same bytes */
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/model/item_json.h"
#include "store/op/op.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct index indexes[] = {
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 1,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_N}}, .sk = {{SLICE_INIT("Z"), VALUE_B}}}},
	{.name = SLICE_INIT("M"),
	 .global = true,
	 .id = 2,
	 .key = {.pk = {{SLICE_INIT("Y"), VALUE_N}, {SLICE_INIT("T"), VALUE_S}},
		 .sk = {{SLICE_INIT("Z"), VALUE_B},
			{SLICE_INIT("X"), VALUE_N},
			{SLICE_INIT("P"), VALUE_S}}}},
};
static const struct schema table = {
	.table = SLICE_INIT("table"),
	.id = 1,
	.key = {.pk = {{SLICE_INIT("P"), VALUE_S}}, .sk = {{SLICE_INIT("S"), VALUE_N}}},
	.index = indexes,
	.n_index = 2,
};

/* A decoded record must encode to the same bytes, and must be printable. */
static void
try_record(struct call *c, struct slice bytes)
{
	struct record_head head;
	struct item it;
	size_t size;

	if (record_decode_sized(c, bytes, &head, &it, &size) < 0) {
		return;
	}
	struct buf again;
	struct buf json;

	buf_init(&again, &c->arena);
	buf_init(&json, &c->arena);
	record_encode(&again, &head, &it);
	assert(slice_eq(buf_view(&again), bytes));
	assert(size == item_size(&it));
	item_put_json(&json, &it, ITEM_PLAIN);
	assert(json.len == item_json_length(&it));
}

static void
try_counts(struct call *c, struct slice bytes)
{
	struct record_counts n;
	struct buf again;

	buf_init(&again, &c->arena);
	if (record_counts_decode(c, bytes, &n) == 0) {
		record_counts_encode(&again, &n);
		assert(slice_eq(buf_view(&again), bytes));
	}
}

static void
try_stream(struct call *c, struct slice bytes)
{
	struct stream_state s;
	struct stream_entry e;
	struct buf again;

	buf_init(&again, &c->arena);
	if (stream_decode(c, bytes, &s) == 0) {
		stream_encode(&again, &s);
		assert(slice_eq(buf_view(&again), bytes));
	}
	buf_clear(&again);
	if (stream_entry_decode(c, bytes, &e) == 0) {
		struct item it;
		size_t size;

		stream_entry_encode(&again, &e);
		assert(slice_eq(buf_view(&again), bytes));
		if (record_body_decode(c, e.keys, &it, &size) == 0) {
			assert(size == item_size(&it));
		}
	}
}

/* Use the bytes after the head of a key, so that the fuzzer need not find the head. */
static void
try_key(struct call *c, const struct index *ix, struct slice tail)
{
	struct value at[KEY_VALUES_MAX];
	struct values p = {at, 0};
	struct buf key;
	struct buf again;

	buf_init(&key, &c->arena);
	buf_init(&again, &c->arena);
	buf_slice(&key, keyspace_head(key.arena, KEYSPACE_ITEM, &table, ix));
	buf_slice(&key, tail);
	if (keyspace_parse_item(c, &table, ix, buf_view(&key), &p) < 0) {
		return;
	}
	struct key_values k = key_values_of(at, p.n);

	buf_slice(&again, keyspace_item(again.arena, &table, ix, &k));
	assert(slice_eq(buf_view(&again), buf_view(&key)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice bytes = slice_of((const char *)data, size);
	struct value at[KEY_VALUES_MAX];
	struct values p = {at, 0};
	struct call c;

	call_open(&c, 0, 64 << 20);
	try_record(&c, bytes);
	try_counts(&c, bytes);
	try_stream(&c, bytes);
	try_key(&c, NULL, bytes);
	try_key(&c, &indexes[0], bytes);
	try_key(&c, &indexes[1], bytes);
	assert(keyspace_parse_item(&c, &table, NULL, bytes, &p) <= 0);
	p.n = 0;
	assert(keyspace_parse_partition(&c, &table, NULL, bytes, &p) <= 0);
	call_close(&c);
	return 0;
}
