/* advice - see advice.h; the client gets DynamoDB's own words */
#include "store/wire/advice.h"

#include <assert.h>

#include "store/base/ascii.h"
#include "store/base/cleanup.h"
#include "store/base/near.h"
#include "store/base/say.h"

enum { ADVICE_BUDGET = 4 * 1024 * 1024 };

static const char advice_reserved[] = "reserved keyword: ";
static const char advice_key[] = "key element does not match the schema";

bool
advice_suits(const struct server *s, const struct error *e)
{
	return s->peer == CODEC_FOREIGN && e->message != NULL &&
	       (e->code == ERR_NO_TABLE || e->code == ERR_NO_SUCH_TABLE ||
		(e->code == ERR_VALIDATION && (strstr(e->message, advice_reserved) != NULL ||
					       strstr(e->message, advice_key) != NULL)));
}

/* Is it the first time? */
static bool
advice_is_new(struct server *s, struct slice about)
{
	lock_scope(&s->lock);
	for (size_t i = 0; i < s->n_advised; i++) {
		if (slice_eq(s->advised[i], about)) {
			return false;
		}
	}
	if (s->n_advised == sizeof(s->advised) / sizeof(s->advised[0])) {
		return false;
	}
	s->advised[s->n_advised++] = slice_copy(&s->call.arena, about);
	return true;
}

static void
advice_word(const char *word)
{
	char first = ascii_lower(*word);

	say("hint: %s is a reserved word: write #%c for it, with the names {\"#%c\":\"%s\"} "
	    "(--expression-attribute-names, ExpressionAttributeNames)",
	    word, first, first, word);
}

/* Who asks whether there is a table may mean just that. */
static void
advice_table(struct server *s, struct call *c, enum op_type type, struct slice table)
{
	bool asks = type == OP_DESCRIBE_TABLE || type == OP_DELETE_TABLE;
	struct near near = near_start(table);
	struct list_tables_in in = {0};
	struct list_tables_out out = {0};
	struct buf names;
	int r;

	buf_init(&names, &c->arena);
	do {
		r = engine_list_tables(s->e, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			near_try(&near, out.names[i]);
			buf_fmt(&names, "%s%.*s", names.len == 0 ? "" : ", ",
				SLICE_ARG(out.names[i]));
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0 && names.len < 400);
	if (r == 0 && near.best.len > 0) {
		say("hint: table %.*s not found; did you mean %.*s?", SLICE_ARG(table),
		    SLICE_ARG(near.best));
	} else if (r == 0 && !asks) {
		say("hint: table %.*s not found; there %s%.*s", SLICE_ARG(table),
		    names.len == 0 ? "are no tables" : "are: ", SLICE_ARG(buf_view(&names)));
	}
}

static void
advice_of_key(struct server *s, struct call *c, struct slice table, const struct json *key)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};
	struct buf b;

	if (engine_describe_table(s->e, c, &in, &out) < 0) {
		return;
	}
	assert(out.table.schema != NULL);
	const struct key_schema *schema = &out.table.schema->key;
	const struct key_attr *both[] = {schema->pk, schema->sk};
	const char *missing = NULL;

	buf_init(&b, &c->arena);
	for (size_t i = 0; i < 2 && both[i]->name.len > 0; i++) {
		buf_fmt(&b, "%s%.*s (%s)", i == 0 ? "" : " and ", SLICE_ARG(both[i]->name),
			value_type_name(both[i]->type));
		if (key != NULL && json_get_slice(key, both[i]->name) == NULL) {
			missing = slice_cstr(&c->arena, both[i]->name);
		}
	}
	say("hint: the key of %.*s is %.*s%s%s", SLICE_ARG(table), SLICE_ARG(buf_view(&b)),
	    missing != NULL ? "; the request has no " : "", missing != NULL ? missing : "");
}

void
advice_say(struct server *s, const struct error *e, enum op_type type, struct slice body)
{
	const char *word = strstr(e->message, advice_reserved);
	const struct json *json = NULL;
	struct call own;
	struct buf about;

	call_open(&own, s->now_ms(), ADVICE_BUDGET);
	bool read = json_parse(&own, body, JSON_LAST_WINS, &json) == 0;
	const struct json *name = read ? json_get(json, "TableName") : NULL;
	struct slice table = name != NULL && name->type == JSON_STRING ? name->text : SLICE("");

	buf_init(&about, &own.arena);
	buf_fmt(&about, "%.*s: %s", SLICE_ARG(table), word != NULL ? word : e->message);
	if ((word == NULL && table.len == 0) || !advice_is_new(s, buf_view(&about))) {
		call_close(&own);
		return;
	}
	if (word != NULL) {
		advice_word(word + sizeof(advice_reserved) - 1);
	} else if (e->code == ERR_VALIDATION) {
		advice_of_key(s, &own, table, json_get(json, "Key"));
	} else {
		advice_table(s, &own, type, table);
	}
	call_close(&own);
}
