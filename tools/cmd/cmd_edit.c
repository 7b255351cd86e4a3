/*
 * cmd_edit - edit: edits one item in an editor
 *
 *   read -> file -> editor -> file -> JSON -> written, if the item has not changed meanwhile
 *              ^                        |
 *              +------- a mistake ------+
 *
 * The store is closed while the editor runs.  The text is not lost: unless it was written, the file is kept and its
 * name is printed.
 */
#include <fcntl.h>

#include "store/base/system/folder.h"
#include "store/base/system/write_all.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/op/seen.h"

#include "tools/cmd/cmd.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/keyval.h"
#include "tools/system/viewer.h"
#include "tools/text/text_lines.h"
#include "tools/write/item_options.h"

struct edit_opts {
	bool typed;
};

static const struct opt edit_opts[] = {
	{"typed", 0, OPT_FLAG, NULL, offsetof(struct edit_opts, typed),
	 "as DynamoDB JSON: {\"Year\": {\"N\": \"1999\"}}"},
	OPTS_END(struct edit_opts),
};

/* One edit */
struct edit {
	struct slice table;
	const struct schema *schema;
	struct item key;
	struct item before; /* the item as it was read; n = 0: there is none yet */
	bool typed;
	const char *path;  /* file with the text */
	struct slice text; /* content of the file before the editor ran */
};

/* ------------------------------------------------------------ the item */

static int
edit_read(struct ctl *ctl, struct call *c, struct edit *e, struct item *out)
{
	struct get_item_in in = {.table = e->table, .key = e->key, .consistent = true};
	struct get_item_out got = {0};
	int r = engine_get_item(ctl->engine, c, &in, &got);

	*out = got.item;
	return r;
}

static int
edit_changed(struct call *c)
{
	return call_fail(c, ERR_CONDITION, "the item was changed meanwhile");
}

static int
edit_write(struct ctl *ctl, struct call *c, struct edit *e, const struct item *it)
{
	struct put_item_in in = {.write = {.table = e->table, .item = *it}};
	struct name_alias key = {SLICE("#k"), e->key.at[0].name};
	struct put_item_out out;
	struct item now;
	assert(e->key.n > 0);
	int r = ctl_open_store(ctl, c, false);

	r = r < 0 ? r : edit_read(ctl, c, e, &now);
	if (r < 0) {
		return r;
	}
	if (!item_eq(&now, &e->before)) {
		return edit_changed(c);
	}
	if (e->before.n > 0) {
		seen_condition(&c->arena, &e->before, &in.write.condition, &in.write.ph);
	} else {
		in.write.condition = SLICE("attribute_not_exists(#k)");
		in.write.ph =
			(struct placeholders){.names = &key, .n_names = 1, .names_given = true};
	}
	r = engine_put_item(ctl->engine, c, &in, &out);
	if (r == -ERR_CONDITION) {
		c->error = (struct error){0};
		return edit_changed(c);
	}
	return r;
}

/* ------------------------------------------------------------ the text */

