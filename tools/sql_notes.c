/* sql_notes - see sql_notes.h */
#include "tools/sql_notes.h"

#include "store/base/ascii.h"
#include "store/partiql/translate.h"

#include "tools/lead.h"
#include "tools/nothing.h"

struct sql_notes
sql_notes_begin(struct ctl *ctl, struct call *c, const struct parameterized *of)
{
	struct sql_notes n = {0};
	int r = statement_parse(c, of->statement, of->parameters, of->n_parameters, &n.st);

	c->error = (struct error){0}; /* who executes it will tell */
	n.select = r == 0 && n.st.kind == STATEMENT_SELECT;
	if (n.select) {
		size_t labels = n.st.trees.n_projection;

		n.asked = (struct absent_names){.at = n.st.labels, .n = labels, .left = labels};
		n.asked.seen = arena_new(&c->arena, bool, labels + 1);
		if (labels > 0) {
			lead_names(&ctl->out, n.asked.at, labels);
		} else {
			lead_table(ctl, c, n.st.table, n.st.index);
		}
	}
	return n;
}

void
sql_notes_see(struct sql_notes *n, const struct item *it)
{
	absent_names_see(&n->asked, it);
}

/* The one partition that a SELECT reads; false: it reads several. */
static bool
sql_notes_key(struct ctl *ctl, struct call *c, const struct statement *st, struct absent_key *out)
{
	const struct schema *schema = NULL;
	const struct index *ix = NULL;
	struct selection s;

	if (ctl_schema(ctl, c, st->table, &schema) < 0) {
		return false;
	}
	ix = st->index.len == 0 ? NULL : schema_index(schema, st->index);
	if (translate_select(c, schema, ix, st, &s) < 0 || s.runs.n != 1) {
		return false;
	}
	const struct keycond *run = &s.runs.at[0];
	bool all = run->op == KEYCOND_NONE && s.runs.rest == NULL;

	*out = (struct absent_key){.table = st->table,
				   .index = st->index,
				   .key = schema_key(schema, ix),
				   .pk = run->equal,
				   .sk = run->op == KEYCOND_EQ && s.runs.rest == NULL ? run->a
										      : NULL,
				   .ranged = !all};
	return run->equal.n == key_part_n(out->key->pk);
}

/* Where the word @word stands in @text; text.len: nowhere. */
static size_t
sql_notes_word(struct slice text, struct slice word)
{
	size_t at = 0;

	for (; at + word.len < text.len; at++) {
		bool begins = at == 0 || ascii_blank(text.at[at - 1]);

		if (begins && ascii_same(slice_of(text.at + at, word.len), word) &&
		    ascii_blank(text.at[at + word.len])) {
			return at;
		}
	}
	return text.len;
}

/* The condition as it is written; empty: there is none. */
static struct slice
sql_notes_where(const struct statement *st)
{
	struct slice where = slice_skip(st->text, sql_notes_word(st->text, SLICE("WHERE")));

	return slice_of(where.at, sql_notes_word(where, SLICE("ORDER")));
}

void
sql_notes_say(struct ctl *ctl, struct call *c, const struct sql_notes *n, uint64_t items)
{
	static const struct placeholders none;
	struct nothing nothing = {
		.table = n->st.table, .filter = sql_notes_where(&n->st), .ph = &none};
	struct absent_key key;
	struct call own;

	if (!n->select || ctl->quiet) {
		return;
	}
	call_open(&own, c->now_ms, CTL_BUDGET);
	nothing.statement = true;
	if (items == 0 && ctl_may_look(ctl) && sql_notes_key(ctl, &own, &n->st, &key)) {
		nothing.key = &key;
	}
	if (items == 0) {
		(void)nothing_say(ctl, c, &nothing);
	} else {
		nothing_say_projected(ctl, c, n->st.table, &n->asked);
	}
	call_close(&own);
}
