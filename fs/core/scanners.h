/*
 * scanners - threads that open many files one after another, as grep -r does
 *
 * A reader of an item gets its bytes by READs of his own, so that he keeps one version (NAMESPACE 3).  That is two
 * requests a file, which nobody notices but a thread that does little else: it gets the bytes with the answer to OPEN, of
 * items that nobody has changed.
 *
 * All functions may be called by any thread.
 */
#ifndef FS_CORE_SCANNERS_H
#define FS_CORE_SCANNERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	SCANNERS_MAX = 64,       /* threads that are known; one takes another's place */
	SCANNERS_OPENS = 32,     /* which are not yet a scan */
	SCANNERS_WITHIN_MS = 500 /* each behind the one before */
};

struct scanners {
	pthread_mutex_t lock;
	struct scanner {
		pid_t thread; /* 0: nobody */
		unsigned opens;
		uint64_t last_ms;
	} at[SCANNERS_MAX];
};

void scanners_init(struct scanners *s);
void scanners_release(struct scanners *s);

/**
 * scanners_opens - @thread opens a file for reading; is it one of many?
 * @thread: 0: in no PID namespace of ours; nothing is known of it
 * @now_ms: of clock_steady_ms()
 */
bool scanners_opens(struct scanners *s, pid_t thread, uint64_t now_ms);

#endif
