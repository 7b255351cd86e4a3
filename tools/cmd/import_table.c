/* import_table - see import_table.h */
#include "tools/cmd/import_table.h"

#include "store/base/text/url.h"
#include "store/engine/engine.h"

#include "tools/advice/suggest.h"
#include "tools/load/derive.h"
#include "tools/load/import_files.h"
#include "tools/load/import_key.h"
#include "tools/load/import_pipeline.h"
#include "tools/load/source.h"
#include "tools/session/await.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/system/input.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
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

void
import_table_source(const struct importing *im, const struct words *files,
		    const struct schema *schema, struct source *out)
{
	source_init(out, files, im->form == NULL ? SOURCE_AUTO : source_form_named(im->form),
		    schema);
	out->csv = im->csv;
}

/* Describe the table; ask before the items of a table in a far store are replaced. */
static int
import_table_describe(struct importing *im, struct call *c)
{
	struct describe_table_in in = {.table = im->table};
	struct describe_table_out answer = {0};
	int r = engine_describe_table(im->ctl->engine, c, &in, &answer);

	im->schema = answer.table.schema;
	return r < 0 ? r : confirm_far_puts(im->ctl, c, &answer.table, im->o->apply);
}

/*
 * Parse the first items of @files for a table with the key of @schema; NULL: with any key.
 *
 * Return: number of items in @out; 0 also for a pipe that was not read ahead, and with --apply
 */
