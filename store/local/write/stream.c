/*
 * stream - begin and end of a table's stream, and its records
 *
 * write.c and the operations on tables call these functions in the leader's thread. A record is committed together with
 * the change that it describes.
 */
#include "store/local/write/stream.h"

#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/model/schema.h"

static void
put_state(struct txn *t, struct call *c, struct slice key, const struct stream_state *state)
{
	struct buf value = {.arena = &c->arena};

	stream_encode(&value, state);
	txn_put(t, key, buf_view(&value));
}

static struct slice
stream_key_of(struct call *c, const struct schema *s)
{
	return stream_key(&c->arena, s->table, &s->stream.label_ms);
}

/* If the label is taken, because of a stream in the same millisecond or a clock set back, use the next free one. */
int
stream_begin(struct txn *t, struct call *c, struct schema *s)
{
	struct slice taken;

	if (s->stream.view == STREAM_NONE) {
		return 0;
	}
	s->stream.label_ms = c->now_ms > 0 ? c->now_ms : 1;
	int r = txn_get(t, c, stream_key_of(c, s), &taken);

	while (r == 0) {
		s->stream.label_ms++;
		r = txn_get(t, c, stream_key_of(c, s), &taken);
	}
	if (r < 0) {
		return r;
	}
	s->stream.id = txn_seq(t);
	put_state(t, c, stream_key_of(c, s),
		  &(struct stream_state){
			  .id = s->stream.id,
			  .view = s->stream.view,
			  .pk = s->key.pk[0].name,
			  .sk = s->key.sk[0].name,
		  });
	return 0;
}

int
stream_end(struct txn *t, struct call *c, const struct schema *s)
{
	struct stream_state state;
	struct slice bytes;

	if (s->stream.view == STREAM_NONE) {
		return 0;
	}
	struct slice key = stream_key_of(c, s);
	int r = txn_get(t, c, key, &bytes);

	if (r == KV_ABSENT) {
		return call_fail(c, ERR_CORRUPT, "the stream of table %.*s does not exist",
				 SLICE_ARG(s->table));
	}
	if (r == 0) {
		r = stream_decode(c, bytes, &state);
	}
	if (r < 0) {
		return r;
	}
	state.ended_seq = txn_seq(t);
	state.ended_ms = c->now_ms;
	put_state(t, c, key, &state);
	return 0;
}

/* ------------------------------------------------------------ one change */

static struct slice
keys_body(struct call *c, const struct write *w)
{
	const struct key_attr *names[KEY_VALUES_MAX];
	struct attr at[KEY_VALUES_MAX];
	struct item keys = {at, schema_place(w->schema, NULL, names)};
	struct buf out = {.arena = &c->arena};

	for (size_t i = 0; i < keys.n; i++) {
		at[i] = (struct attr){.name = names[i]->name, .value = *w->values.at[i]};
	}
	record_body_encode(&out, &keys);
	return buf_view(&out);
}

void
stream_record(struct txn *t, struct call *c, const struct write *w)
{
	bool has_new = w->kind != WRITE_DELETE;
	const struct stream_setting *s = &w->schema->stream;

	assert(s->view != STREAM_NONE && w->seq != 0);
	assert(w->changed && (w->had_old || has_new));
	struct stream_entry e = {
		.time_ms = c->now_ms,
		.had_old = w->had_old,
		.has_new = has_new,
		.service = w->service,
		.keys = keys_body(c, w),
	};
	struct buf value = {.arena = &c->arena};

	if (has_new && (s->view == STREAM_NEW_IMAGE || s->view == STREAM_NEW_AND_OLD_IMAGES)) {
		e.new_image = record_body(w->record);
	}
	if (w->had_old && (s->view == STREAM_OLD_IMAGE || s->view == STREAM_NEW_AND_OLD_IMAGES)) {
		e.old_image = record_body(w->old_record);
	}
	stream_entry_encode(&value, &e);
	txn_put(t, stream_record_key(&c->arena, s->id, &w->seq), buf_view(&value));
	tasks_sweep(w->local->tasks, c->now_ms);
}
