/* missed - see missed.h; "itemctl why PATH" explains more mistakes */
#include "fs/file/missed.h"

#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/engine/why_clause.h"
#include "store/model/schema.h"

#include "fs/file/request.h"
#include "fs/format/clauses.h"
#include "fs/place/place.h"
#include "fs/place/place_stat.h"

/* A name that is absent. */
struct missed {
	struct request *rq;
	const struct place *place; /* place of the directory */
	struct slice dir;          /* absolute */
	struct slice name;
	struct buf *out; /* the message; empty: none */
};

/* Append the path of @name in the directory @dir, quoted for a shell. */
static void
missed_path(const struct missed *q, struct slice dir, struct slice name, struct slice suffix)
{
	shell_word(q->out, slice_from(arena_print(&q->rq->c.arena, "%.*s/%.*s%.*s", SLICE_ARG(dir),
						  SLICE_ARG(name), SLICE_ARG(suffix))));
}

/* ------------------------------------------------------------ the files of .itemfs */

/* The name of a generated file at the end of @name, as .csv; empty: none. */
static struct slice
missed_form(struct slice name)
{
	const char *dot = slice_rchr(name, '.');
	struct slice form = dot == NULL ? SLICE("") : slice_skip(name, (size_t)(dot - name.at));

	return clauses_generated(form) == GENERATED_NONE ? SLICE("") : form;
}

/*
 * Append the path of @name at the root of a table: of the mount's table, of @table, or of the only table; else of
 * TABLE.
 */
static void
missed_at_table(const struct missed *q, struct slice table, struct slice name)
{
	const struct mount *m = q->rq->m;
	struct list_tables_in in = {.limit = 2};
	struct list_tables_out tables = {0};
	struct buf dir;

	buf_init(&dir, &q->rq->c.arena);
	buf_str(&dir, m->mountpoint);
	if (m->table[0] == '\0' && table.len == 0) {
		bool one = !mount_is_remote(m) &&
			   engine_list_tables(m->engine, &q->rq->c, &in, &tables) == 0 &&
			   tables.n_names == 1;

		table = one ? tables.names[0] : SLICE("TABLE");
	}
	if (m->table[0] == '\0') {
		buf_fmt(&dir, "/%.*s", SLICE_ARG(table));
	}
	missed_path(q, buf_view(&dir), name, SLICE(""));
}

/* A name in .itemfs. Users look there for files that are at the root of a table. */
static void
missed_own(const struct missed *q)
{
	static const struct {
		struct slice name;
		struct slice form;
	} others[] = {
		{SLICE_INIT("changes"), SLICE_INIT(".stream")},
		{SLICE_INIT("events"), SLICE_INIT(".stream")},
		{SLICE_INIT("stream"), SLICE_INIT(".stream")},
		{SLICE_INIT("index"), SLICE_INIT(".index")},
		{SLICE_INIT("indexes"), SLICE_INIT(".index")},
		{SLICE_INIT("schema"), SLICE_INIT(".table.json")},
	};
	struct slice form = missed_form(q->name);

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		form = slice_eq(q->name, others[i].name) ? others[i].form : form;
	}
	buf_fmt(q->out, "there is no .itemfs/%.*s", SLICE_ARG(q->name));
	if (form.len == 0) {
		buf_str(q->out, "; README lists the files there and at the root of a table");
	} else {
		buf_str(q->out, "; it is at the root of a table: ");
		missed_at_table(q, SLICE(""), form);
	}
}

/* ------------------------------------------------------------ tables and indexes */

static void
missed_table(const struct missed *q)
{
	struct slice form = missed_form(q->name);
	struct near near = near_start(slice_of(q->name.at, q->name.len - form.len));
	struct list_tables_in in = {0};
	struct list_tables_out page = {0};

	if (engine_list_tables(q->rq->m->engine, &q->rq->c, &in, &page) == 0) {
		for (size_t i = 0; i < page.n_names; i++) {
			near_try(&near, page.names[i]);
		}
	}
	if (near.best.len > 0) {
		buf_fmt(q->out, "there is no table %.*s: did you mean ", SLICE_ARG(q->name));
		if (form.len > 0) {
			missed_at_table(q, near.best, form);
		} else {
			missed_path(q, q->dir, near.best, SLICE(""));
		}
		buf_char(q->out, '?');
	}
}

