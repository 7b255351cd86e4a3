/* item_options - see item_options.h */
#include "tools/write/item_options.h"

#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/limits.h"

#include "tools/advice/absent_key.h"
#include "tools/advice/aws_hints.h"
#include "tools/advice/query_words.h"
#include "tools/advice/suggest.h"
#include "tools/cli/commands.h"
#include "tools/out/out.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/session/lead.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

static const struct {
	const char *name;
	const char *api;
	enum return_values value;
} returns[] = {
	{"old", "ALL_OLD", RETURN_ALL_OLD}, /* the first row is the only one for put and delete */
	{"new", "ALL_NEW", RETURN_ALL_NEW},
	{"updated-old", "UPDATED_OLD", RETURN_UPDATED_OLD},
	{"updated-new", "UPDATED_NEW", RETURN_UPDATED_NEW},
};

static int
read_return(struct call *c, const char *text, bool update, enum return_values *out)
{
	size_t n = update ? sizeof(returns) / sizeof(returns[0]) : 1;

	*out = RETURN_NONE;
	if (text == NULL || strcmp(text, "NONE") == 0) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(text, returns[i].name) == 0 || strcmp(text, returns[i].api) == 0) {
			*out = returns[i].value;
			return 0;
		}
	}
	return typed_line_no_choice(c,
				    update ? "--return must be old, new, updated-old or updated-new"
					   : "--return must be old",
				    text);
}

int
item_options_read(struct ctl *ctl, struct call *c, const struct item_options_opts *o, bool update,
		  struct item_options *out)
{
	*out = (struct item_options){.exprs = arena_new(&c->arena, struct exprs, 1)};
	ctl->exprs = out->exprs;
	int r = read_return(c, o->returned, update, &out->returned);
	if (r == 0) {
		r = exprs_placeholders(c, out->exprs, o->names, o->values);
	}
	if (r == 0) {
		r = exprs_add(c, out->exprs, "ConditionExpression", slice_from(o->condition),
			      &out->condition);
	}
	out->n_names = out->exprs->request.ph.n_names - out->exprs->request.own_names;
	if (out->n_names > 0) {
		out->names = out->exprs->request.ph.names + out->exprs->request.own_names;
	}
	return r < 0 ? r
		     : exprs_add(c, out->exprs, "ProjectionExpression", slice_from(o->project),
				 &out->projection);
}

struct write_in
item_options_write(struct slice table, const struct item_options *s, const struct item *it)
{
	return (struct write_in){
		.table = table,
		.item = *it,
		.condition = s->condition,
		.ph = s->exprs->request.ph,
		.return_values = s->returned,
		.return_on_failure = s->returned == RETURN_ALL_OLD ? RETURN_ALL_OLD : RETURN_NONE,
	};
}

void
item_options_print(struct ctl *ctl, const struct written *written, bool alone)
{
	if (written->attributes.n > 0) {
		(void)(alone ? out_one : out_item)(&ctl->out, &written->attributes);
	}
}

/* The word after the key: the expression of an update, or NULL. */
static const char *
item_options_rest(const struct ctl *ctl)
{
	return command_is(ctl->command, COMMAND_UPDATE) && ctl->words.n > 1
		       ? ctl->words.at[ctl->words.n - 1]
		       : NULL;
}

/* Replace the error @r of words that are not values of the key by a suggestion, if there is one. */
static int
item_options_fail(struct ctl *ctl, struct call *c, const struct key_schema *key,
		  const char *const *words, size_t n, int r)
{
	const struct slice values[] = {slice_from(words[0]), slice_from(n > 1 ? words[1] : NULL)};
	struct slice table = slice_from(ctl->words.at[0]);
	const char *hint = named_key_hint(ctl->command->name, c, table, key, values, n < 2 ? n : 2,
					  item_options_rest(ctl));
	bool second = n > 1 && key->sk->type == VALUE_N;
	const struct key_attr *attr = second ? key->sk : key->pk;
	const char *message = c->error.message;

	c->error = (struct error){0};
	if (hint != NULL) {
		return call_fail(c, ERR_USAGE, "%s", hint);
	}
	if (r == -ERR_VALIDATION && attr->type == VALUE_N) {
		return call_fail(c, ERR_USAGE, "%.*s is a number: %s", SLICE_ARG(attr->name),
				 message);
	}
	return call_fail(c, (enum err) - r, "%s", message);
}

