/*
 * reopens - threads whose OPEN got ESTALE because the name had been removed meanwhile
 *
 * After ESTALE from OPEN, or from the GETATTR before it, the kernel resolves the path once more. If that fails with
 * ESTALE again, the program gets it. A new file that others create and that is soon refused can vanish after LOOKUP any
 * number of times; only a CREATE is safe. So in this second resolution LOOKUP hides from that thread a new file that is
 * no item yet: if the program asked for O_CREAT, a CREATE follows.
 *
 * That resolution looks the name up once, and again for each name that others create meanwhile: at most REOPENS_LOOKUPS
 * times. After that, and when the file is created, the thread sees the file as others do.
 *
 * Any thread may call these functions.
 */
#ifndef FS_CORE_REOPENS_H
#define FS_CORE_REOPENS_H

#include "store/base/core/base.h"

struct node;

enum {
	REOPENS_MAX = 64,     /* threads at the same time; the oldest is dropped */
	REOPENS_LOOKUPS = 16, /* of a resolution; two are usual, three came once in 16,000 opens */
	REOPENS_MS = 10000,   /* an entry older than that is ignored */
};

struct reopens {
	pthread_mutex_t lock; /* initialized by the owner; the rest is 0 at first */
	struct reopen {
		pid_t thread;  /* 0: unused */
		uint32_t name; /* inode_hash() */
		unsigned left; /* lookups */
		uint64_t since_ms;
	} at[REOPENS_MAX];
	unsigned next;
};

/**
 * reopens_begin - note that @thread got ESTALE for @name in @dir
 * @thread: 0: unknown, in no PID namespace of ours; no effect
 * @now_ms: of clock_steady_ms()
 */
void reopens_begin(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
		   uint64_t now_ms);

/** reopens_look - Return: whether @thread looks the name up in its second resolution; counts the lookup */
bool reopens_look(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
		  uint64_t now_ms);

/** reopens_end - remove the thread: it has created the file */
void reopens_end(struct reopens *r, pid_t thread);

#endif
