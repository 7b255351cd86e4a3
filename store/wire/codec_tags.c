/* codec_tags - TagResource, UntagResource, ListTagsOfResource; the tags of CreateTable */
#include "store/wire/codec_int.h"

/* ------------------------------------------------------------ shared */

int
codec_read_tags(struct codec_reader *r, const struct json *obj, struct tag **out, size_t *n)
{
	const struct json *list = NULL;
	int status = codec_list(r, obj, "Tags", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	*out = arena_new(&r->c->arena, struct tag, list->n);
	json_each (child, list) {
		struct tag *tag = &(*out)[(*n)++];

		status = codec_element(r, child, "Tag");
		if (status == 0) {
			status = codec_string(r, child, "Key", &tag->key);
		}
		if (status == 0) {
			status = codec_string(r, child, "Value", &tag->value);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static void
write_text(struct codec_writer *w, const char *name, struct slice text)
{
	if (text.at != NULL) {
		json_name(&w->json, name);
		json_string(&w->json, text);
	}
}

void
codec_write_tags(struct codec_writer *w, const struct tag *tags, size_t n)
{
	codec_open(w, "Tags", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&w->json, '{');
		write_text(w, "Key", tags[i].key);
		write_text(w, "Value", tags[i].value);
		json_close(&w->json);
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ TagResource */

int
codec_read_tag_resource_in(struct codec_reader *r, const struct json *root,
			   struct tag_resource_in *in)
{
	struct tag *tags = NULL;
	int status = codec_string(r, root, "ResourceArn", &in->arn);

	if (status == 0) {
		status = codec_read_tags(r, root, &tags, &in->n_tags);
	}
	if (codec_is_null(json_get(root, "Tags"))) {
		codec_null(r, "Tags");
	}
	in->tags = tags;
	return status;
}

void
codec_write_tag_resource_in(struct codec_writer *w, const struct tag_resource_in *in)
{
	codec_put_string(w, "ResourceArn", in->arn);
	codec_write_tags(w, in->tags, in->n_tags);
}

CODEC_EMPTY_OUT(tag_resource)

/* ------------------------------------------------------------ UntagResource */

int
codec_read_untag_resource_in(struct codec_reader *r, const struct json *root,
			     struct untag_resource_in *in)
{
	const struct json *list = NULL;
	int status = codec_string(r, root, "ResourceArn", &in->arn);

	if (status == 0) {
		status = codec_list(r, root, "TagKeys", &list);
	}
	if (status < 0) {
		return status;
	}
	if (list == NULL) {
		codec_null(r, "TagKeys");
		return 0;
	}
	struct slice *keys = arena_new(&r->c->arena, struct slice, list->n);

	json_each (child, list) {
		status = codec_text(r, child, &keys[in->n_keys++]);
		if (status < 0) {
			return status;
		}
	}
	in->keys = keys;
	return 0;
}

void
codec_write_untag_resource_in(struct codec_writer *w, const struct untag_resource_in *in)
{
	codec_put_string(w, "ResourceArn", in->arn);
	codec_open(w, "TagKeys", '[');
	for (size_t i = 0; i < in->n_keys; i++) {
		json_string(&w->json, in->keys[i]);
	}
	json_close(&w->json);
}

CODEC_EMPTY_OUT(untag_resource)

/* ------------------------------------------------------------ ListTagsOfResource */

int
codec_read_list_tags_of_resource_in(struct codec_reader *r, const struct json *root,
				    struct list_tags_of_resource_in *in)
{
	int status = codec_string(r, root, "ResourceArn", &in->arn);

	return status < 0 ? status : codec_string(r, root, "NextToken", &in->next);
}

void
codec_write_list_tags_of_resource_in(struct codec_writer *w,
				     const struct list_tags_of_resource_in *in)
{
	codec_put_string(w, "ResourceArn", in->arn);
	codec_put_string(w, "NextToken", in->next);
}

void
codec_write_list_tags_of_resource_out(struct codec_writer *w,
				      const struct list_tags_of_resource_in *in,
				      const struct list_tags_of_resource_out *out)
{
	(void)in;
	codec_write_tags(w, out->tags, out->n_tags);
	codec_put_string(w, "NextToken", out->next);
}

int
codec_read_list_tags_of_resource_out(struct codec_reader *r, const struct json *root,
				     const struct list_tags_of_resource_in *in,
				     struct list_tags_of_resource_out *out)
{
	struct tag *tags = NULL;
	int status = codec_read_tags(r, root, &tags, &out->n_tags);

	(void)in;
	out->tags = tags;
	return status < 0 ? status : codec_string(r, root, "NextToken", &out->next);
}
