/* cmd_change - update, delete: change one item, the items whose keys are read, or those that match a filter */
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
#include "tools/write/change_keys.h"
#include "tools/write/item_options.h"
#include "tools/write/matching.h"
#include "tools/write/misnamed.h"

struct change_opts {
	struct item_options_opts
		item_options; /* first, because ITEM_OPTIONS_AT() are offsets in it */
	struct matching_opts match;
	const char *clauses[UPDATE_CLAUSES]; /* of update: --set, --add, --remove, --append */
};

/* ------------------------------------------------------------ items that match */

/* Any key with the attributes and types of the table */
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

/* Validate the update before items are searched, by a request whose condition never holds. */
static int
change_judge(const struct change *ch, struct call *c, const struct item_options_opts *o,
	     const struct matching *m)
{
	struct slice typed = slice_from(ch->typed);
	struct change judged = {.ctl = ch->ctl};
	struct written written;
	struct item key = change_any_key(c, &m->schema->key);

	judged.item_options.exprs = arena_new(&c->arena, struct exprs, 1);
	int r = exprs_placeholders(c, judged.item_options.exprs, o->names, o->values);

	exprs_keep(c, judged.item_options.exprs, typed, SLICE(""));
	r = r < 0 ? r
		  : exprs_add(c, judged.item_options.exprs, "UpdateExpression", typed,
			      &judged.update);
	if (r < 0) {
		return r;
	}
	exprs_name(c, judged.item_options.exprs, "#itemctl_pk", m->schema->key.pk->name);
	judged.item_options.condition =
		SLICE("attribute_exists(#itemctl_pk) AND attribute_not_exists(#itemctl_pk)");
	ch->ctl->exprs = judged.item_options.exprs;
	r = change_keys_one(&judged, c, m->schema->table, &key, true, &written);
	if (r == -ERR_VALIDATION) {
		return r;
	}
	c->error = (struct error){0}; /* other errors occur again, if they matter */
	return 0;
}

/* Find the items that match, and change each one that still matches. */
static int
change_matching(struct change *ch, struct call *c, const struct item_options_opts *o,
		struct matching *m)
{
	int r = confirm_far_check(ch->ctl, c);

	r = r < 0 ? r : misnamed_check(ch->ctl, c, m->schema->table, &ch->item_options);
	if (r == 0 && ch->ctl->estimates) {
		show_lines(SLICE("only the reads: each changed item also consumes write units"));
	} else if (r == 0 && ch->update.len > 0) {
		r = change_judge(ch, c, o, m);
	}
	matching_condition(m, c, &ch->item_options);
	ch->everything = m->filter.len == 0 && m->index == NULL;
	r = r < 0 ? r : matching_find(ch->ctl, c, m);
	if (r == 0) {
		ch->ctl->exprs = ch->item_options.exprs;
		r = change_keys_all(ch, c, m->schema->table, m);
	}
	matching_close(m);
	return r;
}

/*
 * Return true if the command reports that the item did not exist, which may be a mistake.  It then requests the old
 * item, but not from a far endpoint, where a policy may forbid that.
 */
static bool
change_looks(const struct change *ch)
{
	return ch->item_options.returned == RETURN_NONE && ch->item_options.condition.len == 0 &&
	       !ch->ctl->quiet && !url_is_far(ch->ctl->store);
}

/* Refuse a key such as "Artist=Acme", for which an update would create an item, unless there is such an item. */
static int
change_named(const struct change *ch, struct call *c, struct slice table, const struct item *key)
{
	const char *hint = ch->update.len > 0 ? item_options_named(ch->ctl, c, table, key) : NULL;
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
	const char *hint = item_options_named(ch->ctl, c, table, key);

	ctl_note(ch->ctl, "there was no such item%s", ch->update.len > 0 ? ": it was created" : "");
	if (hint != NULL) {
		ctl_note(ch->ctl, "%s", hint);
	}
}

/* Change the items that the @n words name: a key, or "-" for the keys of standard input. */
static int
cmd_change_change(struct change *ch, struct call *c, struct slice table, const char *const *words,
		  size_t n)
{
	struct written written = {0};
	struct item key;

	int r = misnamed_check(ch->ctl, c, table, &ch->item_options);

	if (r < 0 || (n == 1 && strcmp(words[0], "-") == 0)) {
		return r < 0 ? r : change_keys_all(ch, c, table, NULL);
	}
	r = item_options_key(ch->ctl, c, table, words, n, &key);
	if (r < 0 && n == 1 && ch->update.len > 0) {
		/* SK may have been typed in the place of the expression. */
		return call_prefix(c, "update TABLE PK [SK] EXPR: ");
	}
	ch->looks = change_looks(ch);
	r = r < 0 ? r : change_named(ch, c, table, &key);
	if (r == 0) {
		misnamed_update(ch->ctl, c, table, slice_from(ch->typed));
	}
	r = r < 0 ? r : change_keys_one(ch, c, table, &key, false, &written);
	if (r == 0 && !ch->looks) {
		item_options_print(ch->ctl, &written, true);
	} else if (r == 0 && written.attributes.n == 0) {
		change_say_absent(ch, c, table, &key);
	} else if (r == -ERR_CONDITION) {
		misnamed_say(ch->ctl, c, table, &ch->item_options);
	}
	return r;
}

