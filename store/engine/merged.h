/*
 * merged - the items of several Querys of one table or index in the order of their sort keys, from pages of any
 * engine; or those of one Query or Scan
 *
 *   while ((r = merged_next(m, &item)) >= 0 && r != MERGED_END) {
 *           if (r == MERGED_READ) {
 *                   r = merged_read(m, c);       one page: the caller may look around in between
 *           } else ... use item ...
 *   }
 *
 * Memory is one page for each request, smaller the more there are.
 */
#ifndef STORE_ENGINE_MERGED_H
#define STORE_ENGINE_MERGED_H

#include "store/engine/engine.h"
#include "store/model/shard_order.h"

enum { MERGED_END = 1, MERGED_READ };

struct merged;

struct merged_in {
	struct engine *engine;
	struct op_in *requests; /* OP_QUERY or OP_SCAN; their limit and start are written here */
	size_t n;
	const struct shard_order *order; /* of several: their items have its attributes; copied */
	bool backward;                   /* likewise, as the requests */
	uint64_t most;                   /* items wanted, at most; 0: all */
	uint32_t page; /* items of a page of one request, at most; 0: as many as the engine gives */
	uint64_t now_ms;
};

/** merged_open - nothing is read yet; @in's requests are borrowed until merged_close() */
struct merged *merged_open(const struct merged_in *in);
void merged_close(struct merged *m); /* NULL is harmless */

/** merged_bytes - the memory that it takes now */
size_t merged_bytes(const struct merged *m);

/**
 * merged_next - the next item, valid until the next call
 *
 * Return: 0; MERGED_END; MERGED_READ: first merged_read() has to read a page
 */
int merged_next(struct merged *m, const struct item **out) __attribute__((warn_unused_result));

/** merged_read - the page that merged_next() lacks; Errors: the engine's, and the next call tries again */
int merged_read(struct merged *m, struct call *c) __attribute__((warn_unused_result));

#endif
