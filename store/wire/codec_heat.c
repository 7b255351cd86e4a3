/*
 * codec_heat - DescribeHeat
 *
 *   {"TableName", "IndexName"?, "Since"?, "Limit"?}
 *   -> {"Seconds", USE, "Keys": [{"Key": VALUES, USE}], "Known"}
 *
 * VALUES as in codec_listing.c.  USE is what was read and written, of it the busiest second, in halves
 * of units: "Read", "ReadPeak", "Write", "WritePeak".
 */
#include "store/wire/codec_int.h"

static void
put_use(struct codec_writer *w, const struct heat_use *read, const struct heat_use *write)
{
	codec_put_uint(w, "Read", read->halves);
	codec_put_uint(w, "ReadPeak", read->peak_halves);
	codec_put_uint(w, "Write", write->halves);
	codec_put_uint(w, "WritePeak", write->peak_halves);
}

static int
read_use(struct codec_reader *r, const struct json *obj, struct heat_use *read,
	 struct heat_use *write)
{
	int status = codec_uint(r, obj, "Read", &read->halves);

	if (status == 0) {
		status = codec_uint(r, obj, "ReadPeak", &read->peak_halves);
	}
	if (status == 0) {
		status = codec_uint(r, obj, "Write", &write->halves);
	}
	return status < 0 ? status : codec_uint(r, obj, "WritePeak", &write->peak_halves);
}

int
codec_read_describe_heat_in(struct codec_reader *r, const struct json *root,
			    struct describe_heat_in *in)
{
	bool given = false;
	int status = codec_table_name(r, root, &in->table);

	if (status == 0) {
		status = codec_string(r, root, "IndexName", &in->index);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Since", &in->since_s);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &given, &in->limit);
}

void
codec_write_describe_heat_in(struct codec_writer *w, const struct describe_heat_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "IndexName", in->index);
	codec_put_uint(w, "Since", in->since_s);
	codec_put_limit(w, in->limit);
}

void
codec_write_describe_heat_out(struct codec_writer *w, const struct describe_heat_in *in,
			      const struct describe_heat_out *out)
{
	(void)in;
	codec_put_uint(w, "Seconds", out->seconds);
	put_use(w, &out->read, &out->write);
	codec_open(w, "Keys", '[');
	for (size_t i = 0; i < out->n_keys; i++) {
		json_open(&w->json, '{');
		codec_put_values(w, "Key", &out->keys[i].pk);
		put_use(w, &out->keys[i].read, &out->keys[i].write);
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_uint(w, "Known", out->known);
}

static int
read_key(struct codec_reader *r, const struct json *json, struct heat_of_key *out)
{
	int status = codec_element(r, json, "HeatOfKey");

	if (status == 0) {
		status = codec_values(r, json, "Key", &out->pk);
	}
	return status < 0 ? status : read_use(r, json, &out->read, &out->write);
}

int
codec_read_describe_heat_out(struct codec_reader *r, const struct json *root,
			     const struct describe_heat_in *in, struct describe_heat_out *out)
{
	const struct json *list = NULL;
	int status = codec_uint(r, root, "Seconds", &out->seconds);

	(void)in;
	if (status == 0) {
		status = read_use(r, root, &out->read, &out->write);
	}
	if (status == 0) {
		status = codec_uint(r, root, "Known", &out->known);
	}
	if (status == 0) {
		status = codec_list(r, root, "Keys", &list);
	}
	if (status < 0 || list == NULL) {
		return status;
	}
	struct heat_of_key *keys = arena_new(&r->c->arena, struct heat_of_key, list->n);

	json_each (child, list) {
		status = read_key(r, child, &keys[out->n_keys++]);
		if (status < 0) {
			return status;
		}
	}
	out->keys = keys;
	return 0;
}
