/* lead - see lead.h */
#include "tools/session/lead.h"

#include "store/model/schema.h"

#include "tools/session/ctl.h"

static bool
lead_matters(const struct out *out)
{
	return out_format_is_columns(out->format) || out->format == OUT_TABLE;
}

static size_t
lead_add(struct slice *names, size_t n, struct slice name)
{
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(names[i], name)) {
			return n;
		}
	}
	names[n] = name;
	return n + 1;
}

static size_t
lead_add_key(struct call *c, struct slice *names, size_t n, const struct key_schema *key)
{
	key_each (attr, key) {
		n = lead_add(names, n, slice_copy(&c->arena, attr->name));
	}
	return n;
}

void
lead_key(struct out *out, struct call *c, const struct schema *s, const struct index *ix)
{
	if (!lead_matters(out)) {
		return;
	}
	struct slice *names = arena_new(&c->arena, struct slice, (size_t)2 * KEY_ATTRS_MAX);
	size_t n = ix == NULL ? 0 : lead_add_key(c, names, 0, &ix->key);

	out->lead = names;
	out->n_lead = lead_add_key(c, names, n, &s->key);
	out->ordered = false;
}

void
lead_names(struct out *out, const struct slice *names, size_t n)
{
	out->lead = names;
	out->n_lead = n;
	out->ordered = n > 1;
}

void
lead_table(struct ctl *ctl, struct call *c, struct slice table, struct slice index)
{
	const struct schema *schema = NULL;

	if (!lead_matters(&ctl->out)) {
		return;
	}
	call_scope(own, c->now_ms);
	if (ctl_schema(ctl, &own, table, &schema) == 0) {
		lead_key(&ctl->out, c, schema, index.len == 0 ? NULL : schema_index(schema, index));
	}
}
