/* diff_sides - see diff_sides.h */
#include "tools/cmd/diff_sides.h"

#include <sys/stat.h>

#include "store/engine/engine.h"
#include "store/model/schema.h"

#include "tools/advice/suggest.h"
#include "tools/cmd/cmd.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/other_store.h"
#include "tools/system/scratch_store.h"
#include "tools/system/source_form.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"

static bool
diff_sides_is_file(const char *word)
{
	struct stat st;

	return stat(word, &st) == 0 && S_ISREG(st.st_mode);
}

/* Return true if word @i names a store or STORE/TABLE.  A plain first word is a table if a store is given by -s. */
static bool
diff_sides_elsewhere(struct diff_sides *d, struct call *c, unsigned i, const char *word)
{
	if (diff_sides_is_file(word)) {
		return false; /* diff_sides_no_such() reads it */
	}
	return strpbrk(word, "/:") != NULL || strcmp(word, ".") == 0 || strcmp(word, "..") == 0 ||
	       ((i == 1 || !d->ctl->store_given) && other_store_is(c, slice_from(word)));
}

int
diff_sides_find(struct diff_sides *d, struct call *c, unsigned i, const char *word)
{
	assert(i < 2);
	struct diff_side *side = &d->side[i];
	bool table = !diff_sides_elsewhere(d, c, i, word);
	struct other_store other = {.store = d->ctl->store, .table = slice_from(word)};
	int r = 0;

	if (table && i == 1 && d->ctl->store == NULL && diff_sides_is_file(word)) {
		other.store = d->side[0].ctl.store;
	} else if (table) {
		r = ctl_named_store(d->ctl, c);
		other.store = d->ctl->store;
	} else {
		r = other_store_split(c, word, &other);
	}
	side->ctl.store = other.store;
	side->table = other.table;
	if (side->table.len == 0 && i == 1) {
		side->table = d->side[0].table;
	}
	return r;
}

/* Fail because only the second side names a table; suggest the same name for the first one. */
static int
diff_sides_no_table(const struct diff_sides *d, struct call *c)
{
	const char *word = d->ctl->words.at[0];

	assert(word != NULL);
	struct buf line = {.arena = &c->arena};
	struct slice b = fmt_slice(&c->arena, "%s%s%.*s", word,
				   slice_ends(slice_from(word), SLICE("/")) ? "" : "/",
				   SLICE_ARG(d->side[1].table));
	int r = call_fail(c, ERR_USAGE, "%s names no table: STORE/TABLE", word);

	if (!diff_sides_is_file(d->ctl->words.at[1]) &&
	    typed_line_said(&line, "did you mean: ", slice_from(word), b)) {
		suggest_line(c, buf_view(&line));
	}
	return r;
}

int
diff_sides_open(struct diff_sides *d, struct call *c)
{
	struct diff_side *a = &d->side[0];
	struct diff_side *b = &d->side[1];
	bool same = other_store_same(a->ctl.store, b->ctl.store);

	d->stores = a->table.len == 0 && b->table.len == 0;
	if (a->table.len == 0 && !d->stores) {
		return diff_sides_no_table(d, c);
	}
	if (same && slice_eq(a->table, b->table)) {
		return call_fail(c, ERR_USAGE, "both are the same %s",
				 d->stores ? "store" : "table");
	}
	int r = ctl_open_store(&a->ctl, c, false);

	if (r == 0 && same) {
		b->ctl.engine = a->ctl.engine;
	} else if (r == 0) {
		r = ctl_open_store(&b->ctl, c, false);
	}
	return r;
}

void
diff_sides_close(struct diff_sides *d)
{
	struct engine *first = d->side[0].ctl.engine;

	if (d->side[1].ctl.engine != first) {
		engine_close(d->side[1].ctl.engine);
	}
	engine_close(first);
	if (d->scratch.at.path != NULL) {
		scratch_remove(&d->scratch);
	}
}

/* Fail because both sides are files; suggest to import the first one. */
static int
diff_sides_two_files(struct call *c, const char *file)
{
	struct buf b = {.arena = &c->arena};
	struct slice table = source_stem(file);

	fmt_shell(&b, "itemctl import % % --key auto && ", table, slice_from(file));
	(void)typed_line_with(&b, slice_from(file), table);
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "to compare a file with a table: %.*s",
			 SLICE_ARG(buf_view(&b)));
}

/*
 * Side @i has no such table.  If its name is a file of items, import it into a temporary store, with the key of the
 * other side; otherwise suggest a similar name.
 *
 * Return: 0; -ERR_*, which is @r if there is no such file
 */
static int
diff_sides_no_such(struct diff_sides *d, struct call *c, unsigned i, int r)
{
	struct diff_side *side = &d->side[i];
	struct diff_side *other = &d->side[1 - i];
	const char *file = slice_cstr(&c->arena, side->table);
	struct buf key = {.arena = &c->arena};
	const struct schema *schema = NULL;
	struct error before = c->error;

	c->error = (struct error){0};
	bool is_file = strcmp(file, "-") == 0 || access(file, F_OK) == 0;
	bool known = is_file && d->scratch.at.path == NULL &&
		     ctl_schema(&other->ctl, c, other->table, &schema) == 0;

	c->error = known ? (struct error){0} : before;
	if (is_file && diff_sides_is_file(slice_cstr(&c->arena, other->table))) {
		return diff_sides_two_files(c, file);
	}
	if (!known) {
		(void)suggest_near_table(&side->ctl, c, side->table, other->table);
		return r;
	}
	keyspec_print(&key, &schema->key);
	buf_char(&key, '\0');
	r = scratch_make(c, &d->scratch, NULL);
	if (r < 0) {
		return r;
	}
	const char *words[] = {"--key", key.at, "--", "items", file, NULL};
	struct ctl to = ctl_of_store(d->ctl, d->scratch.at.path);

	to.quiet = true;
	r = command_run(&to, c, &cmd_import, words);
	side->ctl = to;
	side->table = SLICE("items");
	return r;
}

int
diff_sides_key(struct diff_sides *d, struct call *c, const struct key_schema **out)
{
	const struct schema *s[2] = {NULL, NULL};
	struct buf b[2];
	int r = 0;

	for (unsigned i = 0; r == 0 && i < 2; i++) {
		r = ctl_schema(&d->side[i].ctl, c, d->side[i].table, &s[i]);
		buf_init(&b[i], &c->arena);
		if (r == 0) {
			keyspec_print(&b[i], &s[i]->key);
		}
	}
	if (r == -ERR_NO_TABLE || r == -ERR_NO_SUCH_TABLE || r == -ERR_VALIDATION) {
		r = diff_sides_no_such(d, c, s[0] == NULL ? 0 : 1, r);
		return r < 0 ? r : diff_sides_key(d, c, out);
	}
	if (r < 0) {
		return r;
	}
	*out = &s[0]->key;
	return key_schema_eq(&s[0]->key, &s[1]->key)
		       ? 0
		       : call_fail(c, ERR_USAGE, "the tables have different keys: %.*s and %.*s",
				   SLICE_ARG(buf_view(&b[0])), SLICE_ARG(buf_view(&b[1])));
}
