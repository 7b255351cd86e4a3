/* change_line - see change_line.h */
#include "store/engine/change_line.h"

#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

/* In the order of enum stream_event. */
static const char *const events[] = {"INSERT", "MODIFY", "REMOVE"};

static void
change_line_put_item(struct buf *out, const char *name, const struct item *it, enum item_form form)
{
	buf_fmt(out, ",\"%s\":", name);
	item_put_json(out, it, form);
}

static void
change_line_put_keys(struct buf *out, const struct schema *s, const struct item *it,
		     enum item_form form)
{
	const struct key_attr *names[KEY_VALUES_MAX];
	struct attr at[KEY_VALUES_MAX];
	size_t n = schema_place(s, NULL, names);
	struct item keys = {.at = at};

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(it, names[i]->name);

		if (v != NULL) {
			at[keys.n++] = (struct attr){.name = names[i]->name, .value = *v};
		}
	}
	change_line_put_item(out, "Keys", &keys, form);
}

static void
put_image(struct buf *out, const char *name, const struct schema *s, const struct item *it,
	  enum item_form form)
{
	struct arena scratch;

	if (it->n == 0) {
		return;
	}
	arena_init(&scratch, SIZE_MAX);
	struct item ordered = item_key_first(&scratch, &s->key, it);

	change_line_put_item(out, name, &ordered, form);
	arena_drop(&scratch);
}

void
change_line_put(struct buf *out, const struct schema *s, bool typed,
		const struct stream_record *record)
{
	enum item_form form = typed ? ITEM_TYPED : ITEM_PLAIN;

	buf_fmt(out, "{\"eventName\":\"%s\",\"seq\":\"%.*s\"", events[record->event],
		SLICE_ARG(record->seq));
	change_line_put_keys(out, s, &record->keys, form);
	put_image(out, "NewImage", s, &record->new_image, form);
	put_image(out, "OldImage", s, &record->old_image, form);
	if (record->service) {
		buf_str(out, ",\"userIdentity\":{\"PrincipalId\":\"dynamodb.amazonaws.com\","
			     "\"Type\":\"Service\"}");
	}
	buf_str(out, "}\n");
}
