/* import_table - see import_table.h */
#include "tools/cmd/import_table.h"

#include <assert.h>

#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"

#include "tools/advice/suggest.h"
#include "tools/advice/suggest_table.h"
#include "tools/load/derive.h"
#include "tools/load/import_given.h"
#include "tools/load/import_key.h"
#include "tools/load/import_key_check.h"
#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/session/await.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/system/input.h"
#include "tools/system/source_form.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"
#include "tools/write/bulk.h"

enum {
	SUGGEST_ITEMS = 300, /* items that are compared with each other to find a key */
	PATIENCE_MS =
		1000, /* how long to wait for items of a pipe, only to suggest a key after an error */
};

bool
import_table_skips(const struct import_opts *o)
{
	return o->on_error != NULL && strcmp(o->on_error, "skip") == 0;
}

/* Describe the table; ask before the items of a table in a far store are replaced. */
static int
import_table_describe(struct ctl *ctl, struct call *c, struct slice table, bool deletes,
		      const struct schema **out)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(ctl->engine, c, &in, &answer);

	*out = answer.table.schema;
	return r < 0 ? r : confirm_far_puts(ctl, c, &answer.table, deletes);
}

/*
 * Parse the first items for a table with the key of @schema, which may have none.
 *
 * Return: number of items in @out; 0 also for a pipe that was not read ahead, and with --apply
 */
static size_t
import_table_look_ahead(struct call *c, const struct import_opts *o, const struct words *files,
			const char *form, const struct source_csv *csv, const struct schema *schema,
			struct item **out)
{
	struct bulk bulk = {.table = schema->table, .key = &schema->key};
	struct source source;
	struct import_options io = {.bulk = &bulk, .source = &source};
	size_t n = 0;

	struct slice ahead = o->ahead.bytes;
	const char *newline = ahead.len == 0 || o->ahead.whole ? NULL : slice_rchr(ahead, '\n');

	if ((source_size(files) == 0 && ahead.len == 0) || o->apply ||
	    derive_new(c, &o->set, schema, &io.derive) < 0) {
		c->error = (struct error){0};
		return 0;
	}
	source_init(&source, files, form == NULL ? SOURCE_AUTO : source_form_named(form), schema);
	source.csv = *csv;
	source.csv.derive = io.derive;
	source.alone = true;
	source.ahead = newline == NULL ? ahead : slice_of(ahead.at, (size_t)(newline - ahead.at));
	n = import_peek(&io, c, out);
	source_release(&source);
	return n;
}

bool
import_table_is_typed(const struct ctl *ctl, struct slice table)
{
	return ctl->words.n > 0 && ctl->words.at[0] == table.at;
}

/*
 * Set @key and @second to the first and second choice of a key that suits the first items; @second may be empty.
 * @certain: the caller has read a pipe ahead; see import_key_guess()
 *
 * Return: false if no key suits, or the items cannot be read twice
 */
static bool
import_table_guess_key(struct call *c, struct import_opts *o, const struct words *files,
		       const char *form, const struct source_csv *csv, struct slice table,
		       bool certain, struct buf *key, struct buf *second)
{
	struct schema schema = {.table = table};
	struct item *items = NULL;
	struct error error = c->error;

	c->error = (struct error){0};
	if (o->piped && !certain && input_ahead(c, PATIENCE_MS, &o->ahead) < 0) {
		o->ahead = (struct input_ahead){0};
	}
	size_t n = import_table_look_ahead(c, o, files, form, csv, &schema, &items);

	c->error = error;
	buf_init(key, &c->arena);
	buf_init(second, &c->arena);
	return import_key_guess(key, second, items, n < SUGGEST_ITEMS ? n : SUGGEST_ITEMS, certain);
}

/*
 * There is no table and no --key: suggest the line that creates it, with a key that suits the items.
 * @other: there is another suggestion already
 */
static void
import_table_suggest_key(struct call *c, bool other, struct import_opts *o,
			 const struct words *files, const char *form, const struct source_csv *csv,
			 struct slice table)
{
	struct buf key;
	struct buf second;

