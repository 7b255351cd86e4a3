/* mask_check - see mask.h: compares rules with the key of a table, and describes rules */
#include "store/model/schema.h"

#include "tools/mask/mask_int.h"
#include "tools/session/ctl.h"
#include "tools/text/text_lines.h"

const char *
mask_action_name(enum mask_action action)
{
	static const char *const names[] = {
		[MASK_KEEP] = "keep", [MASK_DROP] = "drop",   [MASK_REDACT] = "redact",
		[MASK_HASH] = "hash", [MASK_SHIFT] = "shift", [MASK_SHIFT_DAYS] = "shift-days",
		[MASK_FAKE] = "fake",
	};

	return names[action];
}

/* ------------------------------------------------------------ keys */

/* Return true if values with digits, which may be dates or numbers, are excepted from a shift. */
static bool
mask_excepts_digits(const struct mask_rule *r)
{
	for (size_t i = 0; i < r->n_except; i++) {
		for (size_t k = 0; k < r->except[i].len; k++) {
			if (ascii_digit(r->except[i].at[k])) {
				return true;
			}
		}
	}
	return false;
}

/*
 * Return true if shifted values cannot be equal to values of other rules, which differ by their prefixes: the shift
 * must keep the prefix.  @alone: the path has only this rule
 */
static bool
mask_moves_apart(const struct mask_rule *r, bool alone)
{
	const char *at = r->after.len == 0 || r->when.len == 0
				 ? NULL
				 : memmem(r->when.at, r->when.len, r->after.at, r->after.len);

	if (alone) {
		return !mask_excepts_digits(r);
	}
	return r->after.len > 0 && !mask_excepts_digits(r) &&
	       (at == NULL || at + r->after.len == r->when.at + r->when.len);
}

/* Return why the rule may give two items the same key; NULL: it does not. */
static const char *
mask_breaks(const struct mask_rule *r, const struct key_attr *attr, bool alone)
{
	switch (r->action) {
	case MASK_KEEP:
	case MASK_HASH:
		return NULL;
	case MASK_SHIFT:
		if (attr->type != VALUE_N) {
			return "it is not a number";
		}
		break;
	case MASK_SHIFT_DAYS:
		if (attr->type == VALUE_B) {
			return "it is not a date";
		}
		break;
	case MASK_DROP:
	case MASK_REDACT:
	case MASK_FAKE:
		return "different items would get the same key";
	}
	return mask_moves_apart(r, alone) ? NULL : "shifted values could equal values that stay";
}

/* The first rule for the top-level attribute @name: its own, else that of "*", else NULL. */
static const struct mask_rule *
mask_first_rule(const struct mask *m, struct slice name)
{
	const struct mask_node *n = mask_child(&m->root, name);

	n = n != NULL && n->rule == NULL ? m->root.any : n;
	return n == NULL ? NULL : n->rule;
}

int
mask_check(struct call *c, const struct mask *m, const struct schema *s)
{
	key_each (attr, &s->key) {
		const struct mask_rule *first = mask_first_rule(m, attr->name);

		for (const struct mask_rule *r = first; r != NULL; r = r->other) {
			const char *breaks = mask_breaks(r, attr, first->other == NULL);

			if (breaks != NULL) {
				struct text_origin origin = m->origin;

				(void)!call_fail(
					c, ERR_USAGE,
					"%s of %.*s, a key attribute of the table %.*s: %s; keep or "
					"hash it",
					mask_action_name(r->action), SLICE_ARG(attr->name),
					SLICE_ARG(s->table), breaks);
				return text_at(c, &origin, r->line);
			}
		}
	}
	return 0;
}

/* ------------------------------------------------------------ descriptions */

struct slice
mask_rule_of(struct call *c, const struct mask *m, struct slice name)
{
	const struct mask_rule *rule = mask_first_rule(m, name);
	struct buf out = {.arena = &c->arena};

	buf_str(&out, rule == NULL ? "keep" : "");
	for (; rule != NULL; rule = rule->other) {
		buf_slice(&out, rule->words);
		buf_str(&out, rule->other == NULL ? "" : "; ");
	}
	buf_str(&out, mask_is_leaf(mask_child(&m->root, name)) ? "" : "; paths below");
	return buf_view(&out);
}

void
mask_note_unused(const struct mask *m, const struct ctl *ctl, const char *what)
{
	for (const struct mask_rule *r = m->rules; r != NULL; r = r->next) {
		cleanup(buf_release) struct buf b = {0};

		text_put_place(&b, &m->origin, r->line);
		if (!r->used) {
			ctl_note(ctl, "%.*s%.*s: %s", SLICE_ARG(buf_view(&b)), SLICE_ARG(r->path),
				 what);
		}
	}
}
