/* misnamed - see misnamed.h */
#include "tools/write/misnamed.h"

#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/model/schema.h"

#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/session/unquoted.h"
#include "tools/text/bare.h"
#include "tools/text/typed_line.h"

/* A misspelled name differs from the right one by at most this length. */
enum { MISNAMED_LETTERS = 2 };

/* The key attribute that is similar to @name; empty: @name is a key attribute, or there is none. */
static struct slice
misnamed_key(const struct key_schema *key, struct slice name)
{
	struct near near = near_start(name);

	if (key_schema_has(key, name)) {
		return (struct slice){0};
	}
	near_try(&near, key->pk->name);
	if (key_schema_has_sort(key)) {
		near_try(&near, key->sk->name);
	}
	bool slip = near.best.len <= name.len + MISNAMED_LETTERS &&
		    name.len <= near.best.len + MISNAMED_LETTERS;

	return slip ? near.best : (struct slice){0};
}

/* Return true if the condition is only attribute_not_exists(@name). */
static bool
misnamed_alone(struct slice condition, struct slice name)
{
	struct slice rest = condition;
	const struct slice parts[] = {SLICE("attribute_not_exists"), SLICE("("), name, SLICE(")")};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		rest = ascii_trim(rest);
		if (!slice_starts(rest, parts[i])) {
			return false;
		}
		rest = slice_skip(rest, parts[i].len);
	}
	return ascii_trim(rest).len == 0;
}

static int
misnamed_fail(struct call *c, struct slice name, struct slice meant)
{
	struct buf b = {.arena = &c->arena};

	buf_fmt(&b, "no item has an attribute %.*s", SLICE_ARG(name));
	typed_line_near(&b, &(struct near){.typed = name, .best = meant}, "");
	buf_fmt(&b,
		"\n"
		"if you mean %.*s: write #a in the condition, and add --names "
		"'{\"#a\":\"%.*s\"}'",
		SLICE_ARG(name), SLICE_ARG(name));
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* Refuse @name, which is similar to @meant, if no item has it; only print a note if the table exceeds the sample. */
static int
misnamed_look(const struct ctl *ctl, struct call *c, struct slice table, struct slice name,
	      struct slice meant)
{
	struct page page = {0};
	int r = 0;

	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) != 0 || page.count == 0) {
		/* An empty table has no attributes.  If the Scan fails, the write will fail, too. */
	} else if (page.last.n > 0) {
		(void)absent_say(ctl, &page, name);
	} else if (absent_is(&page, name)) {
		r = misnamed_fail(c, name, meant);
	}
	return r;
}

/* The condition as typed; empty: there is none. */
static struct slice
misnamed_condition(const struct ctl *ctl)
{
	assert(ctl->exprs != NULL);
	for (size_t i = 0; i < ctl->exprs->n; i++) {
		if (strcmp(ctl->exprs->typed[i].field, "ConditionExpression") == 0) {
			return ctl->exprs->typed[i].user;
		}
	}
	return (struct slice){0};
}

/* Append the message about an unquoted text in the condition.  Return: false: there is none */
static bool
misnamed_unquoted(const struct ctl *ctl, struct call *own, const struct page *page, struct buf *b)
{
	struct slice condition = misnamed_condition(ctl);
	struct unquoted found;

	if (!unquoted_find(own, "ConditionExpression", condition, page, &found) ||
	    found.text.len == 0) {
		return false;
	}
	unquoted_put_named(b, condition, &found);
	return true;
}

/* Refuse "Status <> SHIPPED", which holds for every item if no item has an attribute SHIPPED. */
static int
misnamed_compared(const struct ctl *ctl, struct call *c, struct slice table)
{
	const char *condition = slice_cstr(&c->arena, misnamed_condition(ctl));
	struct page page = {0};
	struct bare bare;
	int r = 0;

	if ((strstr(condition, "<>") == NULL && strcasestr(condition, "NOT") == NULL) ||
	    !bare_find(slice_from(condition), &bare) || url_is_far(ctl->store)) {
		return 0;
	}
	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) == 0 && page.count > 0 && page.last.n == 0) {
		struct buf b = {.arena = &c->arena};

		if (misnamed_unquoted(ctl, &own, &page, &b)) {
			r = call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
		}
	}
	return r;
}

int
misnamed_check(struct ctl *ctl, struct call *c, struct slice table, const struct item_options *s)
{
	const struct schema *schema = NULL;

	int r = misnamed_compared(ctl, c, table);

	if (r < 0 || s->n_names != 1 || !misnamed_alone(s->condition, s->names->alias) ||
	    url_is_far(ctl->store)) {
		return r;
	}
	r = ctl_schema(ctl, c, table, &schema);
	if (r < 0) {
		return r;
	}
	assert(schema != NULL);
	struct slice meant = misnamed_key(&schema->key, s->names->name);

	return meant.len == 0 ? 0 : misnamed_look(ctl, c, table, s->names->name, meant);
}

void
misnamed_update(const struct ctl *ctl, const struct call *c, struct slice table,
		struct slice update)
{
	struct page page = {0};
	struct near near = {0};
	struct slice name;
	size_t at = 0;

	if (ctl->quiet || ctl->fill != NULL || ctl->meter != NULL || url_is_far(ctl->store)) {
		return;
	}
	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) == 0 && page.count > 0) {
		while (near.best.len == 0 && (name = bare_name(update, &at)).len > 0) {
			/* Only the letter case counts: GSI2PK is similar to GSI1PK, but intended. */
			if (!absent_near(&page, name, &near) || !ascii_same(name, near.best)) {
				near.best = (struct slice){0};
			}
		}
	}
	if (near.best.len > 0) {
		struct buf b = {.arena = &own.arena};

		near.typed =
			slice_copy(&own.arena, near.typed); /* no line if the name occurs twice */
		typed_line_near(&b, &near, "");
		ctl_note(ctl, "no item had an attribute %.*s before%.*s", SLICE_ARG(near.typed),
			 SLICE_ARG(buf_view(&b)));
	}
}

void
misnamed_say(const struct ctl *ctl, const struct call *c, struct slice table,
	     const struct item_options *s)
{
	struct page page = {0};
	bool said = false;

	if (s->n_names == 0 || ctl->quiet || url_is_far(ctl->store)) {
		return;
	}
	call_scope(own, c->now_ms);
	if (absent_sample(ctl, &own, table, &page) == 0 && page.count > 0) {
		struct buf b = {.arena = &own.arena};

		said = misnamed_unquoted(ctl, &own, &page, &b);
		if (said) {
			ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
		}
		for (size_t i = 0; i < s->n_names && !said; i++) {
			said = absent_say(ctl, &page, s->names[i].name);
		}
	}
}
