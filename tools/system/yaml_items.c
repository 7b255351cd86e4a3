/* yaml_items - see yaml_items.h */
#include "tools/system/yaml_items.h"

#include "store/base/text/json.h"

#include "tools/system/source_form.h"
#include "tools/text/yaml_text.h"

bool
yaml_items_suffix(const char *file)
{
	return file != NULL &&
	       (source_has_suffix(file, ".yaml") || source_has_suffix(file, ".yml"));
}

bool
yaml_items_look(struct slice text)
{
	return slice_starts(text, SLICE("---\n")) || slice_starts(text, SLICE("--- ")) ||
	       slice_starts(text, SLICE("- ")) || slice_starts(text, SLICE("# "));
}

struct yaml_items {
	struct buf *out;
	size_t line; /* the line of the next byte of @out */
};

static void
yaml_items_add(void *arg, const struct json *item, size_t line)
{
	struct yaml_items *y = arg;
	struct json_writer w;

	for (; y->line < line; y->line++) {
		buf_char(y->out, '\n');
	}
	json_writer_init(&w, y->out, 0);
	json_value(&w, item);
	buf_char(y->out, '\n');
	y->line++;
}

int
yaml_items(struct call *c, struct slice text, struct buf *out)
{
	struct yaml_items y = {.out = out, .line = 1};

	return yaml_text_items(c, text, yaml_items_add, &y);
}
