/*
 * json - parses a whole document to a tree in the call's arena
 *
 * yajl parses the grammar.  Before that, passes over the text refuse input that
 * yajl accepts: bytes that are not UTF-8 (yajl takes overlong forms,
 * surrogates and code points above 10FFFF), blanks that JSON does not have, and
 * half surrogate pairs in escapes (yajl turns them into '?').  Depth and duplicate
 * names are checked while the tree is built.  The text after the root is checked when
 * the root is complete (yajl overlooks an unfinished string there).
 *
 * yajl allocates from the arena, too, so there is nothing to free on any path.
 */
#include "store/base/text/json.h"

#include <assert.h>
#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "store/base/core/ascii.h"
#include "store/base/core/utf8.h"
#include "store/base/text/json_int.h"

enum {
	FEW_MEMBERS = 16, /* up to this number, names are compared pairwise; more are sorted */
	ESCAPE_BYTES = 6, /* \u and four digits */
	NAME_SHOWN = 64,  /* bytes of a name in a message */
};

/* An open container. */
struct level {
	struct json *node;
	struct json *last; /* its newest child */
};

struct parser {
	struct call *c;
	struct slice text;
	int flags;
	yajl_handle yajl;
	struct slice name; /* of the member whose value comes next */
	const struct json *root;
	size_t end;         /* offset after the root, once it is complete */
	struct slice again; /* the duplicate name that made us stop yajl */
	bool spent;         /* the call had exceeded its budget before we began */
	size_t depth;
	struct level *level; /* JSON_DEPTH_MAX of them */
};

/* Header of a block that yajl allocates from the arena: realloc has to know the old size. */
union block {
	size_t bytes;
	max_align_t align;
};

static void *
block_alloc(void *ctx, size_t bytes)
{
	union block *b = arena_alloc(ctx, 1, _Alignof(union block), sizeof(*b) + bytes);

	b->bytes = bytes;
	return b + 1;
}

static void *
block_realloc(void *ctx, void *old, size_t bytes)
{
	void *larger = block_alloc(ctx, bytes);

	if (old != NULL) {
		size_t had = ((union block *)old - 1)->bytes;

		memcpy(larger, old, had < bytes ? had : bytes);
	}
	return larger;
}

static void
block_free(void *ctx, void *old)
{
	(void)ctx;
	(void)old;
}

static bool
in_text(const struct parser *p, const char *at)
{
	return at >= p->text.at && at < p->text.at + p->text.len;
}

/* Returns a string that yajl hands out. It is in the text, or in a buffer that yajl reuses: then it is copied. */
static struct slice
json_keep(struct parser *p, const char *at, size_t len)
{
	if (in_text(p, at)) {
		return slice_of(at, len);
	}
	return slice_copy(&p->c->arena, slice_of(at, len));
}

static struct json *
json_add(struct parser *p, enum json_type type)
{
	struct json *v = arena_new(&p->c->arena, struct json, 1);

	v->type = type;
	if (p->depth == 0) {
		p->root = v;
		p->end = yajl_get_bytes_consumed(p->yajl);
		return v;
	}
	struct level *l = &p->level[p->depth - 1];

	if (l->last == NULL) {
		l->node->child = v;
	} else {
		l->last->next = v;
	}
	l->last = v;
	l->node->n++;
	if (l->node->type == JSON_OBJECT) {
		v->name = p->name;
	}
	return v;
}

/* The tree of many tiny values takes a multiple of the text's size: stop when the call's budget is exceeded. */
static int
go_on(const struct parser *p)
{
	return p->spent || !arena_over(&p->c->arena);
}

static int
on_null(void *ctx)
{
	(void)json_add(ctx, JSON_NULL);
	return go_on(ctx);
}

static int
on_bool(void *ctx, int truth)
{
	(void)json_add(ctx, truth ? JSON_TRUE : JSON_FALSE);
	return go_on(ctx);
}

static int
on_number(void *ctx, const char *at, size_t len)
{
	json_add(ctx, JSON_NUMBER)->text = json_keep(ctx, at, len);
	return go_on(ctx);
}

