/*
 * shape_judge - checks the constraints of a request's members
 *
 * Records all violated constraints, in the order of the rows, each with the full path of its member:
 * "transactItems.2.member.update.tableName".  If the service's current layer reports fewer of them, the request is
 * judged again: see enum shape_layer.
 */
#include <ctype.h>

#include "store/base/text/json.h"
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/op/validate.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/shape.h"

enum { SHAPE_DEEP = 128 };

/* The path of a member: a chain on the stack, from the member outwards. */
struct shape_place {
	const struct shape_place *up; /* NULL: the body */
	struct slice name;            /* of the member, or the key of an entry */
	size_t number;                /* of the element of a list, from 1; 0: not in a list */
	bool entry;                   /* an entry of a map: the user chose the name */
};

/* Append a path.  The older form begins each name with a small letter, the newer one does not. */
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

/* Count a fault, and separate it from the one before. */
static void
shape_begin(struct codec_reader *r)
{
	if (r->n_faults == 1) {
		r->one_fault = r->faults.len;
	}
	if (r->n_faults == FAULTS_MAX) {
		r->all_faults = r->faults.len;
	}
	buf_str(&r->faults, r->n_faults++ == 0 ? "" : "; ");
}

/* Begin a fault: "Value 'VALUE' at 'path' failed to satisfy constraint: "; @value: NULL for null */
static void
shape_blame_form(struct codec_reader *r, bool newer, const struct shape_place *at,
		 const struct slice *value)
{
	struct buf *b = &r->faults;

	shape_begin(r);
	buf_str(b, "Value ");
	if (value == NULL) {
		buf_str(b, "null ");
	} else if (!newer) {
		buf_fmt(b, "'%.*s' ", SLICE_ARG(*value));
	}
	buf_str(b, "at '");
	shape_put_path(b, at, newer);
	buf_str(b, "' failed to satisfy constraint: ");
}

static void
shape_blame(struct codec_reader *r, const struct shape_member *m, const struct shape_place *at,
	    const struct slice *value)
{
	shape_blame_form(r, (m->flags & SHAPE_NEWER) != 0 && value != NULL, at, value);
}

/* Format a value for a fault. */
static struct slice
shape_print(struct codec_reader *r, const struct shape_member *m, const struct json *j)
{
	return j->type == JSON_ARRAY || j->type == JSON_OBJECT ? shape_dump(r, m, j) : j->text;
}

/*
 * Return whether a name matches its pattern.  An empty name does not match; but if the least length is 1, the service
 * reports only the length.
 */
static bool
shape_name_fits(const struct shape_rule *rule, struct slice name)
{
	return name.len == 0 ? rule->min == 1 : schema_name_characters(name);
}

/* Judge a string, list or map.  An ARN in place of a name is checked elsewhere. */
static void
shape_judge_length(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		   const struct shape_place *at)
{
	const struct shape_rule *rule = m->rule;
	size_t n = j->type == JSON_STRING ? j->text.len : j->n;
	uint32_t max = r->own != NULL && rule->most_of_own != 0 ? rule->most_of_own : rule->max;
	bool in_range = n >= rule->min && (max == 0 || n <= max);

	if ((rule->name && arn_is(j->text)) || (in_range && !rule->name && rule->pattern == NULL)) {
		return;
	}
	struct slice value = shape_print(r, m, j);

	if (rule->name && !shape_name_fits(rule, value)) {
		shape_blame(r, m, at, &value);
		buf_str(&r->faults,
			"Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
	}
	if (rule->pattern != NULL && !rule->pattern->fits(value)) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must satisfy regular expression pattern: %s",
			rule->pattern->text);
	}
	if (max > 0 && n > max) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have length less than or equal to %u", max);
	}
	if (n < rule->min) {
		shape_blame(r, m, at, &value);
		buf_fmt(&r->faults, "Member must have length greater than or equal to %u",
			rule->min);
	}
}

static void
shape_blame_entries(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    const struct shape_place *at)
{
	struct json_writer w;
	struct buf b;
	struct slice value;

	if (m->rule->filled) {
		value = shape_dump(r, m, j);
	} else {
		buf_init(&b, &r->c->arena);
		json_writer_init(&w, &b, 0);
		json_value(&w, j);
		value = buf_view(&b);
	}
	shape_blame_form(r, false, at, &value);
}