/* Fail because there is neither a key nor a filter. */
static int
change_no_key(struct call *c, const struct words *words, const struct change_opts *o,
	      const char *update)
{
	const char *name = update != NULL ? "update" : "delete";

	if (o->match.index != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--index goes with --filter EXPR or --all; a key belongs to the "
				 "table");
	}
	struct buf b = {.arena = &c->arena};
	if (command_put_dash(&b, update != NULL ? &cmd_update : &cmd_delete, words)) {
		return call_fail(c, ERR_USAGE, "%s needs a key, --filter EXPR or --all%.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	if (update != NULL) {
		fmt_shell(&b, " %", slice_from(update));
	} else {
		buf_fmt(&b, "; for the table itself: itemctl drop %s", words->at[0]);
	}
	return call_fail(c, ERR_USAGE,
			 "%s needs a key, --filter EXPR or --all: itemctl %s %s --filter EXPR%.*s",
			 name, name, words->at[0], SLICE_ARG(buf_view(&b)));
}

/* Run update or delete.  @update: the expression, which is the last word; NULL for delete */
static int
change_run(struct ctl *ctl, struct call *c, const struct change_opts *o, const struct words *words,
	   const char *update)
{
	struct slice table = slice_from(words->at[0]);
	const char *const *key = words->at + 1;
	size_t n = words->n - 1 - (update != NULL);
	struct item_options_opts item_options = o->item_options;
	struct change ch = {.ctl = ctl, .typed = update};
	bool many = o->match.filter != NULL || o->match.all;
	struct matching m = {0};
	int r = 0;

	if (!many && (n == 0 || o->match.index != NULL)) {
		return change_no_key(c, words, o, update);
	}
	if (many) {
		r = matching_open(ctl, c, table, &o->match, &o->item_options, key, n, &m);
		item_options.condition = o->match.filter;
	}
	r = r < 0 ? r : item_options_read(ctl, c, &item_options, update != NULL, &ch.item_options);
	if (r == 0 && update != NULL) {
		r = exprs_add(c, ch.item_options.exprs, "UpdateExpression", slice_from(update),
			      &ch.update);
	}
	return r < 0  ? r
	       : many ? change_matching(&ch, c, &item_options, &m)
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
	ITEM_OPTIONS_IF,
	{"return", 0, OPT_TEXT, "WHAT", ITEM_OPTIONS_AT(returned),
	 "print the item: old, new, updated-old or updated-new"},
	CHANGE_MATCHING,
	ITEM_OPTIONS_PLACEHOLDERS,
	{"set", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[0]),
	 "the clause SET of EXPR"},
	{"add", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[1]),
	 "the clause ADD of EXPR"},
	{"remove", 0, OPT_TEXT, "LIST", offsetof(struct change_opts, clauses[2]),
	 "the clause REMOVE of EXPR"},
	{"append", 0, OPT_TEXT, "ATTR=VALUE", offsetof(struct change_opts, clauses[3]),
	 "append VALUE to the list ATTR"},
	OPTS_END(struct change_opts),
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
	.min_words = 1,        /* --set and --filter need no other words */
	.max_words = SIZE_MAX, /* EXPR may be typed as separate words */
	.expression = true,
	.input = INPUT_DASH,
	.run = run_update,
};

/* ------------------------------------------------------------ delete */

static const struct opt delete_opts[] = {
	ITEM_OPTIONS_IF,
	{"return", 0, OPT_TEXT, "old", ITEM_OPTIONS_AT(returned), "print the previous item"},
	CHANGE_MATCHING,
	ITEM_OPTIONS_PLACEHOLDERS,
	OPTS_END(struct change_opts),
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
	.instead = "to drop a table: itemctl drop TABLE",
	.summary = "delete one item, or those that match or are named in input",
	.details =
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Deleting an item that does not exist is not an error, so the\n"
		"command can be repeated. Items whose condition is false are counted and kept; the exit\n"
		"status is then 4. --filter deletes all items that match, --all all items of the table;\n"
		"with PK, only those of one partition. Their keys are read first; an item that no longer\n"
		"matches when its turn comes is kept. --dry-run counts them.",
	.examples = "itemctl delete music Acme Red\n"
		    "itemctl delete music Acme Gold --if 'Year > 2000' --return old\n"
		    "itemctl delete music --filter 'Year < 1950' --dry-run\n"
		    "itemctl delete music Acme --all\n"
		    "itemctl scan music --limit 5 | itemctl delete music -\n",
	.opts = delete_opts,
	.min_words = 1,
	.max_words = 3,
	.input = INPUT_DASH,
	.run = run_delete,
};
