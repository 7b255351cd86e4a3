/*
 * mem - the heap, for what outlives a request
 *
 * When there is no memory, the program says so and ends: see DECISIONS.md, 3.
 * Everything is given back with free().
 */
#ifndef STORE_BASE_MEM_H
#define STORE_BASE_MEM_H

#include <stddef.h>

/* Zeroed objects. */
#define mem_new(type) ((type *)mem_zeroed(1, sizeof(type)))
#define mem_array(type, n) ((type *)mem_zeroed((n), sizeof(type)))

/** mem_zeroed - @n times @bytes */
void *mem_zeroed(size_t n, size_t bytes) __attribute__((returns_nonnull, malloc, alloc_size(1, 2)));

/** mem_resized - the array @at, or NULL, with @n elements of @bytes; what is new is not zeroed */
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

/** mem_out - say that there is no memory, and end */
_Noreturn void mem_out(void);

#endif
