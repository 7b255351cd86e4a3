/* itemfs_program - see itemfs_program.h */
#include "tools/system/itemfs_program.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *
itemfs_program(struct call *c)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');

		*slash = '\0';
		const char *beside = arena_print(&c->arena, "%s/itemfs", self);
		const char *built = arena_print(&c->arena, "%s/../fs/itemfs", self);

		if (access(beside, X_OK) == 0) {
			return beside;
		}
		if (access(built, X_OK) == 0) {
			return built;
		}
	}
	return "itemfs";
}