static void
missed_index(const struct missed *q)
{
	const struct schema *s = q->place->schema;
	struct near near = near_start(q->name);
	const char *before = "";

	buf_fmt(q->out, "there is no index %.*s", SLICE_ARG(q->name));
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state == INDEX_ACTIVE) {
			near_try(&near, s->index[i].name);
		}
	}
	if (near.best.len > 0) {
		buf_str(q->out, ": did you mean ");
		missed_path(q, q->dir, near.best, SLICE(""));
		buf_char(q->out, '?');
		return;
	}
	buf_str(q->out, s->n_index == 0 ? "; to create it: itemctl -s " : "; there is ");
	if (s->n_index == 0) {
		shell_word(q->out, slice_from(q->rq->m->hub->store));
		buf_fmt(q->out, " alter %.*s --add-gsi %.*s=PK,SK", SLICE_ARG(s->table),
			SLICE_ARG(q->name));
	}
	for (size_t i = 0; i < s->n_index; i++) {
		buf_fmt(q->out, "%s%.*s%s", before, SLICE_ARG(s->index[i].name),
			s->index[i].state == INDEX_ACTIVE ? "" : ", not complete yet");
		before = "; ";
	}
}

/* ------------------------------------------------------------ below a table */

/* A name with a dot. Programs look up such files of their own in tables and partitions. */
static void
missed_clause(const struct missed *q)
{
	const struct mount *m = q->rq->m;
	struct buf by;

	if (slice_is(q->name, SPECIAL_NAME)) {
		buf_str(q->out, "the mount's own files are in ");
		missed_path(q, slice_from(m->mountpoint), q->name, SLICE(""));
	} else if (clauses_is_reserved(q->name)) {
		buf_str(q->out, "it is at the root of a table: ");
		missed_at_table(q, q->place->table, q->name);
	} else {
		buf_init(&by, &q->rq->c.arena);
		why_clause_none(q->name, false, q->out, &by);
		bool near = slice_ends(buf_view(q->out), SLICE("?"));
		bool none = slice_ends(buf_view(q->out), SLICE("lists them"));

		if (q->place->role != ROLE_QUERY && (none || (near && q->name.len < 5))) {
			buf_clear(q->out); /* such as .git */
		}
	}
}

/* The name of an item without its suffix. */
static void
missed_item(const struct missed *q)
{
	struct mount *m = q->rq->m;
	struct call *c = &q->rq->c;
	struct slice suffix = slice_from(m->suffix);
	struct buf file;
	struct child child;
	struct attributes attributes;

	buf_init(&file, &c->arena);
	buf_slice(&file, q->name);
	buf_slice(&file, suffix);
	if (suffix.len > 0 && !slice_ends(q->name, suffix) && file.len <= PATH_NAME_MAX &&
	    place_child(m, c, q->place, buf_view(&file), &child) == 0 &&
	    place_stat(m, c, &child.place, NULL, &attributes) == 0) {
		buf_str(q->out, "the item's file is ");
		missed_path(q, q->dir, q->name, suffix);
	}
}

/* The name of a partition that has no items, or of a special file of a table without its dot. */
static void
missed_partition(const struct missed *q)
{
	const struct place *p = q->place;
	struct slice form = missed_form(q->name);
	struct slice pk = place_key(p)->pk->name;
	struct slice value = slice_starts(q->name, pk) ? slice_skip(q->name, pk.len) : SLICE("");
	struct buf by;

	buf_init(&by, &q->rq->c.arena);
	if (p->index == NULL && schema_view(p->schema, q->name) != NULL) {
		buf_fmt(q->out, "%.*s is an index: ", SLICE_ARG(q->name));
		buf_str(&by, ".index/");
		buf_slice(&by, q->name);
		missed_path(q, q->dir, buf_view(&by), SLICE(""));
	} else if (value.len > 1 && value.at[0] == '=') {
		buf_str(q->out, "the name of a partition is only the value of its key: ");
		missed_path(q, q->dir, slice_skip(value, 1), SLICE(""));
	} else if (form.len > 0 && slice_is(form, ".json")) {
		buf_fmt(q->out,
			"this directory has partitions, which have the items: PARTITION/%.*s",
			SLICE_ARG(q->name));
	} else if (form.len > 0) {
		buf_str(q->out, "all items as one text: ");
		missed_path(q, q->dir, form, SLICE(""));
	} else if (!why_clause_bare(q->name, false, q->out, &by) && !q->rq->m->ro) {
		buf_fmt(q->out, "no item has the partition key %.*s", SLICE_ARG(q->name));
		if (!place_is_read_only(q->rq->m, p)) { /* otherwise none can be created */
			buf_str(q->out, "; to create it: mkdir ");
			missed_path(q, q->dir, q->name, SLICE(""));
		}
	}
}

