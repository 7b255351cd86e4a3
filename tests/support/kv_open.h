/* kv_open - opens a database by its path */
#ifndef TESTS_SUPPORT_KV_OPEN_H
#define TESTS_SUPPORT_KV_OPEN_H

#include <fcntl.h>

#include "store/kv/kv.h"

/** kv_leveldb_open - open or create the database in the directory @dir; as kv_leveldb_open_at() */
static inline int
kv_leveldb_open(struct call *c, const char *dir, bool create, struct kv **out)
{
	const char *slash = strrchr(dir, '/');
	struct slice folder = slash == NULL ? SLICE(".") : slice_of(dir, (size_t)(slash - dir) + 1);
	cleanup(cleanup_fd) int at = open(slice_cstr(&c->arena, folder), O_RDONLY | O_CLOEXEC);

	return kv_leveldb_open_at(c, at, slash == NULL ? dir : slash + 1, dir, create, out);
}

#endif
