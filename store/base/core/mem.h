/*
 * mem - heap allocation that never fails, for data that outlives a request
 *
 * If memory is exhausted, the program prints a message and aborts: see DECISIONS.md, 3.  A program that serves several
 * users has a reserve that it uses first.  While the reserve is in use, no request begins, and running requests fail
 * when they allocate more (arena_over()).  Callers free all memory with free().
 */
#ifndef STORE_BASE_CORE_MEM_H
#define STORE_BASE_CORE_MEM_H

#include <stdbool.h>
#include <stddef.h>

/* The message of requests that are refused while mem_low(). */
#define MEM_LOW "there is too little memory at the moment; try again"

/* Zeroed objects. */
#define mem_new(type) ((type *)mem_zeroed(1, sizeof(type)))
#define mem_array(type, n) ((type *)mem_zeroed((n), sizeof(type)))

/** mem_zeroed - allocate @n zeroed objects of @bytes each */
void *mem_zeroed(size_t n, size_t bytes) __attribute__((returns_nonnull, malloc, alloc_size(1, 2)));

/** mem_resized - resize the array @at (may be NULL) to @n elements (may be 0) of @bytes; new bytes are not zeroed */
void *mem_resized(void *at, size_t n, size_t bytes)
	__attribute__((returns_nonnull, alloc_size(2, 3)));

/** mem_string - a copy of a C string */
char *mem_string(const char *s) __attribute__((returns_nonnull, malloc));

/**
 * mem_few_heaps - limit malloc() to two heaps for all threads; call it early in main()
 *
 * A block of the store's cache lies in the heap of the thread that read it, and that heap keeps the memory after the
 * block is freed.  With one heap per thread, each heap would grow to the size of the cache.
 */
void mem_few_heaps(void);

/**
 * mem_reserve - set @bytes aside as the reserve; call it early in main()
 *
 * C++'s operator new uses the reserve, too.  Its pages are never written: they count against a limit (ulimit -v,
 * strict overcommit), but use no physical memory.
 */
void mem_reserve(size_t bytes);

/** mem_low - try to refill the reserve; Return: true if it is still not full */
bool mem_low(void);

/** mem_enough - return true if the reserve is full and @bytes can be allocated now (always, without a memory limit) */
bool mem_enough(size_t bytes);

/** mem_ready - release pieces of the reserve until @bytes can be allocated, for libraries that crash without memory */
void mem_ready(size_t bytes);

/**
 * mem_spare - release pieces of the reserve, but not its last quarter, until @bytes can be allocated
 * Return: false if they cannot; for what clients can have without limit, such as connections
 */
bool mem_spare(size_t bytes);

/** mem_for_zlib, mem_free_for_zlib - allocation functions for zlib */
void *mem_for_zlib(void *arg, unsigned n, unsigned bytes);
void mem_free_for_zlib(void *arg, void *at);

/** mem_out - print "out of memory" and abort */
_Noreturn void mem_out(void);

#endif
