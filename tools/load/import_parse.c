/* import_parse - see import_parse.h */
#include "tools/load/import_parse.h"

#include "store/base/text/json.h"
#include "store/model/item_json.h"

#include "tools/load/derive.h"
#include "tools/load/envelope.h"
#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/load/source_csv.h"
#include "tools/system/call_scope.h"
#include "tools/text/words.h"
#include "tools/write/apply.h"

static int
import_parse_export(struct call *c, const struct json *json, struct item *out)
{
	const struct json *item = json_get(json, "Item");

	if (item == NULL) {
		return call_fail(c, ERR_VALIDATION, "there is no \"Item\"");
	}
	if (json->n != 1) {
		return call_fail(
			c, ERR_VALIDATION,
			"unexpected member beside \"Item\": this is not a line of a full export");
	}
	return item_from_typed_json(c, item, out);
}

/* Return the member @name if it is an object, else NULL. */
static const struct json *
import_parse_object(const struct json *json, const char *name)
{
	const struct json *found = json_get(json, name);

	return found != NULL && found->type == JSON_OBJECT ? found : NULL;
}

/* Check that no member beside the item would be lost, such as a condition. */
static int
import_parse_beside(struct call *c, const struct json *json, const struct schema *of)
{
	static const char harmless[] =
		"Item ConsumedCapacity ItemCollectionMetrics ResponseMetadata $metadata "
		"ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValues "
		"ReturnValuesOnConditionCheckFailure";

	json_each (member, json) {
		if (words_in(harmless, member->name)) {
			continue;
		}
		if (!slice_is(member->name, "TableName")) {
			return call_fail(c, ERR_USAGE,
					 "import does not support \"%.*s\" beside \"Item\"",
					 SLICE_ARG(member->name));
		}
		if (!slice_eq(member->text, of->table)) {
			return envelope_other_table(c, member->text, of);
		}
	}
	return 0;
}

/*
 * Get the typed item of {"Item":...} or {"PutRequest":{"Item":...}}.
 * @out: NULL if @json itself may be an item, in any case if it has the partition key
 */
static int
import_parse_envelope(struct call *c, const struct json *json, const struct schema *of,
		      const struct json **out)
{
	*out = NULL;
	if (json->type != JSON_OBJECT || json_get_slice(json, of->key.pk->name) != NULL) {
		return 0;
	}
	if (import_parse_object(json, "DeleteRequest") != NULL) {
		return call_fail(c, ERR_USAGE,
				 "a DeleteRequest is not an item; to send requests as they are: "
				 "itemctl call BatchWriteItem FILE");
	}
	if (import_parse_object(json, "Keys") != NULL &&
	    import_parse_object(json, "Metadata") != NULL) {
		return call_fail(c, ERR_USAGE,
				 "this is a line of an incremental export: import "
				 "--apply puts and deletes its items");
	}
	const struct json *put = import_parse_object(json, "PutRequest");
	const struct json *around = put != NULL && json->n == 1 ? put : json;

	*out = import_parse_object(around, "Item");
	return *out == NULL ? 0 : import_parse_beside(c, around, of);
}

/* Remove the line number from the parser's error: the caller reports the line of the record. */
static int
import_parse_without_line(struct call *c)
{
	const char *rest;

	if (json_fault_line(c->error.message, &rest) != 1) {
		return -(int)c->error.code;
	}
	c->error.message = rest;
	return call_prefix(c, "not JSON: ");
}

static int
import_parse_own(const struct import_options *o, struct call *c, const struct chunk *chunk,
		 const struct record *record, struct apply_line *line, struct item *out)
{
	const struct json *json = NULL;

	if (record->too_long) {
		return source_too_long(c);
	}
	struct slice text = slice_of(chunk->bytes.at + record->at, record->len);

	if (chunk->form == SOURCE_CSV) {
		assert(chunk->columns != NULL);
		return source_csv_item(c, chunk->columns, text, record->unended, out);
	}
	int r = json_parse(c, text, JSON_STRICT, &json);
	if (r < 0) {
		return import_parse_without_line(c);
	}
	if (chunk->form == SOURCE_JSONL && json->type == JSON_ARRAY) {
		return call_fail(
			c, ERR_VALIDATION,
			"an item is a JSON object; an array of them is read with --from json");
	}
	if (o->apply != NULL) {
		return apply_parse(c, json, o->bulk->key, line, out);
	}
	if (chunk->form == SOURCE_EXPORT) {
		return import_parse_export(c, json, out);
	}
	const struct json *inner;

	r = import_parse_envelope(c, json, o->source->schema, &inner);
	if (r == 0 && inner != NULL) {
		return item_from_typed_json(c, inner, out);
	}
	return r < 0 ? r : item_from_json(c, json, out);
}

int
import_parse_record(const struct import_options *o, struct call *c, const struct chunk *chunk,
		    const struct record *record, struct apply_line *line, struct item *out)
{
	int r = import_parse_own(o, c, chunk, record, line, out);

	return r < 0 || o->derive == NULL ? r : derive_item(c, o->derive, out);
}

void
import_parse_open(struct parsed *p, uint64_t now_ms, size_t n)
{
	*p = (struct parsed){0};
	call_open(&p->call, now_ms, CALL_BUDGET);
	p->items = arena_new(&p->call.arena, struct item, n);
	p->of = arena_new(&p->call.arena, const struct record *, n);
	p->good = arena_new(&p->call.arena, bool, n);
	p->lines = arena_new(&p->call.arena, struct apply_line, n);
}

void
import_parse_chunk(const struct import_options *o, uint64_t now_ms, const struct chunk *chunk,
		   struct parsed *p)
{
	import_parse_open(p, now_ms, chunk->n);
	for (size_t i = 0; i < chunk->n; i++) {
		const struct record *record = &chunk->records[i];
		struct apply_line *line = &p->lines[p->n];

		*line = (struct apply_line){0};
		int r = import_parse_record(o, &p->call, chunk, record, line, &p->items[p->n]);

		if (r < 0 && !o->skip) {
			p->bad = record;
			return;
		}
		if (r < 0) { /* reported in the first round */
			*line = (struct apply_line){.chosen = true, .settled = true};
		}
		p->of[p->n] = record;
		p->good[p->n++] = r == 0;
		p->call.error = (struct error){0}; /* reported when it is the chunk's turn */
	}
}
