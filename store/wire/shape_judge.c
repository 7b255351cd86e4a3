/*
 * shape_judge - the constraints of a request's members
 *
 * All that are violated are recorded, in the order of the rows, each with the full
 * path of its member: "transactItems.2.member.update.tableName".
 */
#include <ctype.h>
#include <stdio.h>

#include "store/model/arn.h"
#include "store/op/validate.h"
#include "store/wire/shape.h"

/* Where a member is: a chain on the stack, from the member outwards. */
struct shape_place {
	const struct shape_place *up; /* NULL: the body */
	struct slice name;            /* of the member, or the key of an entry */
	size_t number;                /* of the element, from 1; 0: no element */
	bool entry;                   /* of a map: the name is the user's */
};

/* The older form begins each member with a small letter, the newer one does not. */
static void
shape_put_path(struct buf *b, const struct shape_place *p, bool newer)
{
	if (p->up != NULL) {
		shape_put_path(b, p->up, newer);
		buf_char(b, '.');
	}
	if (p->number > 0) {
		buf_fmt(b, "%zu.member", p->number);
	} else if (p->entry) {
		buf_fmt(b, "%.*s.member", SLICE_ARG(p->name));
	} else {
		buf_char(b, newer ? p->name.at[0] : (char)tolower((unsigned char)p->name.at[0]));
		buf_slice(b, slice_skip(p->name, 1));
	}
}

/* "Value 'VALUE' at 'path' failed to satisfy constraint: "; @value: NULL for null */
static void
shape_blame(struct codec_reader *r, const struct shape_member *m, const struct shape_place *at,
	    const struct slice *value)
{
	bool newer = (m->flags & SHAPE_NEWER) != 0 && value != NULL;
	struct buf *b = &r->faults;

	buf_str(b, r->n_faults++ == 0 ? "Value " : "; Value ");
	if (value == NULL) {
		buf_str(b, "null ");
	} else if (!newer) {
		buf_fmt(b, "'%.*s' ", SLICE_ARG(*value));
	}
	buf_str(b, "at '");
	shape_put_path(b, at, newer);
	buf_str(b, "' failed to satisfy constraint: ");
}

/* How a value is printed in a complaint. */
static struct slice
shape_print(const struct json *j)
{
	switch (j->type) {
	case JSON_ARRAY:
		return j->n == 0 ? SLICE("[]") : SLICE("[...]");
	case JSON_OBJECT:
		return j->n == 0 ? SLICE("{}") : SLICE("{...}");
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
	case JSON_NUMBER:
	case JSON_STRING:
		break;
	}
	return j->text;
}

/* Of strings, lists and maps; an ARN in place of a name is judged elsewhere. */
static void
shape_judge_length(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		   const struct shape_place *at)
{
	const struct shape_rule *rule = m->rule;
	struct slice value = shape_print(j);
	size_t n = j->type == JSON_STRING ? value.len : j->n;

	if (rule->name && arn_is(value)) {
		return;
	}
	if (rule->name && n > 0 && !validate_name_characters(value)) {
		shape_blame(r, m, at, &value);
		buf_str(&r->faults,
			"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	}
	if (rule->pattern != NULL && !rule->pattern->fits(value)) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must satisfy regular expression pattern: %s",
			rule->pattern->text);
	}
	if (rule->max > 0 && n > rule->max) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have length less than or equal to %u", rule->max);
	}
	if (n < rule->min) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have length greater than or equal to %u",
			rule->min);
	}
}

static void
shape_judge_number(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		   const struct shape_place *at)
{
	const struct shape_rule *rule = m->rule;
	int64_t v = 0;
	char digits[24];

	if (codec_whole(r, j->text, 0, &v) < 0) {
		return; /* shape_read() has read it */
	}
	struct slice value =
		slice_of(digits, (size_t)snprintf(digits, sizeof(digits), "%lld", (long long)v));

	if (v < rule->least) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have value greater than or equal to %lld",
			(long long)rule->least);
	}
	if (rule->most > 0 && v > rule->most) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have value less than or equal to %lld",
			(long long)rule->most);
	}
}

static void
shape_judge_word(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		 const struct shape_place *at)
{
	for (const char *const *word = m->words->at; *word != NULL; word++) {
		if (j->text.len > 0 && slice_is(j->text, *word)) {
			return;
		}
	}
	shape_blame(r, m, at, &j->text);
	buf_fmt(&r->faults, "Member must satisfy enum value set: %s", m->words->set);
}

/* ------------------------------------------------------------ the walk */

static void shape_judge_members(struct codec_reader *r, const struct shape *s,
				const struct json *json, const struct shape_place *up);

static void shape_judge_value(struct codec_reader *r, const struct shape_member *m,
			      const struct json *j, const struct shape_place *at);

static void
shape_judge_elements(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		     const struct shape_place *at)
{
	size_t number = 0;

	json_each (child, j) {
		const struct shape_place place = {.up = at,
						  .name = child->name,
						  .number = m->kind == SHAPE_LIST ? ++number : 0,
						  .entry = m->kind == SHAPE_MAP};

		if (child->type == JSON_NULL) {
			continue;
		}
		if (m->of->bare) {
			shape_judge_value(r, m->of->members, child, &place);
		} else {
			shape_judge_members(r, m->of, child, &place);
		}
	}
}

/* @j is not null, and of the right type. */
static void
shape_judge_value(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		  const struct shape_place *at)
{
	if (m->words != NULL && (m->flags & SHAPE_ANY_WORD) == 0) {
		shape_judge_word(r, m, j, at);
	} else if (m->rule != NULL && j->type == JSON_NUMBER) {
		shape_judge_number(r, m, j, at);
	} else if (m->rule != NULL) {
		shape_judge_length(r, m, j, at);
	}
	if (m->kind == SHAPE_STRUCT) {
		shape_judge_members(r, m->of, j, at);
	} else if (m->kind == SHAPE_LIST || m->kind == SHAPE_MAP) {
		shape_judge_elements(r, m, j, at);
	}
}

/* Most members may be absent and have any value: they are not looked up. */
static bool
shape_is_free(const struct shape_member *m)
{
	if ((m->flags & (SHAPE_REQUIRED | SHAPE_FIRST)) != 0 || m->rule != NULL ||
	    m->words != NULL) {
		return false;
	}
	return m->of == NULL || (m->of->bare && shape_is_free(m->of->members));
}

static void
shape_judge_members(struct codec_reader *r, const struct shape *s, const struct json *json,
		    const struct shape_place *up)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct shape_member *m = &s->members[i];

		if (shape_is_free(m)) {
			continue;
		}
		const struct json *j = json_get_slice(json, m->name);
		const struct shape_place at = {.up = up, .name = m->name};

		if (j != NULL && j->type != JSON_NULL) {
			shape_judge_value(r, m, j, &at);
		} else if ((m->flags & SHAPE_FIRST) != 0) {
			r->missing = m->name;
		} else if ((m->flags & SHAPE_REQUIRED) != 0) {
			shape_blame(r, m, &at, NULL);
			buf_str(&r->faults, "Member must not be null");
		}
	}
}

void
shape_judge(struct codec_reader *r, const struct shape *s, const struct json *json)
{
	shape_judge_members(r, s, json, NULL);
}
