/*
 * scanners - threads that open many files one after another, as grep -r does
 *
 * A reader of an item gets its bytes with READ requests of its own handle, so that it sees one version (NAMESPACE 3).
 * That is two requests per file, which matters only to a thread that does little else. Such a thread gets the bytes
 * with the reply to OPEN, for items that were not changed elsewhere since they have their node (NODE_CHANGED).
 *
 * Any thread may call these functions.
 */
#ifndef FS_CORE_SCANNERS_H
#define FS_CORE_SCANNERS_H

#include "store/base/core/base.h"

enum {
	SCANNERS_MAX = 64,       /* slots; a thread may displace another one */
	SCANNERS_OPENS = 32,     /* the next open after these begins a scan */
	SCANNERS_WITHIN_MS = 500 /* longest pause between two opens of a scan */
};

struct scanners {
	pthread_mutex_t lock; /* initialized by the owner; the rest is 0 at first */
	struct scanner {
		pid_t thread; /* 0: unused */
		unsigned opens;
		uint64_t last_ms;
	} at[SCANNERS_MAX];
};

/**
 * scanners_opens - note that @thread opens a file for reading. Return: whether it is scanning
 * @thread: 0: unknown, in no PID namespace of ours; not a scanner
 * @now_ms: of clock_steady_ms()
 */
bool scanners_opens(struct scanners *s, pid_t thread, uint64_t now_ms);

#endif
