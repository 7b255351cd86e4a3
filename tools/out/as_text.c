/* as_text - see as_text.h */
#include "tools/out/as_text.h"

#include "store/base/text/json.h"

static void text_put(struct buf *out, const struct json *json, struct slice name,
		     const struct json *siblings);

static bool
text_is_scalar(const struct json *json)
{
	return json->type < JSON_ARRAY;
}

static void
text_scalar(struct buf *out, const struct json *json)
{
	static const char *const words[] = {
		[JSON_NULL] = "None", [JSON_FALSE] = "False", [JSON_TRUE] = "True"};

	buf_slice(out, json->type < JSON_NUMBER ? slice_from(words[json->type]) : json->text);
}

static void
text_name(struct buf *out, struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char ch = name.at[i];

		buf_char(out, (char)(ch >= 'a' && ch <= 'z' ? ch - 'a' + 'A' : ch));
	}
}

static bool
text_has_object(const struct json *list)
{
	json_each (child, list) {
		if (child->type == JSON_OBJECT) {
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ objects */

/*
 * The sorted names of members of @json, without duplicates. The caller frees *@out.
 * @siblings: if not NULL, the members of all its elements that are objects, for @scalars only
 * @scalars: members that are scalars, otherwise those that are not
 */
static size_t
text_names(const struct json *json, const struct json *siblings, bool scalars, struct slice **out)
{
	size_t most = json->n;
	size_t n = 0;
	size_t kept = 0;

	json_each (element, siblings) {
		most += element->n;
	}
	*out = mem_array(struct slice, most + 1);
	json_each (child, json) {
		if (text_is_scalar(child) == scalars && (siblings == NULL || !scalars)) {
			(*out)[n++] = child->name;
		}
	}
	json_each (element, scalars ? siblings : NULL) {
		json_each (child, element->type == JSON_OBJECT ? element : NULL) {
			if (text_is_scalar(child)) {
				(*out)[n++] = child->name;
			}
		}
	}
	qsort(*out, n, sizeof(**out), slice_order);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || !slice_eq((*out)[kept - 1], (*out)[i])) {
			(*out)[kept++] = (*out)[i];
		}
	}
	return kept;
}

static void
text_object(struct buf *out, const struct json *json, struct slice name,
	    const struct json *siblings)
{
	struct slice *names;
	size_t n = text_names(json, siblings, true, &names);

	if (n > 0 && name.len > 0) {
		text_name(out, name);
		buf_char(out, '\t');
	}
	for (size_t i = 0; i < n; i++) {
		const struct json *child = json_get_slice(json, names[i]);

		buf_str(out, i == 0 ? "" : "\t");
		if (child != NULL && text_is_scalar(child)) {
			text_scalar(out, child);
		}
	}
	buf_str(out, n > 0 ? "\n" : "");
	free(names);
	n = text_names(json, NULL, false, &names);
	for (size_t i = 0; i < n; i++) {
		text_put(out, json_get_slice(json, names[i]), names[i], NULL);
	}
	free(names);
}

/* ------------------------------------------------------------ lists */

static void
text_scalars(struct buf *out, const struct json *list, struct slice name)
{
	bool some = false;

	json_each (child, list) {
		if (!text_is_scalar(child)) {
			continue;
		}
		if (name.len > 0) {
			text_name(out, name);
			buf_char(out, '\t');
		} else {
			buf_str(out, some ? "\t" : "");
		}
		text_scalar(out, child);
		buf_str(out, name.len > 0 ? "\n" : "");
		some = true;
	}
	buf_str(out, some && name.len == 0 ? "\n" : "");
}

static void
text_list(struct buf *out, const struct json *list, struct slice name)
{
	bool objects = text_has_object(list);

	if (!objects) {
		text_scalars(out, list, name);
	}
	json_each (child, list) {
		if (objects || !text_is_scalar(child)) {
			text_put(out, child, name, objects ? list : NULL);
		}
	}
}

static void
text_put(struct buf *out, const struct json *json, struct slice name, const struct json *siblings)
{
	if (json->type == JSON_OBJECT) {
		text_object(out, json, name, siblings);
	} else if (json->type == JSON_ARRAY) {
		text_list(out, json, name);
	} else {
		text_scalar(out, json);
		buf_char(out, '\n');
	}
}

void
as_text(struct buf *out, const struct json *json)
{
	text_put(out, json, SLICE(""), NULL);
}
