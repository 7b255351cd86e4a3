/* kv_fault - a wrapper around a kv that fails on demand, for tests */
#ifndef TESTS_SUPPORT_KV_FAULT_H
#define TESTS_SUPPORT_KV_FAULT_H

#include "store/kv/kv.h"

/** kv_fault_new - wrap @below and take ownership of it; close() closes both */
struct kv *kv_fault_new(struct kv *below);

/**
 * kv_fault_arm - make the @nth call from now fail with -ERR_IO, "injected fault"
 *
 * Counted calls: get, commit and the status of a cursor.  0: no failure.  A commit that
 * fails changes nothing, and every later one fails too.
 */
void kv_fault_arm(struct kv *kv, uint64_t nth);

/** kv_fault_fill - simulate a full disk: every commit fails with -ERR_NO_SPACE until kv_fault_arm() */
void kv_fault_fill(struct kv *kv);

/**
 * kv_fault_hide - simulate damage of the block that holds @key, and of no other; an empty @key ends it
 *
 * As in LevelDB, a cursor skips the key and stays valid, and its status is -ERR_CORRUPT from then
 * on; kv_get() of the key fails.
 */
void kv_fault_hide(struct kv *kv, struct slice key);

/** kv_fault_room - the free space that kv_room() reports */
enum kv_fault_room {
	KV_FAULT_ROOM_ENOUGH,
	KV_FAULT_ROOM_LITTLE, /* too little to add data */
	KV_FAULT_ROOM_NONE,   /* too little for anything */
	KV_FAULT_ROOM_READ_ONLY,
};
void kv_fault_room(struct kv *kv, enum kv_fault_room room);

/** kv_fault_wait_refused - wait until a caller has found too little space since kv_fault_room() */
void kv_fault_wait_refused(struct kv *kv);

/** kv_fault_fired - return true if the fault has happened */
bool kv_fault_fired(struct kv *kv);

/** kv_fault_calls - return the number of calls counted so far */
uint64_t kv_fault_calls(struct kv *kv);

/* A gate before the next commit: close it; wait until a commit waits at it; open it. */
void kv_fault_hold(struct kv *kv);
void kv_fault_wait_held(struct kv *kv);
void kv_fault_go_on(struct kv *kv);

#endif
