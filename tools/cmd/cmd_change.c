/* cmd_change - update, delete: of one item, of those whose keys come from standard input, or of those that match */
#include <assert.h>
#include <pthread.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"

#include "tools/advice/update_words.h"
#include "tools/cmd/cmd.h"
#include "tools/out/show.h"
#include "tools/session/command.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/text/fmt.h"
#include "tools/write/bulk.h"
#include "tools/write/keys.h"
#include "tools/write/matching.h"
#include "tools/write/misnamed.h"
#include "tools/write/parallel.h"
#include "tools/write/single.h"

/* A change that is made to one item after the other. */
struct change {
	struct ctl *ctl;
	struct single single;
	const char *typed;   /* the update as it was typed */
	struct slice update; /* rewritten; empty: the item is deleted */
	bool looks;          /* ask whether the item was there, though it is not printed */
	bool everything;     /* no condition but that an item is there: counts are true with it */
};

/* First in it is what single.h fills. */
struct change_opts {
	struct single_opts single;
	struct matching_opts match;
	const char *clauses[UPDATE_CLAUSES]; /* of an update: --set, --add, --remove, --append */
};

static int
cmd_change_one(const struct change *ch, struct call *c, struct slice table, const struct item *key,
	       bool relaxed, struct written *written)
{
	struct op_in in = {.type = ch->update.len > 0 ? OP_UPDATE_ITEM : OP_DELETE_ITEM};
	struct op_out out = {.type = in.type};
	struct write_in write = single_write(table, &ch->single, key);
	int r;

	write.relaxed = relaxed;
	if (ch->looks) {
		write.return_values = RETURN_ALL_OLD;
	}
	if (in.type == OP_UPDATE_ITEM) {
		in.update_item = (struct update_item_in){.write = write, .update = ch->update};
	} else {
		in.delete_item.write = write;
	}
	r = engine_execute(ch->ctl->engine, c, &in, &out);
	if (r == 0) {
		*written = in.type == OP_UPDATE_ITEM ? out.update_item.written
						     : out.delete_item.written;
	}
	return r;
}

/* ------------------------------------------------------------ keys from standard input */

/* Keys that are asked for one by one, and what became of them. */
struct several {
	const struct change *ch;
	struct slice table;
	const struct item *const *keys; /* [n] */
	bool *done;                     /* [n] */
	bool *refused;                  /* [n]: with done: the condition does not hold */
	pthread_mutex_t printing;
};

/* That a condition does not hold ends nothing. */
static int
change_nth(void *arg, size_t i, struct call *c)
{
	struct several *s = arg;
	struct written written = {0};
	int r = cmd_change_one(s->ch, c, s->table, s->keys[i], true, &written);

	if (r == 0) {
		lock_scope(&s->printing);
		single_print(s->ch->ctl, &written, false);
	}
	s->refused[i] = r == -ERR_CONDITION;
	return s->refused[i] ? 0 : r;
}

/* Is @word in @text, with no letter beside it? */
static bool
has_word(struct slice text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.len; i++) {
		if (strncasecmp(text.at + i, word, n) == 0 &&
		    (i == 0 || !ascii_word(text.at[i - 1])) &&
		    (i + n == text.len || !ascii_word(text.at[i + n]))) {
			return true;
		}
	}
	return false;
}

/* Is the outcome another one when it is carried out twice? */
static bool
adds_up(struct slice update)
{
	return slice_chr(update, '+') != NULL || slice_chr(update, '-') != NULL ||
	       has_word(update, "list_append") || has_word(update, "ADD");
}

/* The keys of @batch that are not @done.  The same change of the same item may stand there twice: which comes first tells nobody. */
static int
change_several(const struct change *ch, struct call *c, struct keys *keys, const struct item *batch,
	       const bool *done, size_t n)
{
	const struct item **rest = arena_new(&c->arena, const struct item *, n + 1);
	struct several s = {.ch = ch,
			    .table = keys->bulk.table,
			    .keys = rest,
			    .done = arena_new(&c->arena, bool, n + 1),
			    .refused = arena_new(&c->arena, bool, n + 1)};
	struct parallel *p = &keys->bulk.parallel;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!done[i]) {
			rest[count++] = &batch[i];
		}
	}
	p->foreign = p->foreign || keys->bulk.no_change;
	p->once = (ch->update.len > 0 && adds_up(ch->update)) || ch->single.returned != RETURN_NONE;
	(void)pthread_mutex_init(&s.printing, NULL);
	int r = parallel_run(p, c, count, change_nth, &s, s.done);

	(void)pthread_mutex_destroy(&s.printing);
	for (size_t i = count; i-- > 0;) {
		keys->done += s.done[i] && !s.refused[i];
		keys->refused += s.done[i] && s.refused[i];
		if (!s.done[i] && r < 0) {
			keys->at_fault = (size_t)(rest[i] - batch) + 1;
		}
	}
	return r;
}