static size_t
import_table_look_ahead(const struct importing *im, struct call *c, const struct words *files,
			const struct schema *schema, struct item **out)
{
	const struct import_opts *o = im->o;
	const struct schema any = {.table = im->table};

	schema = schema == NULL ? &any : schema;
	struct bulk bulk = {.table = schema->table, .key = &schema->key};
	struct source source;
	struct import_options io = {.bulk = &bulk, .source = &source};
	struct slice ahead = o->ahead.bytes;
	const char *newline = ahead.len == 0 || o->ahead.whole ? NULL : slice_rchr(ahead, '\n');

	if ((source_size(files) == 0 && ahead.len == 0) || o->apply ||
	    derive_new(c, &o->set, schema, &io.derive) < 0) {
		c->error = (struct error){0};
		return 0;
	}
	import_table_source(im, files, schema, &source);
	source.csv.derive = io.derive;
	source.alone = true;
	source.ahead = newline == NULL ? ahead : slice_of(ahead.at, (size_t)(newline - ahead.at));
	size_t n = import_peek(&io, c, out);

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
import_table_guess_key(struct importing *im, struct call *c, bool certain, struct buf *key,
		       struct buf *second)
{
	struct import_opts *o = im->o;
	struct item *items = NULL;
	struct error error = c->error;

	c->error = (struct error){0};
	if (o->piped && !certain && input_ahead(c, PATIENCE_MS, &o->ahead) < 0) {
		o->ahead = (struct input_ahead){0};
	}
	size_t n = import_table_look_ahead(im, c, &im->files, NULL, &items);

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
import_table_suggest_key(struct importing *im, struct call *c, bool other)
{
	struct buf key;
	struct buf second;

	if (import_table_guess_key(im, c, false, &key, &second)) {
		import_key_suggest(c,
				   other ? "or for a new table: " : "its items may have this key: ",
				   buf_view(&key));
		import_key_suggest(c, "or this one: ", buf_view(&second));
	} else if (im->o->piped && im->o->ahead.bytes.len == 0) {
		import_key_suggest(c, "standard input is empty; to create a table from items: ",
				   SLICE("auto"));
	}
}

int
import_table_auto_key(struct importing *im, struct call *c)
{
	const struct ctl *ctl = im->ctl;
	struct import_opts *o = im->o;
	struct buf key;
	struct buf second;
	int r = import_key_there(im->ctl, c, im->table, &o->key);

	o->guessed = o->key != NULL && strcmp(o->key, "auto") == 0;
	if (r < 0 || !o->guessed) {
		return r;
	}
	r = o->piped ? input_ahead(c, -1, &o->ahead) : 0;
	if (r < 0) {
		return r;
	}
	if (!import_table_guess_key(im, c, true, &key, &second)) {
		return call_fail(
			c, ERR_USAGE,
			o->piped && o->ahead.bytes.len == 0 ? "--key auto: standard input is empty"
			: source_size(&im->files) == 0 && !o->piped
				? "--key auto: cannot derive a key from a pipe or an empty file"
				: "--key auto: cannot derive a key from these items");
	}
	o->key = slice_cstr(&c->arena, buf_view(&key));
	/* A CSV header may contain any names, so they are quoted. */
	const char *shown = fmt_word(&c->arena, o->key);

	if (ctl->store != NULL && url_is_far(ctl->store)) {
		return call_fail(c, ERR_USAGE,
				 "--key auto is for stores of this machine, where it is checked; "
				 "these items may have this key: --key %s",
				 shown);
	}
	import_key_say(ctl, c, slice_from(shown), buf_view(&second),
		       import_table_is_typed(ctl, im->table) ? im->table : SLICE(""));
	return 0;
}

/* The definition of the table by --key; fails if the first items do not have the key. */
static int
import_table_read_key(const struct importing *im, struct call *c, struct schema *out)
{
	const struct import_opts *o = im->o;
	const struct words none = {0};
	struct item *items = NULL;
	int r = keyspec_schema(c, slice_cstr(&c->arena, im->table), o->key, &none, &none, out);

	if (r < 0 || import_table_skips(o)) {
		return r;
	}
	/* CSV cells get the types of the key */
	size_t n = import_table_look_ahead(im, c, &im->files, out, &items);
	bool typed = n > 0;

	n = typed ? n : import_table_look_ahead(im, c, &im->files, NULL, &items);
	return import_key_check(c, o->key, &out->key, items, n, typed);
}

/* Describe the table, or create it as @wanted if --key is given. */
static int
import_table_find(struct importing *im, struct call *c, const struct schema *wanted)
{
	struct ctl *ctl = im->ctl;
	struct create_table_in in = {.schema = wanted};
	struct create_table_out answer;
	int r = import_table_describe(im, c);

	if (r != -ERR_NO_TABLE || im->o->key == NULL) {
		return r;
	}
	c->error = (struct error){0};
	r = engine_create_table(ctl->engine, c, &in, &answer);
	im->made = r == 0;
	if (r == 0) {
		r = await_table(ctl, c, im->table);
		ctl_note(ctl, "table %.*s created", SLICE_ARG(im->table));
	}
	return r < 0 ? r : ctl_schema(ctl, c, im->table, &im->schema);
}

int
import_table_judge(const struct importing *im, struct call *c, uint64_t items, int r)
{
	const struct ctl *ctl = im->ctl;
	struct delete_table_in in = {.table = im->table};
	struct delete_table_out answer;
	assert(im->o->key != NULL);
	int held = r < 0 ? 0 : import_key_held(ctl->engine, c, im->o->key, im->table, items);

	if (held < 0 && im->o->guessed) {
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
		ctl_note(ctl, "table %.*s dropped again", SLICE_ARG(im->table));
	}
	return r < 0 ? r : held;
}

int
import_table_open(struct importing *im, struct call *c)
{
	struct ctl *ctl = im->ctl;
	struct schema *wanted = arena_new(&c->arena, struct schema, 1);
	bool keyed = im->o->key != NULL;
	int r = keyed ? import_table_read_key(im, c, wanted) : 0;

	if (r < 0) {
		return r;
	}
	bool fresh = ctl->store != NULL && ctl_store_is_new(ctl, c);

	r = ctl_open_store(ctl, c, keyed);
	if (r < 0) {
		if (!keyed && fresh && slice_chr(im->table, '/') == NULL) {
			import_table_suggest_key(im, c, false);
		}
		return r;
	}
	if (keyed && fresh) {
		ctl_note(ctl, "store %s created", ctl->store);
	}
	r = import_table_find(im, c, wanted);
	if (r == -ERR_NO_TABLE) {
		import_table_suggest_key(im, c,
					 import_table_is_typed(ctl, im->table) &&
						 suggest_near_table(ctl, c, im->table, SLICE("")));
	}
	return r;
}

void
import_table_suggest_mended(const struct importing *im, struct call *c,
			    const struct import_result *result)
{
	const struct import_opts *o = im->o;
	const struct words none = {0}; /* in place of a pipe, which would block */
	const struct words *at = source_size(&im->files) > 0 ? &im->files : &none;
	struct item *items = NULL;
	struct buf line;

	assert(im->schema != NULL);
	call_scope(own, c->now_ms);
	buf_init(&line, &own.arena);
	size_t n = import_table_look_ahead(im, &own, at, im->schema, &items);

	n = n > 0 ? n : import_table_look_ahead(im, &own, at, NULL, &items);
	buf_str(&line, "did you mean: ");
	if (o->set.n == 0 && !o->apply && n > 0 &&
	    import_key_mended(&line, im->ctl, &own, im->schema, im->files.at[0], items, n)) {
		suggest_line(c, buf_view(&line));
	} else if (o->from == NULL && import_files_csv(c, at)) {
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