/* Append a command for all items with the partition key @word, which is given without a sort key. */
static void
item_options_put_all(const struct ctl *ctl, struct buf *b, const char *word, struct slice value)
{
	const char *rest = item_options_rest(ctl);
	bool changes = ctl->fill == NULL && (command_is(ctl->command, COMMAND_DELETE) ||
					     command_is(ctl->command, COMMAND_UPDATE));

	for (size_t i = 0; ctl->exprs != NULL && i < ctl->exprs->n; i++) { /* --if excludes --all */
		changes = changes && strcmp(ctl->exprs->typed[i].field, "ConditionExpression") != 0;
	}
	if (changes && value.len == 0 && typed_line_insert(b, SLICE("--"), SLICE("--all"))) {
		return;
	}
	buf_fmt(b, "itemctl %s ", changes ? ctl->command->name : "query");
	shell_word(b, slice_from(ctl->words.at[0]));
	buf_char(b, ' ');
	shell_word(b, value.len > 0 ? value : slice_from(word));
	if (changes && rest != NULL) {
		buf_char(b, ' ');
		shell_text(b, slice_from(rest));
	}
	buf_str(b, changes ? " --all" : "");
}

/* Fail because only one word was given for a key that has a sort key. */
static int
item_options_one(struct ctl *ctl, struct call *c, const struct key_schema *key, const char *word)
{
	struct slice value = named_key_value(key->pk->name, slice_from(word));
	struct buf shown, line;

	buf_init(&line, &c->arena);
	if (command_example_of_path(&line, word)) {
		return call_fail(c, ERR_USAGE, "give %.*s and %.*s as separate words: %.*s",
				 SLICE_ARG(key->pk->name), SLICE_ARG(key->sk->name),
				 SLICE_ARG(buf_view(&line)));
	}
	buf_init(&shown, &c->arena);
	struct slice other = named_key_value(key->sk->name, slice_from(word));

	if (other.len > 0) {
		const char *quote = key->sk->type == VALUE_N ? "" : "'";

		buf_fmt(&shown, "%.*s = %s%.*s%s", SLICE_ARG(key->sk->name), quote,
			SLICE_ARG(other), quote);
		fmt_shell(&line, "itemctl scan % --filter %", slice_from(ctl->words.at[0]),
			  buf_view(&shown));
		return call_fail(c, ERR_USAGE,
				 "the key needs a value for %.*s too; for all items with %.*s: "
				 "%.*s",
				 SLICE_ARG(key->pk->name), SLICE_ARG(buf_view(&shown)),
				 SLICE_ARG(buf_view(&line)));
	}
	shell_word(&shown, value.len > 0 ? value : slice_from(word));
	item_options_put_all(ctl, &line, word, value);
	return call_fail(c, ERR_USAGE,
			 "the key needs a value for %.*s too; for all items with %.*s %.*s: %.*s",
			 SLICE_ARG(key->sk->name), SLICE_ARG(key->pk->name),
			 SLICE_ARG(buf_view(&shown)), SLICE_ARG(buf_view(&line)));
}

enum { ITEM_OPTIONS_NO_JSON = 1 };

/* Read a key attribute from @it, where a text is parsed like a word, or else from @word: VALUE or NAME=VALUE. */
static int
item_options_part(struct call *c, const struct key_attr *attr, const struct item *it,
		  const char *word, struct item *key)
{
	const struct value *v = item_get(it, attr->name);
	struct attr *at = &key->at[key->n];

	if (v != NULL && word != NULL) {
		return call_fail(c, ERR_USAGE, "%.*s is given twice: in JSON and as %s",
				 SLICE_ARG(attr->name), word);
	}
	if (v == NULL && word == NULL) {
		return 0; /* keyval_pick() reports it */
	}
	key->n++;
	at->name = attr->name;
	if (v != NULL && v->type != VALUE_S) {
		at->value = *v;
		return 0;
	}
	struct slice text = v != NULL ? v->text : named_key_value(attr->name, slice_from(word));

	return key_text_parse(c, attr, text.len > 0 || v != NULL ? text : slice_from(word),
			      &at->value);
}

/*
 * Read a key in JSON; the next word may be its sort key.  Return: 0, ITEM_OPTIONS_NO_JSON: a text that is not JSON;
 * -ERR_*
 */
static int
item_options_json(struct call *c, const struct key_schema *key, const char *const *words, size_t n,
		  struct item *out)
{
	bool sorted = key_schema_has_sort(key);
	bool alone = n == 1 && sorted; /* a single word for such a key must be JSON */
	struct item own = {.at = arena_new(&c->arena, struct attr, 2)};
	struct item it;

	if (words[0][0] != '{' || (n > 1 && !sorted)) {
		return ITEM_OPTIONS_NO_JSON;
	}
	int r = keyval_item(c, words[0], &it);

