/*
 * codec_stream - ListStreams, DescribeStream, GetShardIterator; and a table's StreamSpecification
 */
#include "store/model/stream_arn.h"
#include "store/wire/codec_int.h"

/* In the order of enum iterator_type. */
static const char *const iterator_types[] = {
	"", "TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER", NULL};
static const char *const states[] = {"DISABLED", "ENABLED", "DISABLING", "ENABLING", NULL};

/* ------------------------------------------------------------ StreamSpecification */

static int
check_specification(struct codec_reader *r, bool said, bool enabled, struct slice view)
{
	const char *what = !said ? "Stream StreamEnabled was null"
			   : enabled && view.len == 0
				   ? "Invalid StreamViewType: Stream ViewType must not be null or "
				     "empty when enabling streams."
			   : !enabled && view.len > 0
				   ? "Invalid StreamViewType: Stream StreamEnabled was false but a "
				     "StreamViewType was present."
				   : NULL;

	if (what != NULL) {
		return call_fail(r->c, ERR_VALIDATION, "%s", what);
	}
	return !enabled || stream_view_from_name(view) != STREAM_NONE
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION, "Invalid StreamViewType: %.*s",
				   SLICE_ARG(view));
}

int
codec_read_stream(struct codec_reader *r, const struct json *obj, bool *given,
		  enum stream_view *view)
{
	const struct json *json = NULL;
	struct slice word = {0};
	bool enabled = false;
	int status = codec_struct(r, obj, "StreamSpecification", "StreamSpecification", &json);

	if (status < 0 || json == NULL) {
		return status;
	}
	status = codec_bool(r, json, "StreamEnabled", &enabled);
	if (status == 0) {
		status = codec_string(r, json, "StreamViewType", &word);
	}
	if (status == 0) {
		status = check_specification(r, !codec_is_null(json_get(json, "StreamEnabled")),
					     enabled, word);
	}
	*given = true;
	*view = stream_view_from_name(word);
	return status;
}

void
codec_write_stream(struct codec_writer *w, enum stream_view view)
{
	if (view != STREAM_NONE) {
		codec_open(w, "StreamSpecification", '{');
		codec_put_bool(w, "StreamEnabled", true);
		codec_put_string(w, "StreamViewType", slice_from(stream_view_name(view)));
		json_close(&w->json);
	}
}

int
codec_read_latest_stream(struct codec_reader *r, const struct json *table, struct schema *s)
{
	struct slice label = {0};
	bool given = false;
	int status = codec_read_stream(r, table, &given, &s->stream.view);

	if (status == 0) {
		status = codec_string(r, table, "LatestStreamLabel", &label);
	}
	if (!stream_arn_read_label(label, &s->stream.label_ms)) {
		s->stream.label_ms = 0;
	}
	return status;
}

void
codec_write_latest_stream(struct codec_writer *w, const struct table_info *t)
{
	const struct schema *s = t->schema;
	struct buf text;

	if (s->stream.label_ms == 0) {
		return;
	}
	buf_init(&text, NULL);
	stream_arn_put_label(&text, s->stream.label_ms);
	codec_put_string(w, "LatestStreamLabel", buf_view(&text));
	buf_clear(&text);
	stream_arn_put(&text, s->table, s->stream.label_ms);
	codec_put_string(w, "LatestStreamArn",
			 t->latest_stream.len > 0 ? t->latest_stream : buf_view(&text));
	buf_release(&text);
}

/* ------------------------------------------------------------ ListStreams */

int
codec_read_list_streams_in(struct codec_reader *r, const struct json *root,
			   struct list_streams_in *in)
{
	bool given = false;
	int status = codec_string(r, root, "TableName", &in->table);

