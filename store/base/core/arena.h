/*
 * arena - memory that lives exactly as long as one request
 *
 * A door (FUSE, HTTP, ctl) makes one arena, every layer below allocates from
 * it, and the door drops it after the reply is sent.  Nothing in it is freed
 * alone, so no layer below a door has a destructor for request data.
 */
#ifndef STORE_BASE_CORE_ARENA_H
#define STORE_BASE_CORE_ARENA_H

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
	struct arena_chunk *spare; /* kept by arena_reset() */
	struct arena_hold *held;   /* newest first */
	size_t used;               /* bytes handed out */
	size_t budget;             /* soft limit, bytes; see arena_over() */
	bool over;                 /* latched by the allocation that broke the budget */
	bool starved;              /* likewise, as the machine has little memory: mem_low() */
};

/**
 * arena_init - make an empty arena
 * @a:      storage owned by the caller
 * @budget: bytes after which arena_over() turns true; allocation goes on
 *
 * Memory: no allocation yet; pair with arena_drop().
 */
void arena_init(struct arena *a, size_t budget);

/**
 * arena_drop - free everything the arena ever handed out
 *
 * Memory: every pointer from arena_alloc() dangles from here on.
 */
void arena_drop(struct arena *a);

/**
 * arena_alloc - zeroed storage for @count objects
 * @align: power of two, <= alignof(max_align_t)
 * @size:  bytes of one object, > 0
 *
 * Never returns NULL: it aborts when the system is out of memory, its reserve included (mem.h), or
 * @size * @count overflows (a bug, since doors bound their input).
 */
void *arena_alloc(struct arena *a, size_t count, size_t align, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2, 4)));

#define arena_new(a, type, count) ((type *)arena_alloc((a), (count), _Alignof(type), sizeof(type)))

/**
 * arena_room - an array of @n objects with room for one more: a larger copy when all of *cap are used
 * @array: NULL at first, with *cap 0
 */
#define arena_room(a, array, n, cap) \
	((__typeof__(array))arena_room_of((a), (array), sizeof(*(array)), (n), (cap)))
void *arena_room_of(struct arena *a, const void *array, size_t size, size_t n, size_t *cap)
	__attribute__((returns_nonnull));

/** arena_bytes - room for @n bytes that the caller writes: not zeroed, not aligned */
char *arena_bytes(struct arena *a, size_t n)
	__attribute__((returns_nonnull, malloc, alloc_size(2)));

/**
 * arena_hold - hold something that others share for as long as what is allocated now
 * @release: called with @what when that memory is freed
 */
void arena_hold(struct arena *a, void (*release)(void *what), void *what);

/* A place in an arena's life. */
struct arena_mark {
	struct arena_chunk *chunk;
	struct arena_hold *held;
	size_t chunk_used;
	size_t used;
};

/** arena_mark - remember what is allocated now, for arena_reset() */
struct arena_mark arena_mark(const struct arena *a);

/**
 * arena_reset - free everything that was allocated since @m; an arena that was over stays so
 *
 * For scratch in loops over many objects: the memory stays with the arena for the next round,
 * except that of very large objects.
 */
void arena_reset(struct arena *a, struct arena_mark m);

/** arena_clear - free everything, and the budget begins again; memory stays as by arena_reset() */
void arena_clear(struct arena *a);

/** arena_over - has the request used more than its budget, or did it need memory when there was little? */
static inline bool
arena_over(const struct arena *a)
{
	return a->over;
}

#endif
