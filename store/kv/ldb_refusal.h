/* ldb_refusal - the state of a recovery, and the messages that refuse to open a damaged database */
#ifndef STORE_KV_LDB_REFUSAL_H
#define STORE_KV_LDB_REFUSAL_H

#include "store/kv/ldb_log.h"
#include "store/kv/ldb_manifest.h"

/* One log that LevelDB will read back. */
struct log {
	uint64_t number;
	char name[LDB_NAME_BYTES];
};

struct recovery {
	struct call *c;
	const char *dir;
	int fd;     /* the directory, or the copy of its logs and manifest */
	int tables; /* the directory */

	struct ldb_manifest manifest; /* without its last edit, if that is to be cut off */
	bool unnamed;                 /* that edit is complete, but its new files are missing */
	bool intact;                  /* no table that exists is damaged or unreadable */
	uint64_t newest;              /* the greatest number of a file in @tables */
	uint64_t next;                /* sequence number of the next batch */
	bool at_most;                 /* or a lower one, because no batch was read yet */

	struct log *logs; /* in the order of their numbers */
	size_t n;
	size_t damaged; /* index of the first log with damage; n: none */
	off_t from;     /* byte offset of the damage in it: all before it is valid */
	off_t end;      /* its size in bytes */
	bool gap;       /* its first batch is valid, but does not continue the log before it */
	bool brief;     /* more of it was on disk than is valid */

	struct ldb_log reader;
	struct buf record; /* on the heap */
};

/* Each of these fails the call with a message that names the files and what can be done; Return: -ERR_CORRUPT */

/** ldb_refusal_first - the log that the manifest names is missing */
int ldb_refusal_first(const struct recovery *rec) __attribute__((cold));

/** ldb_refusal_synced - the logs are damaged before something that was on disk */
int ldb_refusal_synced(const struct recovery *rec) __attribute__((cold));

/** ldb_refusal_short - less of a log is valid than was on disk */
int ldb_refusal_short(const struct recovery *rec) __attribute__((cold));

/** ldb_refusal_gap - a valid log does not continue the log or the manifest before it */
int ldb_refusal_gap(const struct recovery *rec) __attribute__((cold));

#endif
