/* out_yaml - see out_yaml.h */
#include "tools/out/out_yaml.h"

#include "store/base/text/json.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

#include "tools/text/words.h"

enum { OUT_YAML_BUDGET = 64 * 1024 * 1024 };

/* Return true if YAML reads the word as something other than a string. */
static bool
yaml_is_special(struct slice s)
{
	return words_in_any_case("true false null yes no on off y n nan inf", s);
}

/* Return true if the string needs no quotes: it begins with a letter or '_' and has no special characters of YAML. */
static bool
yaml_is_plain(struct slice s)
{
	bool plain = s.len > 0 && s.len < 200 && ascii_word(s.at[0]) && !ascii_digit(s.at[0]) &&
		     s.at[s.len - 1] != ' ';

	for (size_t i = 0; plain && i < s.len; i++) {
		plain = ascii_word(s.at[i]) ||
			(s.at[i] != '\0' && strchr(" ./@-", s.at[i]) != NULL);
	}
	return plain && !yaml_is_special(s);
}

static void
yaml_string(struct buf *b, struct slice s)
{
	if (yaml_is_plain(s)) {
		buf_slice(b, s);
	} else {
		json_put_string(b, s);
	}
}

static void
yaml_scalar(struct buf *b, const struct json *json)
{
	switch ((int)json->type) {
	case JSON_STRING:
		yaml_string(b, json->text);
		break;
	case JSON_NUMBER:
		buf_slice(b, json->text);
		break;
	case JSON_ARRAY:
		buf_str(b, "[]");
		break;
	case JSON_OBJECT:
		buf_str(b, "{}");
		break;
	default:
		buf_str(b, json->type == JSON_NULL   ? "null"
			   : json->type == JSON_TRUE ? "true"
						     : "false");
		break;
	}
}

/* @first: the indentation of the first line is already written. */
static void
yaml_value(struct buf *b, const struct json *json, int indent, bool first)
{
	bool object = json->type == JSON_OBJECT;

	if (json->child == NULL) {
		yaml_scalar(b, json);
		buf_char(b, '\n');
		return;
	}
	json_each (child, json) {
		bool nested = child->child != NULL;

		buf_fmt(b, "%*s", first ? 0 : indent, "");
		first = false;
		if (object) {
			yaml_string(b, child->name);
			buf_str(b, nested ? ":\n" : ": ");
			yaml_value(b, child, nested ? indent + 2 : indent, false);
		} else {
			buf_str(b, "- ");
			yaml_value(b, child, indent + 2, true);
		}
	}
}

void
out_yaml(struct buf *b, struct slice text, bool element)
{
	const struct json *json;
	cleanup(call_close) struct call own;

	call_open(&own, 0, OUT_YAML_BUDGET);
	buf_str(b, element ? "- " : "");
	if (json_parse(&own, text, JSON_LAST_WINS, &json) == 0) {
		yaml_value(b, json, element ? 2 : 0, true);
	} else {
		buf_slice(b, text); /* too large, for example; JSON is valid YAML */
		buf_char(b, '\n');
	}
}

/* ------------------------------------------------------------ cells */

static void
cells_text(struct buf *b, struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		char at = s.at[i];

		if (at == '\t' || at == '\n' || at == '\r' || at == '\\') {
			buf_fmt(b, "\\%c",
				at == '\t'   ? 't'
				: at == '\n' ? 'n'
				: at == '\r' ? 'r'
					     : at);
		} else {
			buf_char(b, at);
		}
	}
}

void
out_cells_put(struct out_cells *cells, struct buf *b, const struct item *it)
{
	size_t left = it->n;

	(void)csv_note(&cells->columns, &cells->arena, it);
	for (size_t i = 0; i < cells->columns.n && left > 0; i++) {
		const struct value *v = item_get(it, cells->columns.at[i].name);

		buf_str(b, i == 0 ? "" : "\t");
		left -= v != NULL;
		if (v != NULL && (v->type == VALUE_S || v->type == VALUE_N)) {
			cells_text(b, v->text);
		} else if (v != NULL) {
			value_put_json(b, v, ITEM_PLAIN);
		}
	}
	buf_char(b, '\n');
}
