/*
 * codec_records - GetRecords
 */
#include "store/model/arn.h"
#include "store/wire/codec_int.h"

/* In the order of enum stream_event. */
static const char *const events[] = {"INSERT", "MODIFY", "REMOVE", NULL};

int
codec_read_get_records_in(struct codec_reader *r, const struct json *root,
			  struct get_records_in *in)
{
	bool given = false;
	int status = codec_string(r, root, "ShardIterator", &in->iterator);

	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_get_records_in(struct codec_writer *w, const struct get_records_in *in)
{
	codec_put_string(w, "ShardIterator", in->iterator);
	codec_put_limit(w, in->limit);
}

/* The member "dynamodb". */
static int
read_change(struct codec_reader *r, const struct json *obj, struct stream_record *out)
{
	struct slice view = {0};
	int status = codec_item(r, obj, "Keys", &out->keys);

	if (status == 0) {
		status = codec_item(r, obj, "NewImage", &out->new_image);
	}
	if (status == 0) {
		status = codec_item(r, obj, "OldImage", &out->old_image);
	}
	if (status == 0) {
		status = codec_string(r, obj, "SequenceNumber", &out->seq);
	}
	if (status == 0) {
		status = codec_string(r, obj, "StreamViewType", &view);
	}
	if (status == 0) {
		status = codec_uint(r, obj, "SizeBytes", &out->bytes);
	}
	out->view = stream_view_from_name(view);
	return status < 0 ? status
			  : codec_seconds(r, obj, "ApproximateCreationDateTime", &out->time_ms);
}

static int
read_record(struct codec_reader *r, const struct json *obj, struct stream_record *out)
{
	const struct json *change = NULL;
	const struct json *who = NULL;
	struct slice type = {0};
	int event = STREAM_INSERT;
	int status = codec_element(r, obj, "Record");

	if (status == 0) {
		status = codec_string(r, obj, "eventID", &out->id);
	}
	if (status == 0) {
		status =
			codec_enum(r, obj, "eventName", "[INSERT, MODIFY, REMOVE]", events, &event);
	}
	if (status == 0) {
		status = codec_struct(r, obj, "userIdentity", "Identity", &who);
	}
	if (status == 0) {
		status = codec_string(r, who, "Type", &type);
	}
	if (status == 0) {
		status = codec_struct(r, obj, "dynamodb", "StreamRecord", &change);
	}
	out->event = (enum stream_event)event;
	out->service = slice_is(type, "Service");
	return status < 0 ? status : read_change(r, change, out);
}

int
codec_read_get_records_out(struct codec_reader *r, const struct json *root,
			   const struct get_records_in *in, struct get_records_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Records", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct stream_record *records = arena_new(&r->c->arena, struct stream_record, list->n);

	json_each (child, list) {
		status = read_record(r, child, &records[out->n_records++]);
		if (status < 0) {
			return status;
		}
	}
	out->records = records;
	return codec_string(r, root, "NextShardIterator", &out->next);
}

static void
write_image(struct codec_writer *w, const char *name, const struct item *image)
{
	if (image->n > 0) {
		codec_put_item(w, name, image);
	}
}

static void
write_record(struct codec_writer *w, const struct stream_record *record)
{
	json_open(&w->json, '{');
	codec_put_string(w, "eventID", record->id);
	codec_put_string(w, "eventName", slice_from(events[record->event]));
	codec_put_string(w, "eventVersion", SLICE("1.1"));
	codec_put_string(w, "eventSource", SLICE("aws:dynamodb"));
	codec_put_string(w, "awsRegion", SLICE(ARN_REGION));
	codec_open(w, "dynamodb", '{');
	codec_put_seconds(w, "ApproximateCreationDateTime", record->time_ms);
	codec_put_item(w, "Keys", &record->keys);
	write_image(w, "NewImage", &record->new_image);
	write_image(w, "OldImage", &record->old_image);
	codec_put_string(w, "SequenceNumber", record->seq);
	codec_put_uint(w, "SizeBytes", record->bytes);
	codec_put_string(w, "StreamViewType", slice_from(stream_view_name(record->view)));
	json_close(&w->json);
	if (record->service) {
		codec_open(w, "userIdentity", '{');
		codec_put_string(w, "PrincipalId", SLICE("dynamodb.amazonaws.com"));
		codec_put_string(w, "Type", SLICE("Service"));
		json_close(&w->json);
	}
	json_close(&w->json);
}

void
codec_write_get_records_out(struct codec_writer *w, const struct get_records_in *in,
			    const struct get_records_out *out)
{
	(void)in;
	codec_open(w, "Records", '[');
	for (size_t i = 0; i < out->n_records; i++) {
		write_record(w, &out->records[i]);
	}
	json_close(&w->json);
	codec_put_string(w, "NextShardIterator", out->next);
}
