/* out_md - see out_md.h */
#include "tools/out/out_md.h"

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

/* Return true if the character is special in Markdown. An underscore within a word is not. */
static bool
out_md_means(struct slice text, size_t i)
{
	if (text.at[i] == '_') {
		return i == 0 || !ascii_word(text.at[i - 1]);
	}
	return text.at[i] != '\0' && strchr("\\|`*<&~", text.at[i]) != NULL;
}

static void
out_md_text(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char ch = text.at[i];
		bool pair = ch == '\r' && i + 1 < text.len && text.at[i + 1] == '\n';

		if (ch == '\n' || (ch == '\r' && !pair)) {
			buf_str(out, "<br>");
		} else if (!pair) {
			buf_put(out, "\\", out_md_means(text, i));
			buf_char(out, ch);
		}
	}
}

void
out_md_header(struct buf *out, const struct csv_columns *columns)
{
	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, "| ");
		out_md_text(out, columns->at[i].name);
		buf_char(out, ' ');
	}
	buf_str(out, "|\n");
	for (size_t i = 0; i < columns->n; i++) {
		buf_str(out, columns->at[i].kind == CSV_NUMBER ? "| ---: " : "| --- ");
	}
	buf_str(out, "|\n");
}

void
out_md_row(struct buf *out, const struct csv_columns *columns, const struct item *it)
{
	cleanup(buf_release) struct buf json = {0};

	for (size_t i = 0; i < columns->n; i++) {
		const struct value *v = item_get(it, columns->at[i].name);

		buf_str(out, "| ");
		if (v != NULL && (v->type == VALUE_S || v->type == VALUE_N)) {
			out_md_text(out, v->text);
		} else if (v != NULL) {
			buf_clear(&json);
			value_put_json(&json, v, ITEM_PLAIN);
			out_md_text(out, buf_view(&json));
		}
		buf_str(out, v == NULL ? "" : " ");
	}
	buf_str(out, "|\n");
}
