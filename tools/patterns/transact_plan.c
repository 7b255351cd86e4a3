/* transact_plan - see transact_plan.h */
#include "tools/patterns/transact_plan.h"

#include <assert.h>

#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/text/text_lines.h"

/* Set the schema of line @i.  Each table is described once. */
static int
schema_of(struct plan *p, struct call *c, size_t i)
{
	struct slice table = p->lines[i].line->table;

	for (size_t j = 0; j < i; j++) {
		if (slice_eq(p->lines[j].line->table, table)) {
			p->lines[i].schema = p->lines[j].schema;
			return 0;
		}
	}
	return ctl_schema(p->ctl, c, table, &p->lines[i].schema);
}

static int
plan_expression(struct plan *p, struct call *c, struct planned *x)
{
	const struct script_action *line = x->line;
	bool reads = line->verb == SCRIPT_GET;
	struct slice update = {0};

	if (line->verb == SCRIPT_UPDATE) {
		update = line->words[line->n_words - 1];
	}
	p->ctl->exprs = &x->exprs;
	int r = exprs_placeholders(c, &x->exprs, p->o->names, p->o->values);
	if (r < 0) {
		return r;
	}
	exprs_keep(c, &x->exprs, line->tail, update);
	r = exprs_add(c, &x->exprs, "UpdateExpression", update, &x->update);
	return r < 0 ? r
		     : exprs_add(c, &x->exprs,
				 reads ? "ProjectionExpression" : "ConditionExpression", line->tail,
				 &x->text);
}

static int
plan_item(struct call *c, struct planned *x)
{
	const struct slice *words = x->line->words;

	assert(x->line->n_words > 0);
	size_t n = x->line->n_words - (x->line->verb == SCRIPT_UPDATE);

	return x->line->verb == SCRIPT_PUT ? ctl_item(c, words[0], &x->item)
					   : keyval_key(c, &x->schema->key, words[0],
							n > 1 ? &words[1] : NULL, &x->item);
}

static bool
same_item(const struct planned *a, const struct planned *b)
{
	struct key_values of_a = {.n = 0};
	struct key_values of_b = {.n = 0};

	if (!slice_eq(a->line->table, b->line->table) ||
	    key_from_item(&a->schema->key, &a->item, &of_a) != 0 ||
	    key_from_item(&b->schema->key, &b->item, &of_b) != 0) {
		return false;
	}
	for (size_t i = 0; i < of_a.n; i++) {
		if (!value_eq(of_a.at[i], of_b.at[i])) {
			return false;
		}
	}
	return true;
}

/* Fail if an earlier line names the same item.  The engine checks that, too, but does not name a line. */
static int
check_twice(const struct plan *p, struct call *c, const struct planned *x)
{
	for (const struct planned *before = p->lines; before < x; before++) {
		if (same_item(before, x)) {
			return call_fail(c, ERR_USAGE,
					 "Transaction request cannot include multiple operations "
					 "on one item: it is that of line %d",
					 before->line->line);
		}
	}
	return 0;
}

int
plan_make(struct plan *p, struct call *c, const struct script *script)
{
	p->lines = arena_new(&c->arena, struct planned, script->n_actions);
	p->n = script->n_actions;
	for (size_t i = 0; i < p->n; i++) {
		struct planned *x = &p->lines[i];

		x->line = &script->actions[i];
		int r = schema_of(p, c, i);
		r = r != 0 ? r : plan_expression(p, c, x);
		r = r != 0 ? r : plan_item(c, x);
		r = r != 0 ? r : check_twice(p, c, x);
		if (r < 0) {
			return text_at(c, script->origin, x->line->line);
		}
	}
	p->ctl->exprs = NULL;
	return 0;
}
