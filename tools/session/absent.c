/* absent - see absent.h */
#include "tools/session/absent.h"

#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"

#include "tools/session/ctl.h"
#include "tools/text/typed_line.h"

enum {
	ABSENT_SAMPLE = 200, /* items in a sample */
	ABSENT_FAR = 25,     /* items in a sample of a far endpoint, where each read costs */
};

static bool absent_is_in(const struct item *it, struct slice name, struct near *near);

/* Search the maps within a value. */
static bool
absent_is_within(const struct value *v, struct slice name, struct near *near)
{
	bool is = v->type == VALUE_M && absent_is_in(&v->map, name, near);

	for (size_t i = 0; !is && v->type == VALUE_L && i < v->list.n; i++) {
		is = absent_is_within(&v->list.at[i], name, near);
	}
	return is;
}

/* Return true if @name is an attribute of @it, at any depth.  @near collects similar names. */
static bool
absent_is_in(const struct item *it, struct slice name, struct near *near)
{
	for (size_t i = 0; i < it->n; i++) {
		if (slice_eq(it->at[i].name, name) ||
		    absent_is_within(&it->at[i].value, name, near)) {
			return true;
		}
		near_try(near, it->at[i].name);
	}
	return false;
}

int
absent_sample(const struct ctl *ctl, struct call *own, struct slice table, struct page *page)
{
	struct scan_in in = {
		.read = {.table = table,
			 .has_limit = true,
			 .limit = url_is_far(ctl->store) ? ABSENT_FAR : ABSENT_SAMPLE}};
	struct scan_out out = {0};
	int r = engine_scan(ctl->engine, own, &in, &out);

	*page = out.page;
	return r;
}

bool
absent_near(const struct page *sample, struct slice name, struct near *near)
{
	bool is = true;

	*near = near_start(name);
	for (size_t i = 0; is && i < sample->count; i++) {
		is = !absent_is_in(&sample->items[i], name, near);
	}
	return is;
}

bool
absent_is(const struct page *sample, struct slice name)
{
	struct near near;

	return absent_near(sample, name, &near);
}

bool
absent_say(const struct ctl *ctl, const struct page *sample, struct slice name)
{
	struct near near;
	cleanup(buf_release) struct buf b = {0};

	if (!absent_near(sample, name, &near)) {
		return false;
	}
	typed_line_near(&b, &near, "");
	if (sample->count == 1 && sample->last.n == 0) {
		ctl_note(ctl, "the only item has no attribute %.*s%.*s", SLICE_ARG(name),
			 SLICE_ARG(buf_view(&b)));
	} else {
		ctl_note(ctl, "none of the %s%zu items has an attribute %.*s%.*s",
			 sample->last.n > 0 ? "first " : "", sample->count, SLICE_ARG(name),
			 SLICE_ARG(buf_view(&b)));
	}
	return true;
}

/* ------------------------------------------------------------ projections */

struct slice
absent_named(const struct placeholders *ph, struct slice word)
{
	for (size_t i = 0; i < ph->n_names; i++) {
		if (slice_eq(ph->names[i].alias, word)) {
			return ph->names[i].name;
		}
	}
	return word;
}

/* Add a name once: a.b and a.c name the same attribute. */
static void
session_absent_add(struct absent_names *names, struct slice name)
{
	for (size_t i = 0; i < names->n; i++) {
		if (slice_eq(names->at[i], name)) {
			return;
		}
	}
	names->at[names->n++] = name;
}

static struct slice
absent_needle(struct call *c, struct slice name)
{
	struct buf b = {.arena = &c->arena};

	json_put_string(&b, name);
	buf_char(&b, ':');
	return buf_view(&b);
}

struct absent_names
absent_names_of(struct call *c, struct slice projection, const struct placeholders *ph)
{
	struct absent_names names = {0};

	names.at = arena_new(&c->arena, struct slice, projection.len + 1);
	names.seen = arena_new(&c->arena, bool, projection.len + 1);
	while (projection.len > 0) {
		struct slice path = ascii_trim(slice_take(&projection, ','));
		size_t n = 0;

		while (n < path.len && path.at[n] != '.' && path.at[n] != '[') {
			n++;
		}
		session_absent_add(&names, absent_named(ph, slice_of(path.at, n)));
	}
	names.left = names.n;
	names.needles = arena_new(&c->arena, struct slice, names.n + 1);
	for (size_t i = 0; i < names.n; i++) {
		names.needles[i] = absent_needle(c, names.at[i]);
	}
	return names;
}

static bool
absent_needle_is_in(struct slice needle, struct slice lines)
{
	return lines.len > 0 && memmem(lines.at, lines.len, needle.at, needle.len) != NULL;
}

void
absent_names_look(struct absent_names *names, const struct item *it, struct slice lines,
		  size_t items)
{
	assert(names->left <= names->n);
	if (names->left == 0) {
		return;
	}
	for (size_t i = 0; i < names->n && names->left > 0; i++) {
		bool has = it != NULL ? item_get(it, names->at[i]) != NULL
				      : absent_needle_is_in(names->needles[i], lines);

		names->left -= has && !names->seen[i];
		names->seen[i] = names->seen[i] || has;
	}
	/* An attribute that most items have is among the first ones. */
	names->looked += items;
	names->left = names->looked < ABSENT_LOOKS ? names->left : 0;
}

struct slice
absent_names_first(const struct absent_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!names->seen[i]) {
			return names->at[i];
		}
	}
	return (struct slice){0};
}
