#include "store/base/core/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/core/mem.h"
#include "store/base/core/sanitized.h"

/*
 * A small request needs only one small chunk.  Later chunks are larger, but stay
 * below the 64 KiB at which glibc's free() walks all of its lists.
 */
enum {
	CHUNK_SMALL = 512 - 64, /* of arena_init_small() */
	CHUNK_FIRST = 4 * 1024 - 64,
	CHUNK_GROWTH = 4,
	CHUNK_MOST = 64 * 1024 - 64,
};

/* First capacity of a growing array, in objects. */
enum { ROOM_FIRST = 4 };

/* 1: one malloc() for each object, so that sanitizers check its bounds and its lifetime. */
enum { CHUNK_EACH = SANITIZED };

struct arena_chunk {
	struct arena_chunk *next;
	size_t cap;
	size_t used;
	bool lent; /* by arena_lend(): not freed */
	_Alignas(max_align_t) unsigned char bytes[];
};

/* Lies in the arena itself. */
struct arena_hold {
	struct arena_hold *next;
	void (*release)(void *what);
	void *what;
};

static struct arena_chunk *
chunk_new(size_t cap)
{
	struct arena_chunk *c = mem_resized(NULL, 1, sizeof(*c) + cap);

	c->cap = cap;
	c->used = 0;
	c->lent = false;
	return c;
}

static void
chunk_free(struct arena_chunk *c)
{
	if (!c->lent) {
		free(c);
	}
}

static void
chunks_free(struct arena_chunk *c)
{
	for (struct arena_chunk *next; c != NULL; c = next) {
		next = c->next;
		chunk_free(c);
	}
}

void
arena_init(struct arena *a, size_t budget)
{
	*a = (struct arena){.budget = budget};
}

void
arena_init_small(struct arena *a)
{
	*a = (struct arena){.budget = SIZE_MAX, .small = true};
}

void
arena_lend(struct arena *a, struct arena_loan *memory)
{
	struct arena_chunk *c = (struct arena_chunk *)memory;

	_Static_assert(sizeof(*memory) == sizeof(*c) + CHUNK_FIRST, "as large as the first chunk");
	assert(a->chunk == NULL && a->spare == NULL);
	if (!CHUNK_EACH) {
		*c = (struct arena_chunk){.cap = CHUNK_FIRST, .lent = true};
		a->spare = c;
	}
}

/* Releases all holds that are newer than @oldest. */
static void
release_held(struct arena *a, struct arena_hold *oldest)
{
	while (a->held != oldest) {
		struct arena_hold *newest = a->held;

		a->held = newest->next;
		newest->release(newest->what);
	}
}

void
arena_drop(struct arena *a)
{
	release_held(a, NULL);
	chunks_free(a->chunk);
	chunks_free(a->spare);
	arena_init(a, a->budget);
}

struct arena_mark
arena_mark(const struct arena *a)
{
	return (struct arena_mark){
		.chunk = a->chunk,
		.held = a->held,
		.chunk_used = a->chunk == NULL ? 0 : a->chunk->used,
		.used = a->used,
	};
}

/* Keeps an unused chunk for reuse. Chunks above CHUNK_MOST were made for one object and are freed. */
static void
chunk_spare(struct arena *a, struct arena_chunk *c)
{
	if (CHUNK_EACH || c->cap > CHUNK_MOST) {
		free(c);
		return;
	}
	c->used = 0;
	c->next = a->spare;
	a->spare = c;
}

void
arena_reset(struct arena *a, struct arena_mark m)
{
	assert(m.used <= a->used); /* marks are reset newest first */
	release_held(a, m.held);
	while (a->chunk != m.chunk) {
		struct arena_chunk *newest = a->chunk;

		a->chunk = newest->next;
		chunk_spare(a, newest);
	}
	if (a->chunk != NULL) {
		a->chunk->used = m.chunk_used;
	}
	a->used = m.used;
}

void
arena_clear(struct arena *a)
{
	arena_reset(a, (struct arena_mark){0});
	a->over = a->starved = false;
}

/* Returns a spare chunk, or a new one. Frees spare chunks that are too small, so that they do not accumulate. */
static struct arena_chunk *
chunk_take(struct arena *a, size_t bytes)
{
	while (a->spare != NULL && bytes <= CHUNK_MOST) {
		struct arena_chunk *c = a->spare;

		a->spare = c->next;
		if (bytes <= c->cap) {
			return c;
		}
		chunk_free(c);
	}
	if (mem_low()) {
		a->over = a->starved = true;
	}
	size_t cap = a->small           ? CHUNK_SMALL
		     : a->chunk != NULL ? a->chunk->cap * CHUNK_GROWTH
					: CHUNK_FIRST;

	cap = cap < CHUNK_MOST ? cap : CHUNK_MOST;
	return chunk_new(CHUNK_EACH || bytes > cap ? bytes : cap);
}

static void *
arena_take(struct arena *a, size_t bytes, size_t align)
{
	a->used += bytes;
	a->over = a->over || a->used > a->budget;

	struct arena_chunk *c = a->chunk;
	size_t pad = c == NULL ? 0 : -c->used & (align - 1);

	if (CHUNK_EACH || c == NULL || bytes > c->cap - c->used || pad > c->cap - c->used - bytes) {
		c = chunk_take(a, bytes);
		c->next = a->chunk;
		a->chunk = c;
		pad = 0;
	}
	void *p = c->bytes + c->used + pad;

	c->used += pad + bytes;
	return p;
}

void *
arena_alloc(struct arena *a, size_t count, size_t align, size_t size)
{
	size_t bytes;

	assert(size > 0 && align > 0 && (align & (align - 1)) == 0 &&
	       align <= _Alignof(max_align_t));
	if (__builtin_mul_overflow(size, count, &bytes)) {
		abort();
	}
	return memset(arena_take(a, bytes, align), 0, bytes);
}

char *
arena_bytes(struct arena *a, size_t n)
{
	return arena_take(a, n, 1);
}

char *
arena_vprint(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);

	size_t size = n < 0 ? 1 : (size_t)n + 1;
	char *text = arena_bytes(a, size);

	*text = '\0';
	(void)vsnprintf(text, size, fmt, ap);
	return text;
}

char *
arena_print(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = arena_vprint(a, fmt, ap);
	va_end(ap);
	return text;
}

void
arena_hold(struct arena *a, void (*release)(void *what), void *what)
{
	struct arena_hold *h = arena_take(a, sizeof(*h), _Alignof(struct arena_hold));

	*h = (struct arena_hold){a->held, release, what};
	a->held = h;
}

void *
arena_room_of(struct arena *a, const void *array, size_t size, size_t n, size_t *cap)
{
	assert(n == 0 || array != NULL);
	if (n < *cap) {
		return (void *)array;
	}
	*cap = n == 0 ? ROOM_FIRST : 2 * n;

	void *more = arena_alloc(a, *cap, _Alignof(max_align_t), size);

	if (n > 0) {
		memcpy(more, array, n * size);
	}
	return more;
}