/* Dispatch by the directory. Programs look up names with a dot everywhere, and each request to an endpoint may cost. */
static void
missed_say(const struct missed *q)
{
	bool local = !mount_is_remote(q->rq->m);
	enum role role = q->place->role;

	if (q->name.at[0] == '.') {
		if (role != ROLE_SPECIAL && role != ROLE_INDEXES) {
			missed_clause(q);
		}
	} else if (role == ROLE_SPECIAL) {
		if (q->place->shown.len == 0) {
			missed_own(q);
		}
	} else if (role == ROLE_INDEXES) {
		missed_index(q);
	} else if (role == ROLE_TABLES) {
		if (local) {
			missed_table(q);
		}
	} else if (!place_holds_items(q->place)) {
		missed_partition(q);
	} else if (local) {
		missed_item(q);
	}
}

void
missed_note(struct request *rq, struct node *dir, const struct place *place, struct slice name,
	    bool odd)
{
	struct buf out;
	struct missed q = {.rq = rq, .place = place, .name = name, .out = &out};

	buf_init(&out, &rq->c.arena);
	q.dir = request_path(rq->m, &rq->c.arena, dir, NULL);
	if (odd && name.at[0] != '.') {
		buf_str(&out, rq->c.error.message);
	}
	rq->c.error = (struct error){0};
	if (out.len == 0) {
		missed_say(&q);
	}
	/* These programs check whether a directory is one of theirs. */
	if (out.len > 0 && !request_is_by(rq, "itemctl") && !request_is_by(rq, "git")) {
		request_missed(rq, ENOENT, dir, slice_cstr(&rq->c.arena, name), buf_view(&out));
	}
}

/* Return: whether the word between @from and @to of @expression is a name and no value. */
static bool
missed_is_name(struct slice expression, size_t from, size_t to)
{
	struct slice word = slice_of(expression.at + from, to - from);
	bool whole = to == expression.len || strchr(" )", expression.at[to]) != NULL;

	return whole && word.len > 0 && !ascii_digit(word.at[0]) &&
	       !ascii_same(word, SLICE("true")) && !ascii_same(word, SLICE("false")) &&
	       !ascii_same(word, SLICE("null"));
}

/* The first bare word after an operator of @expression; empty: there is none. */
static struct slice
missed_word(struct slice expression)
{
	for (size_t i = 0; i < expression.len; i++) {
		char ch = expression.at[i];

		if (ch == '"' || ch == '\'') { /* a text, to its end */
			while (++i < expression.len && expression.at[i] != ch) {
			}
		} else if (strchr("=<>", ch) != NULL) {
			while (++i < expression.len && strchr("=<> ", expression.at[i]) != NULL) {
			}
			size_t from = i;

			while (i < expression.len && ascii_word(expression.at[i])) {
				i++;
			}
			if (missed_is_name(expression, from, i)) {
				return slice_of(expression.at + from, i - from);
			}
			i--;
		}
	}
	return SLICE("");
}

void
missed_quotes(struct request *rq, struct node *dir, struct slice expression)
{
	struct slice word = missed_word(expression);
	struct buf by, out;

	if (word.len == 0 || request_is_by(rq, "itemctl")) {
		return;
	}
	size_t before = (size_t)(word.at - expression.at);

	buf_init(&by, &rq->c.arena);
	buf_init(&out, &rq->c.arena);
	buf_fmt(&by, "%.*s/%.*s\"%.*s\"%.*s",
		SLICE_ARG(request_path(rq->m, &rq->c.arena, dir, NULL)), (int)before, expression.at,
		SLICE_ARG(word), SLICE_ARG(slice_skip(expression, before + word.len)));
	buf_fmt(&out,
		"%.*s is the name of an attribute here; a text needs quotes: ", SLICE_ARG(word));
	shell_word(&out, buf_view(&by));
	request_missed(rq, 0, dir, slice_cstr(&rq->c.arena, expression), buf_view(&out));
}
