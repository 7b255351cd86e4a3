/* cmd_change - update, delete: of one item, or of those whose keys come from standard input */
#include <assert.h>

#include "tools/abreast.h"
#include "tools/command.h"
#include "tools/keys.h"
#include "tools/single.h"

/* A change that is made to one item after the other. */
struct change {
	struct ctl *ctl;
	struct single single;
	struct slice update; /* rewritten; empty: the item is deleted */
};

static int
change_one(const struct change *ch, struct call *c, struct slice table, const struct item *key,
	   bool relaxed)
{
	struct op_in in = {.type = ch->update.len > 0 ? OP_UPDATE_ITEM : OP_DELETE_ITEM};
	struct op_out out = {.type = in.type};
	struct write_in write = single_write(table, &ch->single, key);
	int r;

	write.relaxed = relaxed;
	if (in.type == OP_UPDATE_ITEM) {
		in.update_item = (struct update_item_in){.write = write, .update = ch->update};
	} else {
		in.delete_item.write = write;
	}
	r = engine_execute(ch->ctl->engine, c, &in, &out);
	if (r == 0) {
		single_print(ch->ctl,
			     in.type == OP_UPDATE_ITEM ? &out.update_item.written
						       : &out.delete_item.written,
			     !relaxed);
	}
	return r;
}

/* ------------------------------------------------------------ keys from standard input */

enum {
	ABREAST = 8,  /* requests at a time, to who has no operation for many items */
	SEVERAL = 64, /* keys */
};

/* Keys that are asked for one by one, and what became of them. */
struct several {
	const struct change *ch;
	struct slice table;
	const struct item *keys;
	uint64_t now_ms;
	struct call calls[SEVERAL];
	int results[SEVERAL];
};

/* That a condition does not hold ends nothing. */
static bool
change_nth(void *arg, size_t i)
{
	struct several *s = arg;

	call_open(&s->calls[i], s->now_ms, CTL_BUDGET);
	s->results[i] = change_one(s->ch, &s->calls[i], s->table, &s->keys[i], true);
	return s->results[i] == 0 || s->results[i] == -ERR_CONDITION;
}

/* @n keys, SEVERAL at most, from the @first on.  The same change of the same item may stand there twice: which comes first tells nobody. */
static int
change_several(const struct change *ch, struct call *c, struct keys *keys, const struct item *batch,
	       size_t first, size_t n)
{
	struct several s = {
		.ch = ch, .table = keys->bulk.table, .keys = batch + first, .now_ms = c->now_ms};
	size_t begun = abreast(n, keys->bulk.no_change ? ABREAST : 1, change_nth, &s);
	int r = 0;

	for (size_t i = 0; i < begun; i++) {
		keys->done += s.results[i] == 0;
		keys->refused += s.results[i] == -ERR_CONDITION;
		if (s.results[i] < 0 && s.results[i] != -ERR_CONDITION && r == 0) {
			r = ctl_adopt(c, &s.calls[i]);
			keys->at_fault = first + i + 1;
		}
		call_close(&s.calls[i]);
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
delete_many(struct call *c, struct keys *keys, const struct item *batch, size_t n, size_t *done)
{
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = bulk_delete(&keys->bulk, &own, batch, n, done);

	r = end_many(c, &own, r);
	keys->done += *done;
	return r;
}

static int
change_batch(void *arg, struct call *c, struct keys *keys, const struct item *batch, size_t n)
{
	const struct change *ch = arg;
	bool plain = ch->update.len == 0 && ch->single.condition.len == 0 &&
		     ch->single.returned == RETURN_NONE;
	size_t i = 0;
	size_t deleted = 0;
	int r = change_many(ch, c, keys, batch, n, &i);

	if (r == 0 && plain && i < n) {
		r = delete_many(c, keys, batch + i, n - i, &deleted);
		i += deleted;
	}
	for (; i < n && r == 0; i += SEVERAL) {
		r = change_several(ch, c, keys, batch, i, n - i < SEVERAL ? n - i : SEVERAL);
	}
	return r;
}

static int
change_stream(struct change *ch, struct call *c, struct slice table)
{
	struct keys keys;
	int r = keys_open(ch->ctl, c, table, &keys);

	return r < 0 ? r
		     : keys_each(ch->ctl, c, &keys, ch->update.len > 0 ? "updated" : "deleted",
				 change_batch, ch);
}

/* The @n words that name items: a key, or "-". */
static int
change(struct change *ch, struct call *c, struct slice table, const char *const *words, size_t n)
{
	struct item key;

	if (n == 1 && strcmp(words[0], "-") == 0) {
		return change_stream(ch, c, table);
	}
	int r = single_key(ch->ctl, c, table, words, n, &key);
	if (r < 0 && n == 1 && ch->update.len > 0) {
		/* Perhaps what was meant as SK stands where the expression does. */
		return call_prefix(c, "update TABLE PK [SK] EXPR: ");
	}
	return r < 0 ? r : change_one(ch, c, table, &key, false);
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
	.summary = "delete one item, or those whose keys come from standard input",
	.details =
		"With - keys are read as JSON Lines, as query --project PK,SK prints them; other\n"
		"attributes are ignored. Deleting what is not there is no error, so it is safe\n"
		"to repeat. Items whose condition does not hold are counted and stay: exit status 4.",
	.opts = delete_opts,
	.opts_bytes = sizeof(struct single_opts),
	.min_words = 2,
	.max_words = 3,
	.input = INPUT_DASH,
	.run = run_delete,
};
