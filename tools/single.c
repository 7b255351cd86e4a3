/* single - between the options of put, get, update, delete and an operation */
#include "tools/single.h"

#include "tools/keyval.h"

static const struct {
	const char *name;
	enum return_values value;
} returns[] = {
	{"old", RETURN_ALL_OLD}, /* first: the only one of put and delete */
	{"new", RETURN_ALL_NEW},
	{"updated-old", RETURN_UPDATED_OLD},
	{"updated-new", RETURN_UPDATED_NEW},
};

static int
read_return(struct call *c, const char *text, bool update, enum return_values *out)
{
	size_t n = update ? sizeof(returns) / sizeof(returns[0]) : 1;

	*out = RETURN_NONE;
	if (text == NULL) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(text, returns[i].name) == 0) {
			*out = returns[i].value;
			return 0;
		}
	}
	return call_fail(c, ERR_USAGE, "--return is %s, not \"%s\"",
			 update ? "old, new, updated-old or updated-new" : "old", text);
}

int
single_read(struct ctl *ctl, struct call *c, const struct single_opts *o, bool update,
	    struct single *out)
{
	*out = (struct single){.exprs = arena_new(&c->arena, struct exprs, 1)};
	ctl->exprs = out->exprs;
	int r = read_return(c, o->returned, update, &out->returned);
	if (r == 0) {
		r = exprs_placeholders(c, out->exprs, o->names, o->values);
	}
	if (r == 0) {
		r = exprs_add(c, out->exprs, "ConditionExpression", slice_from(o->condition),
			      &out->condition);
	}
	return r < 0 ? r
		     : exprs_add(c, out->exprs, "ProjectionExpression", slice_from(o->project),
				 &out->projection);
}

struct write_in
single_write(struct slice table, const struct single *s, const struct item *it)
{
	return (struct write_in){
		.table = table,
		.item = *it,
		.condition = s->condition,
		.ph = s->exprs->request.ph,
		.return_values = s->returned,
		.return_on_failure = s->returned == RETURN_ALL_OLD ? RETURN_ALL_OLD : RETURN_NONE,
	};
}

void
single_print(struct ctl *ctl, const struct written *written, bool alone)
{
	if (written->attributes.n > 0) {
		(void)(alone ? out_one : out_item)(&ctl->out, &written->attributes);
	}
}

int
single_key(struct ctl *ctl, struct call *c, struct slice table, const char *const *words, size_t n,
	   struct item *out)
{
	const struct schema *schema = NULL;
	struct slice sk = n > 1 ? slice_from(words[1]) : slice_of(NULL, 0);

	int r = ctl_schema(ctl, c, table, &schema);
	return r < 0 ? r
		     : keyval_key(c, &schema->key, slice_from(words[0]), n > 1 ? &sk : NULL, out);
}

int
single_absent(struct ctl *ctl)
{
	ctl_note(ctl, "not found");
	return 1;
}