/* Judge the keys of a map by table name, and its lists. */
static void
shape_judge_entries(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    const struct shape_place *at)
{
	bool name = false;
	bool empty = false;

	json_each (child, j) {
		name = name || !(arn_is(child->name) || validate_name(child->name));
		empty = empty || (m->rule->filled && child->type == JSON_ARRAY && child->n == 0);
	}
	if (name) {
		shape_blame_entries(r, m, j, at);
		buf_str(&r->faults,
			"Map keys must satisfy constraint: [Member must have length less than or "
			"equal to 255, Member must have length greater than or equal to 3, Member "
			"must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]");
	}
	if (empty) {
		shape_blame_entries(r, m, j, at);
		buf_str(&r->faults,
			"Map value must satisfy constraint: [Member must have length less than or "
			"equal to 25, Member must have length greater than or equal to 1]");
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
		return; /* does not happen: shape_read() has converted the same text */
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
	if (r->current && m->words->newer != NULL) {
		shape_begin(r);
		buf_str(&r->faults, m->words->newer);
		return;
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

/* Judge a value; @j is not null, and of the right type. */
static void
shape_judge_value(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		  const struct shape_place *at)
{
	if (m->words != NULL && m->words->wrong == NULL && (m->flags & SHAPE_ANY_WORD) == 0) {
		shape_judge_word(r, m, j, at);
	} else if (m->rule != NULL && (m->kind == SHAPE_INTEGER || m->kind == SHAPE_LONG)) {
		shape_judge_number(r, m, j, at);
	} else if (m->rule != NULL) {
		shape_judge_length(r, m, j, at);
		if (m->rule->tables) {
			shape_judge_entries(r, m, j, at);
		}
	}
	if (m->kind == SHAPE_STRUCT) {
		shape_judge_members(r, m->of, j, at);
	} else if (m->kind == SHAPE_LIST || m->kind == SHAPE_MAP) {
		shape_judge_elements(r, m, j, at);
	}
}

/* Return whether a member may be absent and have any value.  That applies to most, and avoids looking them up. */
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
shape_judge_member(struct codec_reader *r, const struct shape_member *m, const struct json *json,
		   const struct shape_place *up)
{
	if (shape_is_free(m)) {
		return;
	}
	const struct json *j = json_get_slice(json, m->name);
	const struct shape_place at = {.up = up, .name = m->name};
	unsigned before = r->n_faults;
	size_t len = r->faults.len;
	unsigned absent = r->n_absent;

	if (!codec_is_null(j)) {
		shape_judge_value(r, m, j, &at);
	} else if ((m->flags & SHAPE_FIRST) != 0) {
		r->missing = m->name;
	} else if ((m->flags & SHAPE_REQUIRED) != 0) {
		shape_blame(r, m, &at, NULL);
		buf_str(&r->faults, "Member must not be null");
		r->n_absent++;
	}
	if ((m->flags & SHAPE_LAST) != 0 && before > 0 && r->n_absent == absent) {
		r->n_faults = before;
		r->faults.len = len;
	}
}

static void
shape_judge_members(struct codec_reader *r, const struct shape *s, const struct json *json,
		    const struct shape_place *up)
{
	for (size_t i = 0; i < s->n; i++) {
		shape_judge_member(r, &s->members[i], json, up);
	}
}

/* ------------------------------------------------------------ the current layer */

/* Return whether the current layer judges a member before the others: the table's name, and words with a newer form. */
static bool
shape_is_early(const struct shape *s, const struct shape_member *m)
{
	bool newer = s->layer == SHAPE_CURRENT && m->words != NULL && m->words->newer != NULL;

	return newer || (m->rule != NULL && m->rule->name);
}

/* Judge either the early or the other members again, up to the first fault. */
static void
shape_judge_first(struct codec_reader *r, const struct shape *s, const struct json *json,
		  bool early)
{
	for (size_t i = 0; i < s->n && r->n_faults == 0; i++) {
		const struct shape_member *m = &s->members[i];

		if (shape_is_early(s, m) == early) {
			shape_judge_member(r, m, json, NULL);
		}
	}
	if (r->n_faults > 1) {
		assert(r->one_fault > 0 && r->one_fault <= r->faults.len);
		r->n_faults = 1;
		r->faults.len = r->one_fault;
	}
}

static bool
shape_joins(const struct shape *s)
{
	return s->layer == SHAPE_CURRENT_JOINS || s->layer == SHAPE_CURRENT_JOINS_ALL;
}

static void
shape_forget_faults(struct codec_reader *r, bool current)
{
	r->current = current;
	r->n_faults = 0;
	buf_clear(&r->faults);
}

static void
shape_judge_again(struct codec_reader *r, const struct shape *s, const struct json *json)
{
	shape_forget_faults(r, true);
	shape_judge_first(r, s, json, true);
	if (r->n_faults > 0 && s->layer == SHAPE_CURRENT_JOINS_ALL) {
		shape_forget_faults(r, false);
		shape_judge_members(r, s, json, NULL);
	} else if (r->n_faults == 0 && shape_joins(s)) {
		shape_judge_members(r, s, json, NULL);
	} else if (r->n_faults == 0) {
		shape_judge_first(r, s, json, false);
	}
}

/* Judge again only words with a newer form, up to the first fault.  Return whether there is one. */
static bool
shape_judge_words(struct codec_reader *r, const struct shape *s, const struct json *json)
{
	shape_forget_faults(r, true);
	for (size_t i = 0; i < s->n && r->n_faults == 0; i++) {
		const struct shape_member *m = &s->members[i];

		if (m->words != NULL && m->words->newer != NULL) {
			shape_judge_member(r, m, json, NULL);
		}
	}
	return r->n_faults > 0;
}

/*
 * Return whether JSON nests deeper than @levels.  With SHAPE_DEEP that is about 62 levels of attribute values, each of
 * which is up to two levels of JSON.  For such a body the service's current layer answers like the older one.
 */
static bool
shape_is_deep(const struct json *json, int levels)
{
	if (levels == 0) {
		return json->child != NULL;
	}
	json_each (child, json) {
		if (shape_is_deep(child, levels - 1)) {
			return true;
		}
	}
	return false;
}

void
shape_judge(struct codec_reader *r, const struct shape *s, const struct json *json)
{
	assert(r->in == NULL && r->n_faults == 0);
	shape_judge_members(r, s, json, NULL);
	if (r->n_faults == 0 && r->deferred.code == 0) {
		return;
	}
	bool current = s->layer == SHAPE_CURRENT || shape_joins(s);

	r->deep = current && shape_is_deep(json, SHAPE_DEEP);
	if (r->n_faults > 0 && current && r->n_absent == 0 && !r->deep) {
		shape_judge_again(r, s, json);
	} else if (r->n_faults > 0 && s->layer == SHAPE_OLDER_WORDS) {
		r->bare = shape_judge_words(r, s, json);
		if (!r->bare) {
			shape_forget_faults(r, false);
			shape_judge_members(r, s, json, NULL);
		}
	}
}