/* A refusal is left to those that are asked for one by one. */
static int
end_many(struct call *c, struct call *own, int r)
{
	r = r < 0 && error_http(own->error.code) >= 500 ? ctl_adopt(c, own) : 0;
	call_close(own);
	return r;
}

/*
 * As many as go without asking for each; what is refused is left to those that are asked for one
 * by one, since then what comes before the item at fault is done.  Any other failure ends it all:
 * whether the changes were made is not known then, and an ADD must not be made twice.
 */
static int
change_many(const struct change *ch, struct call *c, struct keys *keys, const struct item *batch,
	    size_t n, size_t *done)
{
	struct change_items_in in = {
		.update = ch->update,
		.condition = ch->single.condition,
		.ph = ch->single.exprs->request.ph,
	};
	struct change_items_out out;
	struct call own;

	*done = 0;
	if (ch->ctl->meter != NULL || ch->single.returned != RETURN_NONE) {
		return 0; /* this tells neither capacity nor items */
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	int r = bulk_change(&keys->bulk, &own, &in, batch, n, &out);

	r = end_many(c, &own, r);
	keys->done += out.changed;
	keys->refused += out.refused;
	*done = out.changed + out.refused;
	return r;
}

/* Many deletions where the store has no such operation: as change_many(). */
static int
delete_many(struct call *c, struct keys *keys, const struct item *batch, size_t n, bool *done)
{
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	int r = bulk_delete(&keys->bulk, &own, batch, n, done);

	r = end_many(c, &own, r);
	for (size_t i = n; i-- > 0;) {
		keys->done += done[i];
		keys->at_fault = !done[i] && r < 0 ? i + 1 : keys->at_fault;
	}
	return r;
}

static int
change_batch(void *arg, struct call *c, struct keys *keys, const struct item *batch, size_t n)
{
	const struct change *ch = arg;
	bool plain = ch->update.len == 0 && ch->single.returned == RETURN_NONE &&
		     (ch->single.condition.len == 0 || ch->everything);
	bool *done = arena_new(&c->arena, bool, n + 1);
	size_t first = 0;
	int r = change_many(ch, c, keys, batch, n, &first);

	for (size_t i = 0; i < n; i++) {
		done[i] = i < first;
	}
	if (r == 0 && plain && first < n) {
		r = delete_many(c, keys, batch + first, n - first, done + first);
		keys->at_fault += r < 0 ? first : 0;
	}
	return r == 0 ? change_several(ch, c, keys, batch, done, n) : r;
}

/* @m: NULL: standard input has the keys */
static int
cmd_change_stream(struct change *ch, struct call *c, struct slice table, const struct matching *m)
{
	const struct schema *schema = m == NULL ? NULL : m->schema;
	int r = m == NULL ? ctl_schema(ch->ctl, c, table, &schema) : 0;

	if (r < 0) {
		return r;
	}
	struct keys keys = keys_of(ch->ctl, schema);

	keys.asks = ch->update.len > 0 ? "Change" : "Delete";
	if (m != NULL) {
		keys.from = m->keys;
		keys.found = m->n;
		keys.gone = ch->everything ? "are gone" : "no longer match";
	}
	return keys_each(ch->ctl, c, &keys, ch->update.len > 0 ? "updated" : "deleted",
			 change_batch, ch);
}

/* ------------------------------------------------------------ items that match */

/* Some key that is right for the table. */
static struct item
change_any_key(struct call *c, const struct key_schema *key)
{
	struct attr *at = arena_new(&c->arena, struct attr, 2);
	struct item out = {.at = at};
	const struct key_attr *attrs[] = {key->pk, key_schema_has_sort(key) ? key->sk : NULL};

	for (size_t i = 0; i < 2 && attrs[i] != NULL; i++) {
		at[out.n++] = (struct attr){
			.name = attrs[i]->name,
			.value = {.type = attrs[i]->type, .text = SLICE("0")},
		};
	}
	return out;
}

/* Is the update one?  Judged before the items are looked for, under a condition that never holds. */
static int
change_judge(const struct change *ch, struct call *c, const struct single_opts *o,
	     const struct matching *m)
{
	struct slice typed = slice_from(ch->typed);
	struct change judged = {.ctl = ch->ctl};
	struct written written;
	struct item key = change_any_key(c, &m->schema->key);

	judged.single.exprs = arena_new(&c->arena, struct exprs, 1);
	int r = exprs_placeholders(c, judged.single.exprs, o->names, o->values);

	exprs_keep(c, judged.single.exprs, typed, SLICE(""));
	r = r < 0 ? r
		  : exprs_add(c, judged.single.exprs, "UpdateExpression", typed, &judged.update);
	if (r < 0) {
		return r;
	}
	exprs_name(c, judged.single.exprs, "#itemctl_pk", m->schema->key.pk->name);
	judged.single.condition =
		SLICE("attribute_exists(#itemctl_pk) AND attribute_not_exists(#itemctl_pk)");
	ch->ctl->exprs = judged.single.exprs;
	r = cmd_change_one(&judged, c, m->schema->table, &key, true, &written);
	if (r == -ERR_VALIDATION) {
		return r;
	}
	c->error = (struct error){0}; /* any other will come again, if it matters */
	return 0;
}

/* All that match, one by one only if they still do. */
static int
change_matching(struct change *ch, struct call *c, const struct single_opts *o, struct matching *m)
{
	int r = confirm_far_check(ch->ctl, c);

	r = r < 0 ? r : misnamed_check(ch->ctl, c, m->schema->table, &ch->single);
	if (r == 0 && ch->ctl->estimates) {
		show_lines(SLICE("reads alone: each item that changes consumes write units, too"));
	} else if (r == 0 && ch->update.len > 0) {
		r = change_judge(ch, c, o, m);
	}
	matching_condition(m, c, &ch->single);
	ch->everything = matching_is_all(m);
	r = r < 0 ? r : matching_find(ch->ctl, c, m);
	if (r == 0) {
		ch->ctl->exprs = ch->single.exprs;
		r = cmd_change_stream(ch, c, m->schema->table, m);
	}
	matching_close(m);
	return r;
}

/* That an item is not there changes no outcome, but may be a mistake. Far away, a policy may forbid the question. */
static bool
change_looks(const struct change *ch)
{
	return ch->single.returned == RETURN_NONE && ch->single.condition.len == 0 &&
	       !ch->ctl->quiet && !url_is_far(ch->ctl->store);
}

/* An update of "Artist=Acme" would make an item of that name: it is refused, unless there is one. */
static int
change_named(const struct change *ch, struct call *c, struct slice table, const struct item *key)
{
	const char *hint = ch->update.len > 0 ? single_named(ch->ctl, c, table, key) : NULL;
	struct get_item_in in = {.table = table, .key = *key, .consistent = true};
	struct get_item_out out = {0};

	if (hint == NULL) {
		return 0;
	}
	int r = engine_get_item(ch->ctl->engine, c, &in, &out);

	return r < 0 || out.found ? r : call_fail(c, ERR_USAGE, "%s", hint);
}

static void
change_say_absent(const struct change *ch, struct call *c, struct slice table,
		  const struct item *key)
{
	const char *hint = single_named(ch->ctl, c, table, key);

	ctl_note(ch->ctl, "there was no such item%s",
		 ch->update.len > 0 ? ": it has been made" : "");
	if (hint != NULL) {
		ctl_note(ch->ctl, "%s", hint);
	}
}

/* The @n words that name items: a key, or "-". */
static int
cmd_change_change(struct change *ch, struct call *c, struct slice table, const char *const *words,
		  size_t n)
{
	struct written written = {0};
	struct item key;

	int r = misnamed_check(ch->ctl, c, table, &ch->single);

	if (r == 0 && n == 1 && strcmp(words[0], "-") == 0) {
		return cmd_change_stream(ch, c, table, NULL);
	}
	if (r < 0) {
		return r;
	}
	r = single_key(ch->ctl, c, table, words, n, &key);
	if (r < 0 && n == 1 && ch->update.len > 0) {
		/* Perhaps what was meant as SK stands where the expression does. */
		return call_prefix(c, "update TABLE PK [SK] EXPR: ");
	}
	ch->looks = change_looks(ch);
	r = r < 0 ? r : change_named(ch, c, table, &key);
	if (r == 0) {
		misnamed_update(ch->ctl, c, table, slice_from(ch->typed));
	}
	r = r < 0 ? r : cmd_change_one(ch, c, table, &key, false, &written);
	if (r == 0 && !ch->looks) {
		single_print(ch->ctl, &written, true);
	} else if (r == 0 && written.attributes.n == 0) {
		change_say_absent(ch, c, table, &key);
	} else if (r == -ERR_CONDITION) {
		misnamed_say(ch->ctl, c, table, &ch->single);
	}
	return r;
}

/* Neither a key nor a filter. */
static int
change_no_key(struct call *c, const struct words *words, const struct change_opts *o,
	      const char *update)
{
	const char *name = update != NULL ? "update" : "delete";

	if (o->match.index != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--index goes with --filter EXPR or --all: a key is the table's");
	}
	struct buf b = {.arena = &c->arena};
	if (command_put_dash(&b, update != NULL ? &cmd_update : &cmd_delete, words)) {
		return call_fail(c, ERR_USAGE, "%s needs a key, --filter EXPR or --all%.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	if (update != NULL) {
		fmt_shell(&b, " %", slice_from(update));
	} else {
		buf_fmt(&b, "; the table itself: itemctl drop %s", words->at[0]);
	}
	return call_fail(c, ERR_USAGE,
			 "%s needs a key, --filter EXPR or --all: itemctl %s %s --filter EXPR%.*s",
			 name, name, words->at[0], SLICE_ARG(buf_view(&b)));
}

/* @update: NULL: items are deleted; else the last of the words */
static int
change_run(struct ctl *ctl, struct call *c, const struct change_opts *o, const struct words *words,
	   const char *update)
{
	struct slice table = slice_from(words->at[0]);
	const char *const *key = words->at + 1;
	size_t n = words->n - 1 - (update != NULL);
	struct single_opts single = o->single;
	struct change ch = {.ctl = ctl, .typed = update};
	bool many = matching_wanted(&o->match);
	struct matching m = {0};
	int r = 0;

	if (!many && (n == 0 || o->match.index != NULL)) {
		return change_no_key(c, words, o, update);
	}
	if (many) {
		r = matching_open(ctl, c, table, &o->match, &o->single, key, n, &m);
		single.condition = o->match.filter;
	}
	r = r < 0 ? r : single_read(ctl, c, &single, update != NULL, &ch.single);
	if (r == 0 && update != NULL) {
		r = exprs_add(c, ch.single.exprs, "UpdateExpression", slice_from(update),
			      &ch.update);
	}
	if (r < 0) {
		return r;
	}
	return many ? change_matching(&ch, c, &single, &m)
		    : cmd_change_change(&ch, c, table, key, n);
}

#define CHANGE_AT(field) offsetof(struct change_opts, match.field)
#define CHANGE_MATCHING \
	{"filter", 0, OPT_EXPR, "EXPR", CHANGE_AT(filter), "all items that match EXPR"}, \
		{"all",          0, \
		 OPT_FLAG,       NULL, \
		 CHANGE_AT(all), "all items of the table, or of the partition"}, \
	{ \
		"index", 0, OPT_TEXT, "NAME", CHANGE_AT(index), \
			"with --filter or --all: the items in this index" \
	}

/* ------------------------------------------------------------ update */

static const struct opt update_opts[] = {
	SINGLE_IF,
	{"return", 0, OPT_TEXT, "WHAT", SINGLE_AT(returned),
	 "print the item: old, new, updated-old or updated-new"},
	CHANGE_MATCHING,
	SINGLE_PLACEHOLDERS,
	{"set", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[0]),
	 "the clause SET of EXPR"},
	{"add", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[1]),
	 "the clause ADD of EXPR"},
	{"remove", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[2]),
	 "the clause REMOVE of EXPR"},
	{"append", 0, OPT_TEXT, "ATTR=VALUE", offsetof(struct change_opts, clauses[3]),
	 "SET ATTR to its list with VALUE at the end"},
	SINGLE_END,
};