	if (import_table_guess_key(c, o, files, form, csv, table, false, &key, &second)) {
		import_key_suggest(c,
				   other ? "or for a new table: " : "its items may have this key: ",
				   buf_view(&key));
		import_key_suggest(c, "or this one: ", buf_view(&second));
	} else if (o->piped && o->ahead.bytes.len == 0) {
		import_key_suggest(c, "standard input is empty; to create a table from items: ",
				   SLICE("auto"));
	}
}

int
import_table_auto_key(struct ctl *ctl, struct call *c, struct import_opts *o,
		      const struct words *files, const char *form, const struct source_csv *csv,
		      struct slice table)
{
	struct buf key;
	struct buf second;

	int r = import_key_there(ctl, c, table, &o->key);

	o->guessed = o->key != NULL && strcmp(o->key, "auto") == 0;
	if (r < 0 || !o->guessed) {
		return r;
	}
	r = o->piped ? input_ahead(c, -1, &o->ahead) : 0;

	if (r < 0) {
		return r;
	}
	if (!import_table_guess_key(c, o, files, form, csv, table, true, &key, &second)) {
		return call_fail(
			c, ERR_USAGE,
			o->piped && o->ahead.bytes.len == 0 ? "--key auto: standard input is empty"
			: source_size(files) == 0 && !o->piped
				? "--key auto: cannot derive a key from a pipe or an empty file"
				: "--key auto: cannot derive a key from these items");
	}
	o->key = slice_cstr(&c->arena, buf_view(&key));
	struct buf shown; /* a CSV header may contain any names, so it is quoted */

	buf_init(&shown, &c->arena);
	shell_word(&shown, buf_view(&key));
	if (ctl->store != NULL && url_is_far(ctl->store)) {
		return call_fail(c, ERR_USAGE,
				 "--key auto is for stores of this machine, where it is checked; "
				 "these items may have this key: --key %.*s",
				 SLICE_ARG(buf_view(&shown)));
	}
	import_key_say(ctl, c, buf_view(&shown), buf_view(&second),
		       import_table_is_typed(ctl, table) ? table : SLICE(""));
	return 0;
}

/* The definition of the table by --key; fails if the first items do not have the key. */
static int
import_table_read_key(struct call *c, const struct import_opts *o, const struct words *files,
		      const char *form, const struct source_csv *csv, struct slice table,
		      struct schema *out)
{
	const struct words none = {0};
	struct item *items = NULL;
	int r = keyspec_schema(c, slice_cstr(&c->arena, table), o->key, &none, &none, out);

	if (r < 0 || import_table_skips(o)) {
		return r;
	}
	size_t n = import_table_look_ahead(c, o, files, form, csv, out,
					   &items); /* CSV cells get the types of the key */
	bool typed = n > 0;

	if (!typed) {
		n = import_table_look_ahead(c, o, files, form, csv,
					    &(struct schema){.table = table}, &items);
	}
	return import_key_check(c, o->key, &out->key, items, n, typed);
}

/* Describe the table, or create it if --key is given.  *made: it was created */
static int
import_table_find(struct ctl *ctl, struct call *c, struct slice table, const struct import_opts *o,
		  const struct schema *wanted, const struct schema **out, bool *made)
{
	struct create_table_out answer;
	int r = import_table_describe(ctl, c, table, o->apply, out);

	if (r != -ERR_NO_TABLE || o->key == NULL) {
		return r;
	}
	c->error = (struct error){0};
	struct create_table_in in = {.schema = wanted};

	r = engine_create_table(ctl->engine, c, &in, &answer);
	*made = r == 0;
	if (r == 0) {
		r = await_table(ctl, c, table);
		ctl_note(ctl, "table %.*s created", SLICE_ARG(table));
	}
	if (r == 0) {
		r = ctl_schema(ctl, c, table, out);
	}
	return r;
}