/* Write the text to the file, after the complaint, whose lines begin with '#'. */
static int
edit_put_text(struct call *c, struct edit *e, const char *complaint, struct slice text)
{
	struct buf b = {.arena = &c->arena};

	for (struct text_lines t = {.rest = slice_from(complaint)}; t.rest.len > 0;) {
		buf_str(&b, "# ");
		buf_slice(&b, text_lines_next(&t));
		buf_char(&b, '\n');
	}
	buf_slice(&b, text);
	e->text = buf_view(&b);

	int fd = open(e->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int failed = fd < 0 ? errno : write_all(fd, e->text);

	if (fd >= 0 && close(fd) < 0 && failed == 0) {
		failed = errno;
	}
	return failed == 0 ? 0 : call_fail(c, ERR_IO, "%s: %s", e->path, strerrordesc_np(failed));
}

static int
edit_begin_text(struct call *c, struct edit *e)
{
	struct buf b = {.arena = &c->arena};

	item_put_pretty(&b, e->before.n > 0 ? &e->before : &e->key,
			e->typed ? ITEM_TYPED : ITEM_PLAIN);
	buf_char(&b, '\n');
	int r = viewer_file(c, "item.json", &e->path);

	return r < 0 ? r : edit_put_text(c, e, "", buf_view(&b));
}

/* The text without the lines of the complaint */
static struct slice
edit_own_text(struct slice text)
{
	struct text_lines t = {.rest = text};

	while (t.rest.len > 0 && t.rest.at[0] == '#') {
		(void)text_lines_next(&t);
	}
	return t.rest;
}

static int
edit_parse(struct call *c, const struct edit *e, struct slice text, struct item *out)
{
	struct item key;
	int r = ctl_item(c, text, out);

	r = r < 0 ? r : keyval_pick(c, &e->schema->key, out, &key);
	if (r == 0 && !item_eq(&key, &e->key)) {
		r = call_fail(c, ERR_USAGE,
			      "the key cannot be changed: put the new item, and delete this one");
	}
	return r;
}

/* ------------------------------------------------------------ one round */

enum { EDIT_ROUNDS = 100 };

enum { EDIT_DONE, EDIT_SAME, EDIT_AGAIN };

/* Return true if the error can be corrected by changing the text. */
static bool
edit_can_mend(enum err code)
{
	return code == ERR_USAGE || code == ERR_VALIDATION || code == ERR_ITEM_TOO_BIG ||
	       code == ERR_KEY_TOO_LONG || code == ERR_SERIALIZATION;
}

/* Edit, parse and write once.  Return: EDIT_*, where EDIT_AGAIN means that @c and the file have the error; -ERR_* */
static int
edit_round(struct ctl *ctl, struct call *c, struct edit *e)
{
	const struct error mistake = c->error;
	struct slice text;
	struct item it;

	c->error = (struct error){0};
	int r = viewer_edit(c, e->path);

	r = r < 0 ? r : ctl_read_file(c, e->path, &text);
	if (r < 0) {
		return r;
	}
	if (slice_eq(text, e->text)) {
		c->error = mistake;
		return EDIT_SAME;
	}
	call_scope(attempt, c->now_ms);
	r = edit_parse(&attempt, e, edit_own_text(text), &it);
	if (r == 0 && item_eq(&it, &e->before)) {
		r = EDIT_SAME;
	} else if (r == 0) {
		r = edit_write(ctl, &attempt, e, &it);
	}
	if (r < 0) {
		bool mend = edit_can_mend(attempt.error.code);

		r = ctl_adopt(c, &attempt);
		if (mend) {
			r = edit_put_text(c, e, c->error.message, edit_own_text(text));
			r = r < 0 ? r : EDIT_AGAIN;
		}
	}
	return r;
}

/* Remove the file, unless there was an error. */
static int
edit_end(struct ctl *ctl, struct call *c, const struct edit *e, int r)
{
	assert(e->path != NULL);
	if (c->error.code != ERR_NONE) {
		ctl_note(ctl, "the text is kept in %s", e->path);
		return r < 0 ? r : -(int)c->error.code;
	}
	*strrchr(e->path, '/') = '\0';
	folder_remove(e->path);
	ctl_note(ctl, r == EDIT_DONE ? "written" : "nothing was changed");
	return 0;
}

static int
run_edit(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct edit_opts *o = opts;
	struct edit e = {.table = slice_from(words->at[0]), .typed = o->typed};
	int r = ctl_schema(ctl, c, e.table, &e.schema);

	if (r == 0 && words->n == 3 && e.schema->key.sk->name.len == 0 &&
	    strchr(words->at[2], '=') != NULL) { /* NAME=VALUE after a key of one word */
		const char *const argv[] = {words->at[0], words->at[1], words->at[2], NULL};

		return command_run(ctl, c, &cmd_update, argv);
	}
	r = r < 0 ? r : item_options_key(ctl, c, e.table, words->at + 1, words->n - 1, &e.key);
	r = r < 0 ? r : edit_read(ctl, c, &e, &e.before);
	r = r < 0 ? r : viewer_has_editor(c);
	r = r < 0 ? r : edit_begin_text(c, &e);
	if (r < 0) {
		return r;
	}
	/* If the editor is a script, it may repeat the same mistake. */
	for (int i = 0; i < EDIT_ROUNDS && (i == 0 || r == EDIT_AGAIN); i++) {
		engine_close(ctl->engine); /* so that other processes do not wait */
		ctl->engine = NULL;
		r = edit_round(ctl, c, &e);
	}
	return edit_end(ctl, c, &e, r);
}

const struct command cmd_edit = {
	.name = "edit",
	.usage = "TABLE PK [SK] [--typed]",
	.summary = "change or create one item in an editor",
	.details =
		"The editor is $VISUAL, $EDITOR or vi. The item is written only if it has not changed\n"
		"since it was read. For a new item the editor shows its key. After a mistake the editor\n"
		"opens again, with the reason above the text; leave the text unchanged to give up. A text\n"
		"that was not written is kept, and its file is named.",
	.examples = "itemctl edit music Acme Blue\n"
		    "itemctl edit music Acme Blue --typed\n"
		    "EDITOR='sed -i s/1999/2000/' itemctl edit music Acme Blue\n",
	.opts = edit_opts,
	.min_words = 2,
	.max_words = 3,
	.run = run_edit,
};