static int
run_update(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct change_opts *o = opts;
	struct command few = cmd_update;
	int r = update_words_join(ctl, c, o->clauses, &words);

	few.max_words = 4;
	few.min_words = 2;
	r = r < 0 ? r : command_check_words(ctl, c, &few, words);
	if (r < 0) {
		return r;
	}
	ctl->words = *words;
	return change_run(ctl, c, o, words, words->at[words->n - 1]);
}

const struct command cmd_update = {
	.id = COMMAND_UPDATE,
	.name = "update",
	.usage = "TABLE PK [SK] EXPR [--if EXPR] [--return WHAT]\n"
		 "TABLE - EXPR [--if EXPR] [--return WHAT]\n"
		 "TABLE [PK] --filter EXPR|--all [--index NAME] EXPR [--return WHAT]",
	.summary = "change attributes of one item, or of those that match or are named in input",
	.details =
		"EXPR is an update expression, with literals and reserved words as they are:\n"
		"  'SET Status = \"SHIPPED\", Total = Total + 5 REMOVE Note ADD Tags :new'\n"
		"Words NAME=VALUE are a SET, too: a number, true, false, null, else a text;\n"
		"so is '{\"NAME\":VALUE}'.\n"
		"An item that does not exist is created, unless --if 'attribute_exists(PK)' prevents it.\n"
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Items whose condition is false are counted and left unchanged;\n"
		"the exit status is then 4. After an interruption, SET and REMOVE can be repeated with\n"
		"all keys; an update that adds needs a condition that selects the remaining items.\n"
		"--filter changes all items that match; with PK, only those of one partition. Their keys\n"
		"are read first, so no item is changed twice; each is changed only if it still matches\n"
		"then. --dry-run counts them.",
	.examples = "itemctl update music Acme Blue 'SET Plays = if_not_exists(Plays, 0) + 1'\n"
		    "itemctl update music Acme Blue 'REMOVE Note' --if 'Year < 2000' --return new\n"
		    "itemctl query music Acme | itemctl update music - 'SET Seen = true'\n"
		    "itemctl update music --filter 'Year < 1990' 'SET Old = true'\n",
	.opts = update_opts,
	.opts_bytes = sizeof(struct change_opts),
	.min_words = 1,        /* with --set and --filter */
	.max_words = SIZE_MAX, /* of an expression whose words stand apart */
	.expression = true,
	.input = INPUT_DASH,
	.run = run_update,
};

