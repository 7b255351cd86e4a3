/* as_rows - see as_rows.h */
#include "tools/aws/as_rows.h"

#include "store/base/text/json.h"
#include "store/model/item_json.h"

#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/text/fmt.h"
#include "tools/text/words.h"

/* The members of answers that contain items. */
#define ROWS_ITEMS "Items Item Attributes Responses"

static bool
rows_is_empty(const struct json *json)
{
	return json->type == JSON_NULL || (json->type >= JSON_ARRAY && json->n == 0);
}

/* Make an item: an object's members, a list's elements with their numbers as names, or one value named @name. */
static int
rows_item(struct call *c, const struct json *json, struct slice name, struct item *out)
{
	if (json->type == JSON_OBJECT) {
		return item_from_json(c, json, out);
	}
	bool list = json->type == JSON_ARRAY;
	const struct json *value = list ? json->child : json;
	struct attr *at = arena_new(&c->arena, struct attr, list ? json->n : 1);
	int r = 0;

	*out = (struct item){.at = at};
	for (; r == 0 && value != NULL; value = list ? value->next : NULL) {
		struct attr *a = &at[out->n++];

		a->name = list           ? fmt_slice(&c->arena, "%zu", out->n)
			  : name.len > 0 ? name
					 : SLICE("value");
		r = value_from_json(c, value, &a->value);
	}
	return r;
}

/* Print a row for each element.  @wrapped: an element may contain its item as the member Item */
static int
rows_list(struct ctl *ctl, struct call *c, const struct json *list, bool wrapped)
{
	int r = 0;

	json_each (element, list) {
		const struct json *inside = wrapped ? json_get(element, "Item") : NULL;
		const struct json *row = inside == NULL ? element : inside;
		struct item it;

		if (rows_is_empty(row)) {
			(void)out_missing(&ctl->out);
			continue;
		}
		r = rows_item(c, row, list->name, &it);
		if (r < 0 || !out_item(&ctl->out, &it)) {
			break;
		}
	}
	ctl_empty(ctl);
	return r;
}

/* The main part of an answer: its items, or its only member if that is not empty, or else the whole answer. */
static const struct json *
rows_part(const struct json *answer)
{
	const struct json *part = NULL;

	for (const char *names = ROWS_ITEMS; part == NULL && *names != '\0';) {
		part = json_get_slice(answer, words_in_next(&names));
	}
	if (part == NULL && answer->n == 1 && answer->child->type >= JSON_ARRAY &&
	    answer->child->n > 0) {
		part = answer->child;
	}
	return part == NULL ? answer : part;
}

/* Print the members that are in no row, such as the token of the next page. */
static void
rows_note(const struct ctl *ctl, struct call *c, const struct json *answer, const struct json *part)
{
	json_each (member, part == answer ? NULL : answer) {
		struct json_writer w;
		struct buf b = {.arena = &c->arena};

		if (member == part || rows_is_empty(member) ||
		    words_in("Count ScannedCount", member->name)) {
			continue;
		}
		json_writer_init(&w, &b, 0);
		json_value(&w, member);
		ctl_note(ctl, "%.*s: %.*s", SLICE_ARG(member->name), SLICE_ARG(buf_view(&b)));
	}
}

/* Print the key columns of the request's table first. */
static void
rows_lead(struct ctl *ctl, struct call *c, struct slice request)
{
	const struct json *json = NULL;

	if (json_parse(c, request, JSON_LAST_WINS, &json) == 0) {
		const struct json *table = json_get(json, "TableName");
		const struct json *index = json_get(json, "IndexName");

		if (table != NULL) {
			lead_table(ctl, c, table->text, index == NULL ? SLICE("") : index->text);
		}
	}
	c->error = (struct error){0};
}

int
as_rows(struct ctl *ctl, struct call *c, const struct json *json, struct slice request)
{
	bool whole = request.len > 0;
	const struct json *part = whole ? rows_part(json) : json;
	bool responses = whole && slice_is(part->name, "Responses");
	struct item it;
	int r = 0;

	if (whole && words_in(ROWS_ITEMS, part->name)) {
		rows_lead(ctl, c, request);
	}
	if (part->type == JSON_ARRAY) {
		r = rows_list(ctl, c, part, responses);
	} else if (responses) { /* by table */
		json_each (table, part) {
			r = r < 0 ? r : rows_list(ctl, c, table, false);
		}
	} else if (json->type != JSON_OBJECT || json->n > 0) {
		r = rows_item(c, part, part->name, &it);
		(void)(r == 0 && out_one(&ctl->out, &it));
	}
	if (r == 0) {
		rows_note(ctl, c, json, part);
	}
	return r;
}
