/*
 * json - a whole document becomes a tree in the call's arena
 *
 * yajl reads the grammar.  Before it starts, one pass over the text refuses
 * what yajl lets through: bytes that are not UTF-8 (yajl takes overlong forms,
 * surrogates and code points above 10FFFF) and halves of surrogate pairs in
 * escapes (yajl makes them '?').  Depth and duplicate names are checked while
 * the tree grows.  yajl's own memory comes from the arena, so there is nothing
 * to give back, whatever happens.
 */
#include "store/base/json.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "store/base/utf8.h"

enum {
	FEW_MEMBERS = 16, /* so many names are compared each with each; more are sorted */
	ESCAPE_BYTES = 6, /* \u and four digits */
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
	const char *why;    /* why we stopped yajl; NULL: yajl knows */
	struct slice about; /* the duplicate name */
	size_t depth;
	struct level level[JSON_DEPTH_MAX];
};

/* yajl never looks at what realloc left behind, so arena memory does; the size stands in front. */
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
	void *new = block_alloc(ctx, bytes);

	if (old != NULL) {
		size_t had = ((union block *)old - 1)->bytes;

		memcpy(new, old, had < bytes ? had : bytes);
	}
	return new;
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

/* Bytes of a string that yajl hands out: in the text, or in a buffer that it uses again. */
static struct slice
keep(struct parser *p, const char *at, size_t len)
{
	if (in_text(p, at)) {
		return slice_of(at, len);
	}
	return slice_copy(&p->c->arena, slice_of(at, len));
}