static int
on_string(void *ctx, const unsigned char *at, size_t len)
{
	json_add(ctx, JSON_STRING)->text = json_keep(ctx, (const char *)at, len);
	return go_on(ctx);
}

static int
on_name(void *ctx, const unsigned char *at, size_t len)
{
	struct parser *p = ctx;

	p->name = json_keep(p, (const char *)at, len);
	return 1;
}

static int
open_level(struct parser *p, enum json_type type)
{
	struct json *v = json_add(p, type);

	if (p->depth == JSON_DEPTH_MAX) {
		return 0;
	}
	p->level[p->depth++] = (struct level){.node = v};
	return go_on(p);
}

static int
on_open_object(void *ctx)
{
	return open_level(ctx, JSON_OBJECT);
}

static int
on_open_array(void *ctx)
{
	return open_level(ctx, JSON_ARRAY);
}

static void
close_level(struct parser *p)
{
	p->depth--;
	if (p->depth == 0) {
		p->end = yajl_get_bytes_consumed(p->yajl);
	}
}

static int
on_close_array(void *ctx)
{
	close_level(ctx);
	return 1;
}

/* A member and its position in the object. */
struct place {
	struct json *member;
	size_t at;
};

static int
place_cmp(const void *a, const void *b)
{
	const struct place *x = a;
	const struct place *y = b;
	int r = slice_cmp(x->member->name, y->member->name);

	return r != 0 ? r : (x->at > y->at) - (x->at < y->at);
}

/* Returns a member with the name of an earlier one, or NULL. Compares pairwise: for few members. */
static const struct json *
few_duplicate(const struct json *object)
{
	for (const struct json *m = object->child; m != NULL; m = m->next) {
		for (const struct json *later = m->next; later != NULL; later = later->next) {
			if (slice_eq(m->name, later->name)) {
				return later;
			}
		}
	}
	return NULL;
}

/* Keeps only the last member of each name. Returns the first member that replaces another, or NULL. */
static const struct json *
drop_duplicates(struct parser *p, struct json *object)
{
	struct place *place = arena_new(&p->c->arena, struct place, object->n);
	bool *drop = arena_new(&p->c->arena, bool, object->n);
	size_t first = object->n; /* position of the first member that replaces another */
	const struct json *again = NULL;
	size_t n = 0;

	for (const struct json *m = object->child; m != NULL; m = m->next) {
		/* The parser may modify the tree; it is const for its users only. */
		place[n] = (struct place){(struct json *)m, n};
		n++;
	}
	qsort(place, n, sizeof(*place), place_cmp);
	for (size_t i = 1; i < n; i++) {
		if (slice_eq(place[i - 1].member->name, place[i].member->name)) {
			drop[place[i - 1].at] = true;
			again = place[i].at < first ? place[i].member : again;
			first = place[i].at < first ? place[i].at : first;
		}
	}
	if (again == NULL) {
		return NULL;
	}
	struct json *last = NULL;
	struct json *next = (struct json *)object->child;

	object->child = NULL;
	object->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct json *m = next;

		next = (struct json *)m->next;
		if (drop[i]) {
			continue;
		}
		m->next = NULL;
		if (last == NULL) {
			object->child = m;
		} else {
			last->next = m;
		}
		last = m;
		object->n++;
	}
	return again;
}

static int
on_close_object(void *ctx)
{
	struct parser *p = ctx;
	struct json *object = p->level[p->depth - 1].node;

	close_level(p);
	if (object->n <= FEW_MEMBERS && few_duplicate(object) == NULL) {
		return 1;
	}
	const struct json *again = drop_duplicates(p, object);

	if (again != NULL && (p->flags & JSON_LAST_WINS) == 0) {
		p->again = again->name;
		return 0;
	}
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_bool,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_open_object,
	.yajl_map_key = on_name,
	.yajl_end_map = on_close_object,
	.yajl_start_array = on_open_array,
	.yajl_end_array = on_close_array,
};

