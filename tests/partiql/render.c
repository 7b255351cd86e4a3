#include "tests/partiql/render.h"

#include "store/model/item_json.h"

void
render_path(struct buf *out, const struct path *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct step *s = &p->at[i];

		if (s->element) {
			buf_fmt(out, "[%zu]", s->index);
		} else {
			buf_str(out, i == 0 ? "" : ".");
			buf_slice(out, s->name);
		}
	}
}

/* Append the arguments from @from on, separated by @between. */
static void
render_arguments(struct buf *out, const struct node *n, size_t from, const char *between)
{
	for (size_t i = from; i < n->n; i++) {
		buf_str(out, i == from ? "" : between);
		render_node(out, n->arg[i]);
	}
}

static void
render_operator(struct buf *out, const struct node *n)
{
	struct slice name = node_operator(n);
	struct buf between;

	if (n->type == NODE_NOT) {
		buf_str(out, "NOT ");
		render_node(out, n->arg[0]);
		return;
	}
	if (n->type == NODE_IN) {
		render_node(out, n->arg[0]);
		buf_str(out, " IN (");
		render_arguments(out, n, 1, ", ");
		buf_char(out, ')');
		return;
	}
	if (n->type == NODE_BETWEEN) {
		render_node(out, n->arg[0]);
		buf_str(out, " BETWEEN ");
		render_arguments(out, n, 1, " AND ");
		return;
	}
	buf_init(&between, NULL);
	buf_fmt(&between, " %.*s ", SLICE_ARG(name));
	buf_char(&between, '\0');
	buf_char(out, '(');
	render_arguments(out, n, 0, between.at);
	buf_char(out, ')');
	buf_release(&between);
}

void
render_node(struct buf *out, const struct node *n)
{
	if (n->type == NODE_PATH) {
		render_path(out, &n->path);
	} else if (n->type == NODE_VALUE) {
		value_put_json(out, n->value, ITEM_PLAIN);
	} else if (n->type == NODE_CALL) {
		buf_slice(out, n->text);
		buf_char(out, '(');
		render_arguments(out, n, 0, ", ");
		buf_char(out, ')');
	} else {
		render_operator(out, n);
	}
}

static void
render_run(struct buf *out, const struct keycond *k)
{
	static const char *const words[] = {
		[KEYCOND_NONE] = "",         [KEYCOND_EQ] = " =",
		[KEYCOND_LT] = " <",         [KEYCOND_LE] = " <=",
		[KEYCOND_GT] = " >",         [KEYCOND_GE] = " >=",
		[KEYCOND_BETWEEN] = " from", [KEYCOND_BEGINS_WITH] = " begins",
	};

	buf_char(out, '[');
	for (size_t i = 0; i < k->equal.n; i++) {
		buf_str(out, i == 0 ? "" : " = ");
		value_put_json(out, k->equal.at[i], ITEM_PLAIN);
	}
	if (k->op != KEYCOND_NONE) {
		buf_fmt(out, "%s %s", words[k->op], k->open_a ? "behind " : "");
		value_put_json(out, k->a, ITEM_PLAIN);
	}
	if (k->b != NULL) {
		buf_str(out, k->open_b ? " to before " : " to ");
		value_put_json(out, k->b, ITEM_PLAIN);
	}
	buf_char(out, ']');
}

static void
render_condition(struct buf *out, const char *word, const struct node *n)
{
	if (n != NULL) {
		buf_fmt(out, " %s ", word);
		render_node(out, n);
	}
}

void
render_selection(struct buf *out, const struct selection *s, const struct statement *st)
{
	const struct trees *t = s->read.ph.trees;

	buf_str(out, s->runs.n == 0 ? "Scan" : "Query ");
	for (size_t i = 0; i < s->runs.n; i++) {
		render_run(out, &s->runs.at[i]);
	}
	if (s->read.index.len > 0) {
		buf_fmt(out, " of %.*s", SLICE_ARG(s->read.index));
	}
	buf_str(out, s->backward ? " backward" : "");
	render_condition(out, "filter", t->condition);
	for (size_t i = 0; i < t->n_projection; i++) {
		buf_str(out, i == 0 ? " list " : ", ");
		render_path(out, &t->projection[i]);
		buf_fmt(out, " AS %.*s", SLICE_ARG(st->labels[i]));
	}
}

static void
render_clauses(struct buf *out, const struct trees *t)
{
	for (size_t i = 0; i < t->n_clauses; i++) {
		buf_fmt(out, " %s ", update_verb_name(t->clause[i].verb));
		render_path(out, &t->target[i]);
		if (t->clause[i].value != NULL) {
			buf_str(out, " = ");
			render_node(out, t->clause[i].value);
		}
	}
}

void
render_write(struct buf *out, const struct transact_action *a)
{
	static const char *const words[] = {
		[TRANSACT_PUT] = "Put ",
		[TRANSACT_DELETE] = "Delete ",
		[TRANSACT_CHECK] = "Check ",
		[TRANSACT_UPDATE] = "Update ",
	};

	buf_str(out, words[a->kind]);
	item_put_json(out, &a->item, ITEM_PLAIN);
	render_clauses(out, a->ph.trees);
	render_condition(out, "when", a->ph.trees->condition);
}
