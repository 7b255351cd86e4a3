#include "tests/support/json_same.h"

static bool
is_set(const struct json *j)
{
	return slice_is(j->name, "SS") || slice_is(j->name, "NS") || slice_is(j->name, "BS");
}

static bool
same_sets(const struct json *a, const struct json *b)
{
	json_each (x, a) {
		bool found = false;

		json_each (y, b) {
			found = found || json_same(x, y);
		}
		if (!found) {
			return false;
		}
	}
	return true;
}

static bool
same_arrays(const struct json *a, const struct json *b)
{
	const struct json *y = b->child;

	json_each (x, a) {
		if (!json_same(x, y)) {
			return false;
		}
		y = y->next;
	}
	return true;
}

static const struct json *
member(const struct json *object, struct slice name)
{
	json_each (m, object) {
		if (slice_eq(m->name, name)) {
			return m;
		}
	}
	return NULL;
}

bool
json_holds(const struct json *all, const struct json *some)
{
	json_each (m, some) {
		const struct json *other = member(all, m->name);

		if (other == NULL || !json_same(m, other)) {
			return false;
		}
	}
	return true;
}

static bool
is_any(const struct json *j)
{
	return j->type == JSON_STRING && slice_is(j->text, "<any>");
}

bool
json_same(const struct json *a, const struct json *b)
{
	if (is_any(a) || is_any(b)) {
		return true;
	}
	if (a->type != b->type || a->n != b->n) {
		return false;
	}
	switch (a->type) {
	case JSON_NUMBER:
	case JSON_STRING:
		return slice_eq(a->text, b->text);
	case JSON_ARRAY:
		return is_set(a) ? same_sets(a, b) : same_arrays(a, b);
	case JSON_OBJECT:
		return json_holds(a, b);
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
		break;
	}
	return true;
}
