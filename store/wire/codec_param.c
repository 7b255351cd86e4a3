/*
 * codec_param - parameters that many operations share: table name, expressions and their
 * placeholders, sets of words, and what is refused because it does not exist yet
 */
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
codec_placeholders(struct codec_reader *r, const struct json *obj, struct placeholders *out)
{
	const struct json *map = NULL;
	int status = codec_map(r, obj, "ExpressionAttributeNames", "java.lang.String", &map);

	if (status == 0 && map != NULL) {
		out->names_given = true;
		status = names(r, map, out);
	}
	if (status < 0) {
		return status;
	}
	out->values_given = !codec_is_null(json_get(obj, "ExpressionAttributeValues"));
	return codec_item(r, obj, "ExpressionAttributeValues", &out->values);
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

int
codec_old_values(struct codec_reader *r, const struct json *obj, const char *name,
		 enum return_values *out)
{
	static const char *const all[] = {"NONE",        "ALL_OLD",     "ALL_NEW",
					  "UPDATED_OLD", "UPDATED_NEW", NULL};
	static const char *const failure[] = {"NONE", "ALL_OLD", NULL};
	bool values = strcmp(name, "ReturnValues") == 0;
	int i = 0;
	int status = codec_enum(r, obj, name,
				values ? "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
				       : "[ALL_OLD, NONE]",
				values ? all : failure, &i);

	if (status < 0) {
		return status;
	}
	if (i > 1) {
		return call_fail(r->c, ERR_VALIDATION, "ReturnValues can only be ALL_OLD or NONE");
	}
	*out = i == 1 ? RETURN_ALL_OLD : RETURN_NONE;
	return 0;
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
