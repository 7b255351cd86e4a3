/* inline_own - adds a caller's own placeholders, and removes placeholders from messages */
#include "store/base/core/ascii.h"
#include "store/expr/inline.h"
#include "store/model/item_json.h"

void
inline_value(struct call *c, struct inline_request *r, struct slice alias, const struct value *v)
{
	struct placeholders *ph = &r->ph;
	struct attr *values = arena_new(&c->arena, struct attr, ph->values.n + 1);

	if (ph->values.n > 0) {
		memcpy(values, ph->values.at, ph->values.n * sizeof(*values));
	}
	values[ph->values.n] = (struct attr){.name = alias, .value = *v};
	ph->values = (struct item){.at = values, .n = ph->values.n + 1};
	ph->values_given = true;
	r->cap_values = ph->values.n;
}

void
inline_name(struct call *c, struct inline_request *r, struct slice alias, struct slice name)
{
	struct placeholders *ph = &r->ph;
	struct name_alias *names = arena_new(&c->arena, struct name_alias, ph->n_names + 1);

	if (ph->n_names > 0) {
		memcpy(names, ph->names, ph->n_names * sizeof(*names));
	}
	names[ph->n_names] = (struct name_alias){.alias = alias, .name = name};
	ph->names = names;
	ph->n_names++;
	ph->names_given = true;
	r->cap_names = ph->n_names;
}

/* ------------------------------------------------------------ messages */

/* Returns true if the user typed the placeholder. */
static bool
is_users(const struct slice *typed, size_t n, struct slice alias)
{
	for (size_t i = 0; i < n; i++) {
		if (typed[i].len > 0 &&
		    memmem(typed[i].at, typed[i].len, alias.at, alias.len) != NULL) {
			return true;
		}
	}
	return false;
}

/* Appends the name or value of a placeholder of the rewriting ("#i0", ":i0"). Returns false if it is not one. */
static bool
inline_own_put_meant(const struct inline_request *r, struct slice alias, struct buf *out)
{
	const struct placeholders *ph = &r->ph;

	for (size_t i = r->own_names; i < ph->n_names; i++) {
		if (slice_eq(ph->names[i].alias, alias)) {
			buf_slice(out, ph->names[i].name);
			return true;
		}
	}
	for (size_t i = r->own_values; i < ph->values.n; i++) {
		if (slice_eq(ph->values.at[i].name, alias)) {
			value_put_json(out, &ph->values.at[i].value, ITEM_PLAIN);
			return true;
		}
	}
	return false;
}

void
inline_say(const struct inline_request *r, const struct slice *typed, size_t n_typed,
	   const char *message, struct buf *out)
{
	const char *at = message;

	while (*at != '\0') {
		size_t n = *at == '#' || *at == ':' ? 1 : 0;

		while (n > 0 && ascii_word(at[n])) {
			n++;
		}
		struct slice alias = slice_of(at, n);

		if (n < 2 || is_users(typed, n_typed, alias) ||
		    !inline_own_put_meant(r, alias, out)) {
			n = n == 0 ? 1 : n;
			buf_put(out, at, n);
		}
		at += n;
	}
}
