/*
 * codec_param - parameters that many operations share: table name, expressions and their
 * placeholders, sets of words, and what is refused because it does not exist yet
 */
#include "store/model/item_json.h"
#include "store/wire/codec_int.h"

int
codec_table_name(struct codec_reader *r, const struct json *obj, struct slice *out)
{
	if (codec_is_null(json_get(obj, "TableName"))) {
		if (r->prefix.len > 0) {
			codec_null(r, "TableName");
		} else if (r->missing == NULL) {
			r->missing = "TableName";
		}
		return 0;
	}
	return codec_string(r, obj, "TableName", out);
}

int
codec_expression(struct codec_reader *r, const struct json *obj, const char *name,
		 struct slice *out)
{
	const struct json *j = json_get(obj, name);
	int status = codec_string(r, obj, name, out);

	if (status == 0 && !codec_is_null(j) && out->len == 0) {
		return call_fail(r->c, ERR_VALIDATION,
				 "Invalid %s: The expression can not be empty;", name);
	}
	return status;
}

static int
names(struct codec_reader *r, const struct json *map, struct placeholders *out)
{
	struct name_alias *aliases = arena_new(&r->c->arena, struct name_alias, map->n);

	json_each (child, map) {
		struct name_alias *a = &aliases[out->n_names];
		int status = codec_text(r, child, &a->name);

		if (status < 0) {
			return status;
		}
		a->alias = child->name;
		out->n_names++;
	}
	out->names = aliases;
	return 0;
}

int
codec_names(struct codec_reader *r, const struct json *obj, struct placeholders *out)
{
	const struct json *map = NULL;
	int status = codec_map(r, obj, "ExpressionAttributeNames", "java.lang.String", &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	out->names_given = true;
	return names(r, map, out);
}

static int
values(struct codec_reader *r, const struct json *map, struct item *out)
{
	*out = (struct item){arena_new(&r->c->arena, struct attr, map->n), 0};
	json_each (child, map) {
		struct attr *a = &out->at[out->n++];
		int status = codec_element(r, child, "AttributeValue");

		if (status == 0) {
			status = value_from_typed_json(r->c, child, &a->value);
		}
		if (status < 0) {
			return item_fail_value(r->c, status, child->name);
		}
		a->name = child->name;
	}
	return 0;
}

int
codec_placeholders(struct codec_reader *r, const struct json *obj, struct placeholders *out)
{
	const struct json *map = NULL;
	int status = codec_names(r, obj, out);

	if (status == 0) {
		status = codec_map(r, obj, "ExpressionAttributeValues",
				   "com.amazonaws.dynamodb.v20120810.AttributeValue", &map);
	}
	if (status < 0 || map == NULL) {
		return status;
	}
	out->values_given = true;
	return values(r, map, &out->values);
}

int
codec_enum(struct codec_reader *r, const struct json *obj, const char *name, const char *set,
	   const char *const *words, int *out)
{
	struct slice s = {0};
	int status = codec_string(r, obj, name, &s);

	if (status < 0 || codec_is_null(json_get(obj, name))) {
		return status;
	}
	for (int i = 0; words[i] != NULL; i++) {
		if (s.len > 0 && slice_is(s, words[i])) {
			*out = i;
			return 0;
		}
	}
	codec_fault(r, slice_cstr(&r->c->arena, s), name, "Member must satisfy enum value set: %s",
		    set);
	return 0;
}

/* In the order of enum return_values. */
static const char *const return_words[] = {"NONE",    "ALL_OLD",     "UPDATED_OLD",
					   "ALL_NEW", "UPDATED_NEW", NULL};

int
codec_return_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
{
	int i = RETURN_NONE;
	int status =
		codec_enum(r, obj, "ReturnValues",
			   "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]", return_words, &i);

	*out = (enum return_values)i;
	return status;
}

int
codec_old_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
{
	int status = codec_return_values(r, obj, out);

	if (status == 0 && *out > RETURN_ALL_OLD) {
		return call_fail(r->c, ERR_VALIDATION, "ReturnValues can only be ALL_OLD or NONE");
	}
	return status;
}

int
codec_failure_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
{
	static const char *const words[] = {"NONE", "ALL_OLD", NULL};
	int i = RETURN_NONE;
	int status = codec_enum(r, obj, "ReturnValuesOnConditionCheckFailure", "[ALL_OLD, NONE]",
				words, &i);

	*out = (enum return_values)i;
	return status;
}

const char *
codec_return_word(enum return_values v)
{
	return return_words[v];
}

int
codec_refuse(struct codec_reader *r, const struct json *obj, const char *const *refused)
{
	for (; *refused != NULL; refused++) {
		if (!codec_is_null(json_get(obj, *refused))) {
			return call_fail(r->c, ERR_NOT_SUPPORTED, "%s is not supported yet",
					 *refused);
		}
	}
	return 0;
}