int
import_table_judge(struct ctl *ctl, struct call *c, const struct import_opts *o, struct slice table,
		   uint64_t items, int r)
{
	struct delete_table_in in = {.table = table};
	struct delete_table_out answer;
	assert(o->key != NULL);
	int held = r < 0 ? 0 : import_key_held(ctl->engine, c, o->key, table, items);

	if (held < 0 && o->guessed) {
		held = call_prefix(c, "--key auto: ");
	} else if (held < 0) {
		ctl_note(ctl, "%s", c->error.message);
		c->error = (struct error){0};
		held = 0;
	}
	if (held == 0 && (r == 0 || items > 0)) {
		return r;
	}
	call_scope(own, c->now_ms);
	if (engine_delete_table(ctl->engine, &own, &in, &answer) == 0) {
		ctl_note(ctl, "table %.*s dropped again", SLICE_ARG(table));
	}
	return r < 0 ? r : held;
}

/* Open the store; with --key it is created if it does not exist. */
static int
import_table_open_store(struct ctl *ctl, struct call *c, const struct import_opts *o)
{
	bool fresh = o->key != NULL && ctl_store_is_new(ctl, c);
	int r = ctl_open_store(ctl, c, o->key != NULL);

	if (r == 0 && fresh) {
		ctl_note(ctl, "store %s created", ctl->store);
	}
	return r;
}

int
import_table_open(struct ctl *ctl, struct call *c, struct import_opts *o, const struct words *files,
		  const char *form, const struct source_csv *csv, struct slice table,
		  const struct schema **out, bool *made)
{
	struct schema *wanted = arena_new(&c->arena, struct schema, 1);
	int r = o->key == NULL ? 0 : import_table_read_key(c, o, files, form, csv, table, wanted);

	r = r < 0 ? r : import_table_open_store(ctl, c, o);
	if (r < 0 && o->key == NULL && ctl->store != NULL && ctl_store_is_new(ctl, c) &&
	    slice_chr(table, '/') == NULL) {
		import_table_suggest_key(c, false, o, files, form, csv, table);
	}
	if (r < 0) {
		return r;
	}
	r = import_table_find(ctl, c, table, o, wanted, out, made);
	if (r == -ERR_NO_TABLE) {
		import_table_suggest_key(c,
					 import_table_is_typed(ctl, table) &&
						 suggest_near_table(ctl, c, table, SLICE("")),
					 o, files, form, csv, table);
	}
	return r;
}

void
import_table_suggest_mended(struct ctl *ctl, struct call *c, const struct import_opts *o,
			    struct slice table, const struct words *files, const char *form,
			    const struct source_csv *csv, const struct schema *schema,
			    const struct import_result *result)
{
	struct schema any = {.table = table};
	const struct words none = {0}; /* in place of a pipe, which would block */
	const struct words *at = source_size(files) > 0 ? files : &none;
	struct item *items = NULL;
	struct buf line;

	assert(schema != NULL);
	call_scope(own, c->now_ms);
	buf_init(&line, &own.arena);
	size_t n = import_table_look_ahead(&own, o, at, form, csv, schema, &items);

	n = n > 0 ? n : import_table_look_ahead(&own, o, at, form, csv, &any, &items);
	buf_str(&line, "did you mean: ");
	if (o->set.n == 0 && !o->apply && n > 0 &&
	    import_key_mended(&line, ctl, &own, schema, files->at[0], items, n)) {
		suggest_line(c, buf_view(&line));
	} else if (o->from == NULL && import_given_csv(c, at)) {
		buf_clear(&line);
		buf_str(&line, "its content is CSV: ");
		if (typed_line_insert(&line, SLICE("--"), SLICE("--from csv"))) {
			suggest_line(c, buf_view(&line));
		}
	} else if (result->of_record) {
		buf_clear(&line);
		buf_str(&line, "to report such lines and continue: ");
		if (at->n > 0 && o->on_error == NULL &&
		    typed_line_insert(&line, SLICE("--"), SLICE("--on-error skip"))) {
			suggest_line(c, buf_view(&line));
		}
	}
}
