/*
 * arena - memory that lives exactly as long as one request
 *
 * A front end (FUSE, HTTP, itemctl) creates one arena, all lower layers allocate from it, and the front end drops it
 * after it has sent the reply.  Objects are not freed one by one, so request data needs no destructors.
 */
#ifndef STORE_BASE_CORE_ARENA_H
#define STORE_BASE_CORE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct arena_chunk;
struct arena_hold;

/*
 * Invariants: used <= budget || over;  over || !starved;  chunk == NULL <=> nothing allocated.
 */
struct arena {
	struct arena_chunk *chunk; /* newest first */
	struct arena_chunk *spare; /* kept by arena_reset() for reuse */
	struct arena_hold *held;   /* newest first */
	size_t used;               /* bytes handed out */
	size_t budget;             /* soft limit, bytes; see arena_over() */
	bool over;                 /* an allocation has exceeded the budget; stays set */
	bool starved; /* an allocation was made while mem_low(); stays set, sets over, too */
	bool small;   /* its first chunk is small */
};

/**
 * arena_init - initialize an empty arena
 * @a:      storage owned by the caller
 * @budget: bytes after which arena_over() returns true; allocations still succeed
 *
 * Memory: allocates nothing yet; pair with arena_drop().
 */
void arena_init(struct arena *a, size_t budget);

/** arena_init_small - as arena_init() without a limit, for one of many arenas with little memory each */
void arena_init_small(struct arena *a);

/* Memory for arena_lend(). */
struct arena_loan {
	_Alignas(max_align_t) unsigned char bytes[4 * 1024 - 32];
};

/** arena_lend - let a new arena use @memory before the heap; @memory lives until arena_drop() */
void arena_lend(struct arena *a, struct arena_loan *memory);

/**
 * arena_drop - free all memory of the arena, and release what arena_hold() holds
 *
 * Memory: all pointers into the arena become invalid.
 */
void arena_drop(struct arena *a);

/**
 * arena_alloc - allocate zeroed storage for @count objects
 * @align: power of two, <= alignof(max_align_t)
 * @size:  bytes of one object, > 0
 *
 * Never returns NULL.  It aborts if the heap and its reserve (mem.h) are exhausted, or if @size * @count overflows
 * (a bug, since front ends limit the size of their input).
 */
void *arena_alloc(struct arena *a, size_t count, size_t align, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2, 4)));

#define arena_new(a, type, count) ((type *)arena_alloc((a), (count), _Alignof(type), sizeof(type)))

/**
 * arena_room - return the array of @n objects with room for one more: @array itself, or a larger copy if @n == *cap
 * @array: NULL at first, with *cap 0
 */
#define arena_room(a, array, n, cap) \
	((__typeof__(array))arena_room_of((a), (array), sizeof(*(array)), (n), (cap)))
void *arena_room_of(struct arena *a, const void *array, size_t size, size_t n, size_t *cap)
	__attribute__((returns_nonnull));

/** arena_bytes - allocate @n bytes, neither zeroed nor aligned */
char *arena_bytes(struct arena *a, size_t n)
	__attribute__((returns_nonnull, malloc, alloc_size(2)));

/** arena_print, arena_vprint - format a C string in @a, as printf() does */
char *arena_print(struct arena *a, const char *fmt, ...)
	__attribute__((returns_nonnull, format(printf, 2, 3)));
char *arena_vprint(struct arena *a, const char *fmt, va_list ap)
	__attribute__((returns_nonnull, format(printf, 2, 0)));

/**
 * arena_hold - hold a shared object until memory that is allocated now is freed
 * @release: called with @what by the arena_drop(), arena_reset() or arena_clear() that frees it
 */
void arena_hold(struct arena *a, void (*release)(void *what), void *what);

/* The state of an arena at one moment. */
struct arena_mark {
	struct arena_chunk *chunk;
	struct arena_hold *held;
	size_t chunk_used;
	size_t used;
};

/** arena_mark - record what is allocated now, for arena_reset() */
struct arena_mark arena_mark(const struct arena *a);

/**
 * arena_reset - free everything that was allocated since @m; `over` and `starved` stay as they are
 *
 * For scratch memory in loops over many objects: the arena keeps the chunks for the next iteration, except those of
 * very large objects.
 */
void arena_reset(struct arena *a, struct arena_mark m);

/** arena_clear - free everything and clear `over` and `starved`; keeps chunks as arena_reset() does */
void arena_clear(struct arena *a);

/** arena_over - return true if the request exceeded its budget, or allocated while mem_low() */
static inline bool
arena_over(const struct arena *a)
{
	return a->over;
}

#endif