	if (!alone && (r < 0 || item_get(&it, key->pk->name) == NULL)) {
		c->error = (struct error){0};
		return ITEM_OPTIONS_NO_JSON;
	}
	r = r < 0 ? r : item_options_part(c, key->pk, &it, NULL, &own);
	if (r == 0 && sorted) {
		r = item_options_part(c, key->sk, &it, n > 1 ? words[1] : NULL, &own);
	}
	return r < 0 ? r : keyval_pick(c, key, &own, out);
}

/* Add the line with a corrected key to the error of a key in JSON that does not fit the table. */
static void
item_options_suggest(const struct ctl *ctl, struct call *c, struct slice table, struct slice typed)
{
	struct item it;

	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};
	if (ctl->fill == NULL && ctl_item(&own, typed, &it) == 0 &&
	    lacking_put(ctl, &own, table, "Key", "key element does not match the schema", &it,
			typed, &b)) {
		suggest_line(c, buf_view(&b));
	}
}

int
item_options_key(struct ctl *ctl, struct call *c, struct slice table, const char *const *words,
		 size_t n, struct item *out)
{
	assert(n > 0);
	const struct schema *schema = NULL;
	struct slice sk = n > 1 ? slice_from(words[1]) : slice_of(NULL, 0);
	int r = ctl_schema(ctl, c, table, &schema);

	if (r < 0) {
		return r;
	}
	const struct key_schema *key = &schema->key;

	lead_key(&ctl->out, c, schema, NULL);
	r = item_options_json(c, key, words, n, out);
	if (r != ITEM_OPTIONS_NO_JSON) {
		if (r == -ERR_USAGE && n == 1) {
			item_options_suggest(ctl, c, table, slice_from(words[0]));
		}
		return r;
	}
	if (n == 1 && key_schema_has_sort(key)) {
		return item_options_one(ctl, c, key, words[0]);
	}
	r = keyval_key(c, key, slice_from(words[0]), n > 1 ? &sk : NULL, out);
	return r < 0 ? item_options_fail(ctl, c, key, words, n, r) : 0;
}

const char *
item_options_named(struct ctl *ctl, struct call *c, struct slice table, const struct item *key)
{
	const struct schema *schema = NULL;
	struct slice values[2] = {{0}};
	const char *hint = NULL;

	call_scope(own, c->now_ms);
	for (size_t i = 0; i < key->n; i++) {
		values[i] = key->at[i].value.type == VALUE_S ? key->at[i].value.text : SLICE("");
	}
	if (ctl_schema(ctl, &own, table, &schema) == 0 && schema != NULL) {
		hint = named_key_hint(ctl->command->name, c, table, &schema->key, values, key->n,
				      item_options_rest(ctl));
	}
	return hint;
}

int
item_options_absent(struct ctl *ctl, struct call *c, struct slice table, const struct item *key)
{
	const struct schema *schema = NULL;

	assert(key->n > 0);
	ctl_note(ctl, "not found");
	if (!ctl_may_look(ctl) || url_is_far(ctl->store) ||
	    ctl_schema(ctl, c, table, &schema) < 0) {
		c->error = (struct error){0};
		return 1;
	}
	struct absent_key k = {.table = table,
			       .key = &schema->key,
			       .pk = {.at = {&key->at[0].value}, .n = 1},
			       .sk = key->n > 1 ? &key->at[1].value : NULL};

	const char *hint = item_options_named(ctl, c, table, key);

	if (hint != NULL) {
		ctl_note(ctl, "%s", hint);
	} else {
		absent_key_nearest(ctl, c, &k);
	}
	return 1;
}

void
item_options_expired(struct ctl *ctl, struct call *c, struct slice table, const struct item *it)
{
	call_scope(own, c->now_ms);
	struct slice ttl = {0};

	if (!ctl_may_look(ctl) || !ctl_owns(ctl) || ctl_time_to_live(ctl, &own, table, &ttl) < 0 ||
	    ttl.len == 0) {
		return;
	}
	const struct value *v = item_get(it, ttl);
	double end =
		v == NULL || v->type != VALUE_N ? 0 : strtod(slice_cstr(&own.arena, v->text), NULL);
	double past_s = (double)c->now_ms / 1000.0 - end;

	if (past_s > 0 && past_s <= LIMIT_TTL_PAST_S) {
		struct buf line = {.arena = &own.arena};

		fmt_shell(&line, "itemctl sweep %", table);
		ctl_note(ctl,
			 "its %.*s has passed: a server or a mount will delete it; to delete it "
			 "now: %.*s",
			 SLICE_ARG(ttl), SLICE_ARG(buf_view(&line)));
	}
}