/* ------------------------------------------------------------ delete */

static const struct opt delete_opts[] = {
	SINGLE_IF,
	{"return", 0, OPT_TEXT, "old", SINGLE_AT(returned), "print the previous item"},
	CHANGE_MATCHING,
	SINGLE_PLACEHOLDERS,
	SINGLE_END,
};

static int
run_delete(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	return change_run(ctl, c, opts, words, NULL);
}

const struct command cmd_delete = {
	.id = COMMAND_DELETE,
	.name = "delete",
	.usage = "TABLE PK [SK] [--if EXPR] [--return old]\n"
		 "TABLE - [--if EXPR] [--return old]\n"
		 "TABLE [PK] --filter EXPR|--all [--index NAME] [--return old]",
	.instead = "a table is dropped with itemctl drop TABLE",
	.summary = "delete one item, or those that match or are named in input",
	.details =
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Deleting an item that does not exist is no error, so the command\n"
		"can be repeated. Items whose condition is false are counted and kept; the exit status is\n"
		"then 4. --filter deletes all items that match, --all all items of the table; with PK,\n"
		"only those of one partition. Their keys are read first; an item that no longer matches\n"
		"when its turn comes is kept. --dry-run counts them.",
	.examples = "itemctl delete music Acme Red\n"
		    "itemctl delete music Acme Gold --if 'Year > 2000' --return old\n"
		    "itemctl delete music --filter 'Year < 1950' --dry-run\n"
		    "itemctl delete music Acme --all\n"
		    "itemctl scan music --limit 5 | itemctl delete music -\n",
	.opts = delete_opts,
	.opts_bytes = sizeof(struct change_opts),
	.min_words = 1,
	.max_words = 3,
	.input = INPUT_DASH,
	.run = run_delete,
};