static struct json *
add(struct parser *p, enum json_type type)
{
	struct json *v = arena_new(&p->c->arena, struct json, 1);

	v->type = type;
	if (p->depth == 0) {
		p->root = v;
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

static int
on_null(void *ctx)
{
	(void)add(ctx, JSON_NULL);
	return 1;
}

static int
on_bool(void *ctx, int truth)
{
	(void)add(ctx, truth ? JSON_TRUE : JSON_FALSE);
	return 1;
}

static int
on_number(void *ctx, const char *at, size_t len)
{
	add(ctx, JSON_NUMBER)->text = keep(ctx, at, len);
	return 1;
}

static int
on_string(void *ctx, const unsigned char *at, size_t len)
{
	add(ctx, JSON_STRING)->text = keep(ctx, (const char *)at, len);
	return 1;
}

static int
on_name(void *ctx, const unsigned char *at, size_t len)
{
	struct parser *p = ctx;

	p->name = keep(p, (const char *)at, len);
	return 1;
}

static int
open_level(struct parser *p, enum json_type type)
{
	struct json *v = add(p, type);

	if (p->depth == JSON_DEPTH_MAX) {
		p->why = "nested too deeply";
		return 0;
	}
	p->level[p->depth++] = (struct level){.node = v};
	return 1;
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

static int
on_close_array(void *ctx)
{
	struct parser *p = ctx;

	p->depth--;
	return 1;
}

/* A member and where it stands in its object. */
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

/* The first name that comes a second time in few members, or NULL. */
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

/* Of each name keep the last member; returns one that replaced another, or NULL. */
static const struct json *
drop_duplicates(struct parser *p, struct json *object)
{
	struct place *place = arena_new(&p->c->arena, struct place, object->n);
	bool *drop = arena_new(&p->c->arena, bool, object->n);
	const struct json *again = NULL;
	size_t n = 0;

	for (const struct json *m = object->child; m != NULL; m = m->next) {
		/* The tree is still ours: it is const only for those who read it. */
		place[n] = (struct place){(struct json *)m, n};
		n++;
	}
	qsort(place, n, sizeof(*place), place_cmp);
	for (size_t i = 1; i < n; i++) {
		if (slice_eq(place[i - 1].member->name, place[i].member->name)) {
			drop[place[i - 1].at] = true;
			again = place[i].member;
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
	struct json *object = p->level[--p->depth].node;

	if (object->n <= FEW_MEMBERS && few_duplicate(object) == NULL) {
		return 1;
	}
	const struct json *again = drop_duplicates(p, object);

	if (again != NULL && (p->flags & JSON_LAST_WINS) == 0) {
		p->why = "duplicate name";
		p->about = again->name;
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

/* The code unit of the escape at @at, or -1 when there is none; a malformed one is left to yajl. */
static int
escaped_unit(struct slice text, size_t at)
{
	int unit = 0;

	if (text.len - at < ESCAPE_BYTES || text.at[at] != '\\' || text.at[at + 1] != 'u') {
		return -1;
	}
	for (size_t i = 2; i < ESCAPE_BYTES; i++) {
		char ch = text.at[at + i];

		if (ch >= '0' && ch <= '9') {
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
 * Offset of the first escape that is half a surrogate pair, or the length.
 * Backslashes are legal in strings only, so no need to know where strings are.
 */
static size_t
surrogate_fault(struct slice text)
{
	size_t at = 0;

	while (at < text.len) {
		const char *slash = memchr(text.at + at, '\\', text.len - at);

		if (slash == NULL) {
			break;
		}
		at = (size_t)(slash - text.at);
		int unit = escaped_unit(text, at);

		if (unit < 0xd800 || unit > 0xdfff) {
			at += 2;
			continue;
		}
		int low = unit > 0xdbff ? -1 : escaped_unit(text, at + ESCAPE_BYTES);

		if (low < 0xdc00 || low > 0xdfff) {
			return at;
		}
		at += 2 * (size_t)ESCAPE_BYTES;
	}
	return text.len;
}

static int
fail_at(struct call *c, struct slice text, size_t offset, const char *why, struct slice about)
{
	size_t line = 1;
	size_t column = 1;

	for (size_t i = 0; i < offset && i < text.len; i++) {
		if (text.at[i] == '\n') {
			line++;
			column = 1;
		} else {
			column += ((unsigned char)text.at[i] & 0xc0) != 0x80;
		}
	}
	const char *quote = about.at == NULL ? "" : "\"";

	return call_fail(c, ERR_SERIALIZATION, "not JSON: line %zu, column %zu: %s%s%s%.*s%s", line,
			 column, why, about.at == NULL ? "" : " ", quote, SLICE_ARG(about), quote);
}

/* yajl's word for it, without the kind of error in front and the newline behind. */
static int
yajl_fault(struct parser *p)
{
	size_t at = yajl_get_bytes_consumed(p->yajl);

	if (p->why != NULL) {
		/* yajl stands behind the bracket; a name without escapes tells its own place. */
		at = in_text(p, p->about.at) ? (size_t)(p->about.at - p->text.at) - 1 : at - 1;
		return fail_at(p->c, p->text, at, p->why, p->about);
	}
	unsigned char *words = yajl_get_error(p->yajl, 0, NULL, 0);
	struct slice why = slice_from((const char *)words);
	const char *colon = strstr(why.at, ": ");

	if (colon != NULL) {
		why = slice_skip(why, (size_t)(colon + 2 - why.at));
	}
	if (slice_ends(why, SLICE("\n"))) {
		why.len--;
	}
	return fail_at(p->c, p->text, at, slice_cstr(&p->c->arena, why), (struct slice){0});
}

int
json_parse(struct call *c, struct slice text, int flags, const struct json **out)
{
	struct parser p = {.c = c, .text = text, .flags = flags};
	yajl_alloc_funcs memory = {block_alloc, block_realloc, block_free, &c->arena};
	size_t fault = utf8_fault(text);

	if (fault < text.len) {
		return fail_at(c, text, fault, "not UTF-8", (struct slice){0});
	}
	fault = surrogate_fault(text);
	if (fault < text.len) {
		return fail_at(c, text, fault, "half a surrogate pair", (struct slice){0});
	}
	p.yajl = yajl_alloc(&callbacks, &memory, &p);
	(void)yajl_config(p.yajl, yajl_dont_validate_strings, 1);

	yajl_status s = yajl_parse(p.yajl, (const unsigned char *)text.at, text.len);

	if (s == yajl_status_ok) {
		s = yajl_complete_parse(p.yajl);
	}
	if (s != yajl_status_ok) {
		return yajl_fault(&p);
	}
	*out = p.root;
	return 0;
}

const struct json *
json_get(const struct json *obj, const char *name)
{
	struct slice want = slice_from(name);

	if (obj == NULL || obj->type != JSON_OBJECT) {
		return NULL;
	}
	json_each (m, obj) {
		if (slice_eq(m->name, want)) {
			return m;
		}
	}
	return NULL;
}