/* Returns the code unit of the \u escape at @at; -1 if there is none, or a malformed one (yajl reports that). */
static int
escaped_unit(struct slice text, size_t at)
{
	int unit = 0;

	if (text.len - at < ESCAPE_BYTES || text.at[at] != '\\' || text.at[at + 1] != 'u') {
		return -1;
	}
	for (size_t i = 2; i < ESCAPE_BYTES; i++) {
		char ch = text.at[at + i];

		if (ascii_digit(ch)) {
			unit = unit * 16 + ch - '0';
		} else if ((ch | 0x20) >= 'a' && (ch | 0x20) <= 'f') {
			unit = unit * 16 + (ch | 0x20) - 'a' + 10;
		} else {
			return -1;
		}
	}
	return unit;
}

/*
 * Returns true if an escape is half of a surrogate pair.  Backslashes are legal in strings
 * only, so there is no need to find the strings.
 */
static bool
has_half_pair(struct slice text)
{
	size_t at = 0;

	while (at < text.len) {
		const char *slash = memchr(text.at + at, '\\', text.len - at);

		if (slash == NULL) {
			return false;
		}
		at = (size_t)(slash - text.at);
		int unit = escaped_unit(text, at);

		if (unit < 0xd800 || unit > 0xdfff) {
			at += 2;
			continue;
		}
		at += ESCAPE_BYTES;
		int low = unit > 0xdbff ? -1 : escaped_unit(text, at);

		if (low < 0xdc00 || low > 0xdfff) {
			return true;
		}
		at += ESCAPE_BYTES;
	}
	return false;
}

/* Fails at the duplicate name or, if it has escapes and so was copied, after its object. */
static int
fail_duplicate(struct parser *p)
{
	size_t at = yajl_get_bytes_consumed(p->yajl);
	struct buf why;

	if (in_text(p, p->again.at)) {
		at = (size_t)(p->again.at - p->text.at) - 1;
	}
	buf_init(&why, &p->c->arena);
	buf_str(&why, "duplicate name ");
	json_put_string(&why, utf8_cut(p->again, NAME_SHOWN));
	buf_char(&why, '\0');
	return json_fail_at(p->c, p->text, at, why.at);
}

/* yajl skips vertical tabs and form feeds as blanks. JSON has neither, not even in strings. */
static bool
has_odd_blank(struct slice text)
{
	return text.len > 0 && (slice_chr(text, '\v') != NULL || slice_chr(text, '\f') != NULL);
}

int
json_parse(struct call *c, struct slice text, int flags, const struct json **out)
{
	struct level level[JSON_DEPTH_MAX]; /* not zeroed: open_level() does that */
	struct parser p = {.c = c,
			   .text = text,
			   .flags = flags,
			   .spent = arena_over(&c->arena),
			   .level = level};
	yajl_alloc_funcs memory = {block_alloc, block_realloc, block_free, &c->arena};

	if (!utf8_valid(text) || has_odd_blank(text) || has_half_pair(text)) {
		return json_fail(c, text);
	}
	p.yajl = yajl_alloc(&callbacks, &memory, &p);
	(void)yajl_config(p.yajl, yajl_dont_validate_strings, 1);

	yajl_status s = yajl_parse(p.yajl, (const unsigned char *)text.at, text.len);

	if (s == yajl_status_ok) {
		if (p.root != NULL && p.depth == 0 && ascii_trim(slice_skip(text, p.end)).len > 0) {
			return json_fail(c, text);
		}
		s = yajl_complete_parse(p.yajl);
	}
	if (s == yajl_status_client_canceled && !go_on(&p)) {
		return c->arena.starved ? call_fail_over(c, "JSON")
					: call_fail(c, ERR_SERIALIZATION,
						    "JSON that needs more than %zu bytes of memory",
						    c->arena.budget);
	}
	if (s != yajl_status_ok) {
		return p.again.at != NULL ? fail_duplicate(&p) : json_fail(c, text);
	}
	assert(p.root != NULL && p.depth == 0);
	*out = p.root;
	return 0;
}

const struct json *
json_get(const struct json *obj, const char *name)
{
	return json_get_slice(obj, slice_from(name));
}

const struct json *
json_get_slice(const struct json *obj, struct slice name)
{
	if (obj == NULL || obj->type != JSON_OBJECT) {
		return NULL;
	}
	json_each (m, obj) {
		if (slice_eq(m->name, name)) {
			return m;
		}
	}
	return NULL;
}
