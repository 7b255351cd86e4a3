/*
 * kv_mem - a kv in memory, for tests, that keeps every version of every key
 *
 * A snapshot is a version number.  Tests can restore the state after any commit, to check every prefix of a history.
 */
#ifndef TESTS_SUPPORT_KV_MEM_H
#define TESTS_SUPPORT_KV_MEM_H

#include "store/kv/kv.h"

/** kv_mem_new - make an empty one; close() of the kv frees it */
struct kv *kv_mem_new(void);

/** kv_mem_commits - return the number of batches committed so far */
uint64_t kv_mem_commits(struct kv *kv);

/** kv_mem_durable - return the number of commits that would survive a crash */
uint64_t kv_mem_durable(struct kv *kv);

/** kv_mem_copy - make a new kv with the state after the first @commits commits; UINT64_MAX: all */
struct kv *kv_mem_copy(struct kv *kv, uint64_t commits);

/** kv_mem_compactions - return the number of calls of compact() */
uint64_t kv_mem_compactions(struct kv *kv);

/** kv_mem_on_compact - call @fn on each call of compact(), in the calling thread */
void kv_mem_on_compact(struct kv *kv, void (*fn)(struct slice from, struct slice to));

#endif
