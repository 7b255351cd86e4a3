/* throttled - see throttled.h */
#include "store/base/core/throttled.h"

#include <assert.h>

#include "store/base/core/escape.h"

/* Limits of the printed line. The longest word of the service has 34 characters, the longest ARN under 700. */
enum { REASONS_SHOWN = 3, REASON_SHOWN = 64, RESOURCE_SHOWN = 700 };

static bool
throttled_has(const struct throttled *t, struct throttled_why why)
{
	for (size_t i = 0; i < t->n; i++) {
		if (slice_eq(t->at[i].reason, why.reason) &&
		    slice_eq(t->at[i].resource, why.resource)) {
			return true;
		}
	}
	return false;
}

void
throttled_add(struct arena *a, struct throttled *t, struct throttled_why why)
{
	assert(t->n <= THROTTLED_MAX);
	if (t->n == THROTTLED_MAX || throttled_has(t, why)) {
		return;
	}
	struct throttled_why *at = arena_room_of(a, t->at, sizeof(*t->at), t->n, &t->cap);

	at[t->n++] = why;
	t->at = at;
}

void
throttled_add_all(struct arena *a, struct throttled *t, const struct throttled *more)
{
	for (size_t i = 0; i < more->n; i++) {
		throttled_add(a, t, more->at[i]);
	}
}

struct throttled
throttled_copy(struct arena *a, const struct throttled *t)
{
	struct throttled copy = {0};

	for (size_t i = 0; i < t->n; i++) {
		throttled_add(a, &copy,
			      (struct throttled_why){slice_copy(a, t->at[i].reason),
						     slice_copy(a, t->at[i].resource)});
	}
	return copy;
}

static void
throttled_put_part(struct buf *out, struct slice text, size_t most)
{
	if (escape_put(out, text, most)) {
		buf_str(out, "...");
	}
}

void
throttled_put(struct buf *out, const struct throttled *t)
{
	for (size_t i = 0; i < t->n && i < REASONS_SHOWN; i++) {
		buf_str(out, i == 0 ? " (" : ", ");
		throttled_put_part(out, t->at[i].reason, REASON_SHOWN);
		if (t->at[i].resource.len > 0) {
			buf_str(out, ": ");
			throttled_put_part(out, t->at[i].resource, RESOURCE_SHOWN);
		}
	}
	if (t->n > REASONS_SHOWN) {
		buf_fmt(out, " and %zu more", t->n - REASONS_SHOWN);
	}
	buf_str(out, t->n > 0 ? ")" : "");
}
