/* cmd_change - update, delete: of one item, or of those whose keys come from standard input */
#include <assert.h>
#include <pthread.h>

#include "store/base/ascii.h"
#include "store/base/cleanup.h"
#include "store/base/url.h"

#include "tools/command.h"
#include "tools/keys.h"
#include "tools/misnamed.h"
#include "tools/single.h"

/* A change that is made to one item after the other. */
struct change {
	struct ctl *ctl;
	struct single single;
	struct slice update; /* rewritten; empty: the item is deleted */
	bool looks;          /* ask whether the item was there, though it is not printed */
};

static int
change_one(const struct change *ch, struct call *c, struct slice table, const struct item *key,
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
	int r = change_one(s->ch, c, s->table, s->keys[i], true, &written);

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
	return memchr(update.at, '+', update.len) != NULL ||
	       memchr(update.at, '-', update.len) != NULL || has_word(update, "list_append") ||
	       has_word(update, "ADD");
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
	call_open(&own, c->now_ms, CTL_BUDGET);
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

	call_open(&own, c->now_ms, CTL_BUDGET);
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
	bool plain = ch->update.len == 0 && ch->single.condition.len == 0 &&
		     ch->single.returned == RETURN_NONE;
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

static int
change_stream(struct change *ch, struct call *c, struct slice table)
{
	struct keys keys;
	int r = keys_open(ch->ctl, c, table, &keys);

	keys.asks = ch->update.len > 0 ? "Change" : "Delete";
	return r < 0 ? r
		     : keys_each(ch->ctl, c, &keys, ch->update.len > 0 ? "updated" : "deleted",
				 change_batch, ch);
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
change(struct change *ch, struct call *c, struct slice table, const char *const *words, size_t n)
{
	struct written written = {0};
	struct item key;

	int r = misnamed_check(ch->ctl, c, table, &ch->single);

	if (r == 0 && n == 1 && strcmp(words[0], "-") == 0) {
		return change_stream(ch, c, table);
	}
	r = r < 0 ? r : single_key(ch->ctl, c, table, words, n, &key);
	if (r < 0 && n == 1 && ch->update.len > 0) {
		/* Perhaps what was meant as SK stands where the expression does. */
		return call_prefix(c, "update TABLE PK [SK] EXPR: ");
	}
	ch->looks = change_looks(ch);
	r = r < 0 ? r : change_named(ch, c, table, &key);
	r = r < 0 ? r : change_one(ch, c, table, &key, false, &written);
	if (r == 0 && !ch->looks) {
		single_print(ch->ctl, &written, true);
	} else if (r == 0 && written.attributes.n == 0) {
		change_say_absent(ch, c, table, &key);
	} else if (r == -ERR_CONDITION) {
		misnamed_say(ch->ctl, c, table, &ch->single);
	}
	return r;
}

/* ------------------------------------------------------------ update */

static const struct opt update_opts[] = {
	SINGLE_IF,
	{"return", 0, OPT_TEXT, "WHAT", SINGLE_AT(returned),
	 "print the item: old, new, updated-old or updated-new"},
	SINGLE_PLACEHOLDERS,
	SINGLE_END,
};

static int
run_update(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct change ch = {.ctl = ctl};
	size_t last = words->n - 1;

	int r = single_read(ctl, c, opts, true, &ch.single);
	if (r == 0) {
		r = exprs_add(c, ch.single.exprs, "UpdateExpression", slice_from(words->at[last]),
			      &ch.update);
	}
	return r < 0 ? r : change(&ch, c, slice_from(words->at[0]), words->at + 1, last - 1);
}

const struct command cmd_update = {
	.name = "update",
	.usage = "TABLE PK [SK] EXPR [--if EXPR] [--return WHAT]\n"
		 "TABLE - EXPR [--if EXPR] [--return WHAT]",
	.summary = "change attributes of one item, or of those whose keys come from standard input",
	.details =
		"EXPR is an update expression, with literals and reserved words as they are:\n"
		"  'SET Status = \"SHIPPED\", Total = Total + 5 REMOVE Note ADD Tags :new'\n"
		"An item that is not there is made, unless --if 'attribute_exists(PK)' forbids it.\n"
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Items whose condition does not hold are counted and left\n"
		"as they are: exit status 4. An interrupted SET or REMOVE may be repeated with all\n"
		"keys; one that adds should say in its condition what is still to be done.",
	.examples = "itemctl update music Acme Blue 'SET Plays = if_not_exists(Plays, 0) + 1'\n"
		    "itemctl update music Acme Blue 'REMOVE Note' --if 'Year < 2000' --return new\n"
		    "itemctl query music Acme | itemctl update music - 'SET Seen = true'\n",
	.opts = update_opts,
	.opts_bytes = sizeof(struct single_opts),
	.min_words = 3,
	.max_words = 4,
	.expression = true,
	.input = INPUT_DASH,
	.run = run_update,
};

/* ------------------------------------------------------------ delete */

static const struct opt delete_opts[] = {
	SINGLE_IF,
	{"return", 0, OPT_TEXT, "old", SINGLE_AT(returned), "print the item that was there before"},
	SINGLE_PLACEHOLDERS,
	SINGLE_END,
};

static int
run_delete(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct change ch = {.ctl = ctl};

	int r = single_read(ctl, c, opts, false, &ch.single);
	return r < 0 ? r : change(&ch, c, slice_from(words->at[0]), words->at + 1, words->n - 1);
}

const struct command cmd_delete = {
	.name = "delete",
	.usage = "TABLE PK [SK] [--if EXPR] [--return old]\n"
		 "TABLE - [--if EXPR] [--return old]",
	.instead = "a table is dropped with itemctl drop TABLE",
	.summary = "delete one item, or those whose keys come from standard input",
	.details =
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Deleting what is not there is no error, so it is safe\n"
		"to repeat. Items whose condition does not hold are counted and stay: exit status 4.",
	.examples = "itemctl delete music Acme Red\n"
		    "itemctl delete music Acme Gold --if 'Year > 2000' --return old\n"
		    "itemctl scan music --filter 'Year < 1950' | itemctl delete music -\n",
	.opts = delete_opts,
	.opts_bytes = sizeof(struct single_opts),
	.min_words = 2,
	.max_words = 3,
	.input = INPUT_DASH,
	.run = run_delete,
};