	if (status == 0) {
		status = codec_string(r, root, "ExclusiveStartStreamArn", &in->start);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_list_streams_in(struct codec_writer *w, const struct list_streams_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "ExclusiveStartStreamArn", in->start);
	codec_put_limit(w, in->limit);
}

static int
read_name(struct codec_reader *r, const struct json *obj, struct stream_name *out)
{
	int status = codec_string(r, obj, "StreamArn", &out->arn);

	if (status == 0) {
		status = codec_string(r, obj, "TableName", &out->table);
	}
	return status < 0 ? status : codec_string(r, obj, "StreamLabel", &out->label);
}

static void
write_name(struct codec_writer *w, const struct stream_name *name)
{
	codec_put_string(w, "StreamArn", name->arn);
	codec_put_string(w, "TableName", name->table);
	codec_put_string(w, "StreamLabel", name->label);
}

int
codec_read_list_streams_out(struct codec_reader *r, const struct json *root,
			    const struct list_streams_in *in, struct list_streams_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Streams", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct stream_name *streams = arena_new(&r->c->arena, struct stream_name, list->n);

	json_each (child, list) {
		status = codec_element(r, child, "Stream");
		if (status == 0) {
			status = read_name(r, child, &streams[out->n_streams++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->streams = streams;
	return codec_string(r, root, "LastEvaluatedStreamArn", &out->last);
}

void
codec_write_list_streams_out(struct codec_writer *w, const struct list_streams_in *in,
			     const struct list_streams_out *out)
{
	(void)in;
	codec_open(w, "Streams", '[');
	for (size_t i = 0; i < out->n_streams; i++) {
		json_open(&w->json, '{');
		write_name(w, &out->streams[i]);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_string(w, "LastEvaluatedStreamArn", out->last);
}

/* ------------------------------------------------------------ DescribeStream */

int
codec_read_describe_stream_in(struct codec_reader *r, const struct json *root,
			      struct describe_stream_in *in)
{
	static const char *const refused[] = {"ShardFilter", NULL};
	bool given = false;
	int status = codec_string(r, root, "StreamArn", &in->stream);

	if (status == 0) {
		status = codec_refuse(r, root, refused);
	}
	if (status == 0) {
		status = codec_string(r, root, "ExclusiveStartShardId", &in->start_shard);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_describe_stream_in(struct codec_writer *w, const struct describe_stream_in *in)
{
	codec_put_string(w, "StreamArn", in->stream);
	codec_put_string(w, "ExclusiveStartShardId", in->start_shard);
	codec_put_limit(w, in->limit);
}

static int
read_shard(struct codec_reader *r, const struct json *obj, struct stream_shard *out)
{
	const struct json *range = NULL;
	int status = codec_element(r, obj, "Shard");

	if (status == 0) {
		status = codec_string(r, obj, "ShardId", &out->id);
	}
	if (status == 0) {
		status = codec_string(r, obj, "ParentShardId", &out->parent);
	}
	if (status == 0) {
		status = codec_struct(r, obj, "SequenceNumberRange", "SequenceNumberRange", &range);
	}
	if (status == 0) {
		status = codec_string(r, range, "StartingSequenceNumber", &out->first);
	}
	return status < 0 ? status : codec_string(r, range, "EndingSequenceNumber", &out->last);
}

static int
read_shards(struct codec_reader *r, const struct json *stream, struct describe_stream_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, stream, "Shards", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct stream_shard *shards = arena_new(&r->c->arena, struct stream_shard, list->n);

	json_each (child, list) {
		status = read_shard(r, child, &shards[out->n_shards++]);
		if (status < 0) {
			return status;
		}
	}
	out->shards = shards;
	return codec_string(r, stream, "LastEvaluatedShardId", &out->last_shard);
}

static int
read_key(struct codec_reader *r, const struct json *stream, struct describe_stream_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, stream, "KeySchema", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	json_each (child, list) {
		struct slice kind = {0};

		status = codec_element(r, child, "KeySchemaElement");
		if (status == 0) {
			status = codec_string(r, child, "KeyType", &kind);
		}
		if (status == 0) {
			status = codec_string(r, child, "AttributeName",
					      slice_is(kind, "RANGE") ? &out->sk : &out->pk);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

int
codec_read_describe_stream_out(struct codec_reader *r, const struct json *root,
			       const struct describe_stream_in *in, struct describe_stream_out *out)
{
	const struct json *stream = NULL;
	struct slice word = {0};
	int state = 0;
	int status = codec_struct(r, root, "StreamDescription", "StreamDescription", &stream);

	(void)in;
	if (status == 0) {
		status = read_name(r, stream, &out->name);
	}
	if (status == 0) {
		status = codec_enum(r, stream, "StreamStatus",
				    "[ENABLING, ENABLED, DISABLING, DISABLED]", states, &state);
	}
	if (status == 0) {
		status = codec_string(r, stream, "StreamViewType", &word);
	}
	if (status == 0) {
		status = codec_seconds(r, stream, "CreationRequestDateTime", &out->created_ms);
	}
	if (status == 0) {
		status = read_key(r, stream, out);
	}
	out->enabled = state % 2 == 1;
	out->view = stream_view_from_name(word);
	return status < 0 ? status : read_shards(r, stream, out);
}

static void
write_shard(struct codec_writer *w, const struct stream_shard *shard)
{
	json_open(&w->json, '{');
	codec_put_string(w, "ShardId", shard->id);
	codec_put_string(w, "ParentShardId", shard->parent);
	codec_open(w, "SequenceNumberRange", '{');
	codec_put_string(w, "StartingSequenceNumber", shard->first);
	codec_put_string(w, "EndingSequenceNumber", shard->last);
	json_close(&w->json);
	json_close(&w->json);
}

void
codec_write_describe_stream_out(struct codec_writer *w, const struct describe_stream_in *in,
				const struct describe_stream_out *out)
{
	(void)in;
	codec_open(w, "StreamDescription", '{');
	write_name(w, &out->name);
	codec_put_string(w, "StreamStatus", slice_from(states[out->enabled]));
	codec_put_string(w, "StreamViewType", slice_from(stream_view_name(out->view)));
	codec_put_seconds(w, "CreationRequestDateTime", out->created_ms);
	codec_write_key(w,
			&(struct key_schema){.pk = {{.name = out->pk}}, .sk = {{.name = out->sk}}});
	codec_open(w, "Shards", '[');
	for (size_t i = 0; i < out->n_shards; i++) {
		write_shard(w, &out->shards[i]);
	}
	json_close(&w->json);
	codec_put_string(w, "LastEvaluatedShardId", out->last_shard);
	json_close(&w->json);
}

/* ------------------------------------------------------------ GetShardIterator */

static enum iterator_type
iterator_type_from_name(struct slice name)
{
	int type = ITERATOR_AFTER_SEQUENCE_NUMBER;

	while (type > ITERATOR_NONE && !slice_is(name, iterator_types[type])) {
		type--;
	}
	return (enum iterator_type)type;
}

int
codec_read_get_shard_iterator_in(struct codec_reader *r, const struct json *root,
				 struct get_shard_iterator_in *in)
{
	struct slice type = {0};
	int status = codec_string(r, root, "StreamArn", &in->stream);

	if (status == 0) {
		status = codec_string(r, root, "ShardId", &in->shard);
	}
	if (status == 0) {
		status = codec_string(r, root, "ShardIteratorType", &type);
	}
	in->type = iterator_type_from_name(type);
	return status < 0 ? status : codec_string(r, root, "SequenceNumber", &in->seq);
}

void
codec_write_get_shard_iterator_in(struct codec_writer *w, const struct get_shard_iterator_in *in)
{
	codec_put_string(w, "StreamArn", in->stream);
	codec_put_string(w, "ShardId", in->shard);
	codec_put_string(w, "ShardIteratorType", slice_from(iterator_types[in->type]));
	codec_put_string(w, "SequenceNumber", in->seq);
}

int
codec_read_get_shard_iterator_out(struct codec_reader *r, const struct json *root,
				  const struct get_shard_iterator_in *in,
				  struct get_shard_iterator_out *out)
{
	(void)in;
	return codec_string(r, root, "ShardIterator", &out->iterator);
}

void
codec_write_get_shard_iterator_out(struct codec_writer *w, const struct get_shard_iterator_in *in,
				   const struct get_shard_iterator_out *out)
{
	(void)in;
	codec_put_string(w, "ShardIterator", out->iterator);
}
