/*
 * kv_mem - a kv in memory, for tests: every version of every key is kept
 *
 * So a snapshot is a number, and the state after any commit can be had again:
 * that is how tests look at every prefix of a history.
 */
#ifndef TESTS_SUPPORT_KV_MEM_H
#define TESTS_SUPPORT_KV_MEM_H

#include "store/kv/kv.h"

/** kv_mem_new - an empty one; the kv's close() frees it */
struct kv *kv_mem_new(void);

/** kv_mem_commits - how many batches were committed so far */
uint64_t kv_mem_commits(struct kv *kv);

/** kv_mem_durable - up to which commit it would survive a crash */
uint64_t kv_mem_durable(struct kv *kv);

/** kv_mem_copy - a new kv with the state after the first @commits commits; UINT64_MAX: all */
struct kv *kv_mem_copy(struct kv *kv, uint64_t commits);

/** kv_mem_compactions - how often compact() was asked for */
uint64_t kv_mem_compactions(struct kv *kv);

/** kv_mem_on_compact - call @fn each time that compact() is asked for, in the thread that asks */
void kv_mem_on_compact(struct kv *kv, void (*fn)(struct slice from, struct slice to));

#endif
