/*
 * reopens - threads that came too late to open a file, because its name had been removed meanwhile
 *
 * The kernel answers ESTALE, of OPEN or of the GETATTR before it, by one more walk down the path, and gives it to the program when
 * that fails, too.  A new file that others make and that is refused at once can vanish behind LOOKUP any number of times; a CREATE
 * alone is safe.  So in this second walk a new file that is no item yet is not there for that thread: if the program asked for O_CREAT, a CREATE follows.
 *
 * That walk looks the name up once, and again for each name that others make meanwhile: REOPENS_LOOKUPS times at most. After
 * that, and when the file is made, the thread sees it as others do.
 *
 * All functions may be called by any thread.
 */
#ifndef FS_CORE_REOPENS_H
#define FS_CORE_REOPENS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/base/core/slice.h"

struct node;

enum {
	REOPENS_MAX = 64, /* threads that walk at the same time; the oldest is forgotten */
	REOPENS_LOOKUPS =
		16, /* of one walk; two are usual, a third one was needed once in 16,000 opens */
	REOPENS_MS = 10000, /* after that a thread is not on its second walk any more */
};

struct reopens {
	pthread_mutex_t lock;
	struct reopen {
		pid_t thread;  /* 0: nobody */
		uint32_t name; /* inode_hash() */
		unsigned left; /* look-ups */
		uint64_t since_ms;
	} at[REOPENS_MAX];
	unsigned next;
};

void reopens_init(struct reopens *r);
void reopens_release(struct reopens *r);

/**
 * reopens_begin - @thread was told that @name in @dir is gone
 * @thread: 0: in no PID namespace of ours; nothing is known of it
 * @now_ms: of clock_steady_ms()
 */
void reopens_begin(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
		   uint64_t now_ms);

/** reopens_look - does @thread look the name up for its second walk?  Each look-up counts */
bool reopens_look(struct reopens *r, pid_t thread, const struct node *dir, struct slice name,
		  uint64_t now_ms);

/** reopens_end - the thread has made the file */
void reopens_end(struct reopens *r, pid_t thread);

#endif
