/* kv_fault - a kv around a kv that fails on command, for tests */
#ifndef TESTS_SUPPORT_KV_FAULT_H
#define TESTS_SUPPORT_KV_FAULT_H

#include "store/kv/kv.h"

/** kv_fault_new - owns @below; close() closes both */
struct kv *kv_fault_new(struct kv *below);

/**
 * kv_fault_arm - let the @nth call from now fail with -ERR_IO, "injected fault"
 *
 * Counted: get, commit and a cursor's status.  0 never fails.  A commit that
 * fails changes nothing, and every later one fails too.
 */
void kv_fault_arm(struct kv *kv, uint64_t nth);

/** kv_fault_fill - the disk is full: every commit fails with -ERR_NO_SPACE, until kv_fault_arm() */
void kv_fault_fill(struct kv *kv);

/**
 * kv_fault_hide - the block that holds @key, and no other one, is damaged; an empty @key ends that
 *
 * As in LevelDB: a cursor passes over the key and stays valid, its status is -ERR_CORRUPT from then
 * on; kv_get() of the key fails.
 */
void kv_fault_hide(struct kv *kv, struct slice key);

/** kv_fault_room - how much room kv_room() finds */
enum kv_fault_room {
	KV_FAULT_ROOM_ENOUGH,
	KV_FAULT_ROOM_LITTLE, /* not for what adds */
	KV_FAULT_ROOM_NONE,   /* nor for anything else */
	KV_FAULT_ROOM_READ_ONLY,
};
void kv_fault_room(struct kv *kv, enum kv_fault_room room);

/** kv_fault_wait_refused - until somebody has found too little room since kv_fault_room() */
void kv_fault_wait_refused(struct kv *kv);

/** kv_fault_fired - has it happened? */
bool kv_fault_fired(struct kv *kv);

/** kv_fault_calls - how many calls were counted so far */
uint64_t kv_fault_calls(struct kv *kv);

/* A gate before the next commit: hold it; wait until a commit stands before it; let it go on. */
void kv_fault_hold(struct kv *kv);
void kv_fault_wait_held(struct kv *kv);
void kv_fault_go_on(struct kv *kv);

#endif
