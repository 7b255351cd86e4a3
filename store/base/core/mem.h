/*
 * mem - the heap, for what outlives a request
 *
 * When there is no memory, the program says so and ends: see DECISIONS.md, 3.  One that serves many
 * has a reserve that is used up before: meanwhile no request begins, and those that are under way
 * fail when they want more (arena_over()).
 * Everything is given back with free().
 */
#ifndef STORE_BASE_CORE_MEM_H
#define STORE_BASE_CORE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* What is told of a request that is refused meanwhile. */
#define MEM_LOW "there is too little memory at the moment; try again"

/* Zeroed objects. */
#define mem_new(type) ((type *)mem_zeroed(1, sizeof(type)))
#define mem_array(type, n) ((type *)mem_zeroed((n), sizeof(type)))

/** mem_zeroed - @n times @bytes */
void *mem_zeroed(size_t n, size_t bytes) __attribute__((returns_nonnull, malloc, alloc_size(1, 2)));

/** mem_resized - the array @at, or NULL, with @n elements of @bytes, which may be none; what is new is not zeroed */
void *mem_resized(void *at, size_t n, size_t bytes)
	__attribute__((returns_nonnull, alloc_size(2, 3)));

/** mem_string - a copy of a C string */
char *mem_string(const char *s) __attribute__((returns_nonnull, malloc));

/**
 * mem_few_heaps - threads share two heaps, instead of one each; early in main()
 *
 * The blocks that the store caches lie in the heap of whoever read them, and what is freed there
 * stays with it: a heap a thread would hold the size of the cache each.
 */
void mem_few_heaps(void);

/**
 * mem_reserve - set @bytes aside, early in main(); also for what C++ allocates
 *
 * Nobody writes to them: they count where a limit counts (ulimit -v, strict overcommit), and take no memory.
 */
void mem_reserve(size_t bytes);

/** mem_low - is the reserve being used?  It is made whole again here, once that is possible */
bool mem_low(void);

/** mem_enough - the reserve is whole, and @bytes more could be had now; without a limit of memory they always could */
bool mem_enough(size_t bytes);

/** mem_ready - see to it that @bytes can be had now, by what crashes without: takes from the reserve, as mem_again() */
void mem_ready(size_t bytes);

/** mem_again - no memory was there: take from the reserve, and the caller tries again; else mem_out() */
void mem_again(void);

/** mem_for_zlib, mem_free_for_zlib - what zlib calls for memory */
void *mem_for_zlib(void *arg, unsigned n, unsigned bytes);
void mem_free_for_zlib(void *arg, void *at);

/** mem_out - say that there is no memory, and end */
_Noreturn void mem_out(void);

#endif
