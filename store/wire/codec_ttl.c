/* codec_ttl - UpdateTimeToLive, DescribeTimeToLive */
#include "store/wire/codec_int.h"

static int
read_specification(struct codec_reader *r, const struct json *root, bool *enabled,
		   struct slice *attribute)
{
	const struct json *spec = NULL;
	int status =
		codec_struct(r, root, "TimeToLiveSpecification", "TimeToLiveSpecification", &spec);

	if (status < 0) {
		return status;
	}
	if (spec == NULL) {
		codec_null(r, "TimeToLiveSpecification");
		return 0;
	}
	r->prefix = SLICE("timeToLiveSpecification.");
	status = codec_bool(r, spec, "Enabled", enabled);
	if (status == 0) {
		status = codec_filled(r, spec, "AttributeName", 1, attribute);
	}
	if (codec_is_null(json_get(spec, "Enabled"))) {
		codec_null(r, "Enabled");
	}
	if (codec_is_null(json_get(spec, "AttributeName"))) {
		codec_null(r, "AttributeName");
	}
	r->prefix = (struct slice){0};
	return status;
}

static void
write_specification(struct codec_writer *w, const struct update_time_to_live_in *in)
{
	codec_open(w, "TimeToLiveSpecification", '{');
	json_name(&w->json, "Enabled");
	json_bool(&w->json, in->enabled);
	codec_put_string(w, "AttributeName", in->attribute);
	json_close(&w->json);
}

int
codec_read_update_time_to_live_in(struct codec_reader *r, const struct json *root,
				  struct update_time_to_live_in *in)
{
	int status = codec_table_name(r, root, &in->table);

	return status < 0 ? status : read_specification(r, root, &in->enabled, &in->attribute);
}

void
codec_write_update_time_to_live_in(struct codec_writer *w, const struct update_time_to_live_in *in)
{
	codec_put_string(w, "TableName", in->table);
	write_specification(w, in);
}

void
codec_write_update_time_to_live_out(struct codec_writer *w, const struct update_time_to_live_in *in,
				    const struct update_time_to_live_out *out)
{
	(void)out;
	write_specification(w, in);
}

/* The answer repeats the request. */
int
codec_read_update_time_to_live_out(struct codec_reader *r, const struct json *root,
				   const struct update_time_to_live_in *in,
				   struct update_time_to_live_out *out)
{
	bool enabled;
	struct slice attribute;

	(void)in;
	(void)out;
	return read_specification(r, root, &enabled, &attribute);
}

int
codec_read_describe_time_to_live_in(struct codec_reader *r, const struct json *root,
				    struct describe_time_to_live_in *in)
{
	return codec_table_name(r, root, &in->table);
}

void
codec_write_describe_time_to_live_in(struct codec_writer *w,
				     const struct describe_time_to_live_in *in)
{
	codec_put_string(w, "TableName", in->table);
}

void
codec_write_describe_time_to_live_out(struct codec_writer *w,
				      const struct describe_time_to_live_in *in,
				      const struct describe_time_to_live_out *out)
{
	(void)in;
	codec_open(w, "TimeToLiveDescription", '{');
	codec_put_string(w, "TimeToLiveStatus",
			 out->attribute.len > 0 ? SLICE("ENABLED") : SLICE("DISABLED"));
	codec_put_string(w, "AttributeName", out->attribute);
	json_close(&w->json);
}

/* A foreign server knows two more states, which name an attribute too. */
int
codec_read_describe_time_to_live_out(struct codec_reader *r, const struct json *root,
				     const struct describe_time_to_live_in *in,
				     struct describe_time_to_live_out *out)
{
	const struct json *description = NULL;
	struct slice word = {0};
	int status = codec_struct(r, root, "TimeToLiveDescription", "TimeToLiveDescription",
				  &description);

	(void)in;
	if (status == 0) {
		status = codec_string(r, description, "TimeToLiveStatus", &word);
	}
	if (status == 0 && (slice_is(word, "ENABLED") || slice_is(word, "ENABLING"))) {
		status = codec_string(r, description, "AttributeName", &out->attribute);
	}
	return status;
}
