/*
 * why_look - how explanations look at the files of a mount: by system calls, or by a program's own functions
 *
 * Paths are absolute.  One thread uses this file.
 */
#ifndef TOOLS_WHY_WHY_LOOK_H
#define TOOLS_WHY_WHY_LOOK_H

#include <stdbool.h>
#include <sys/types.h>

#include "store/base/core/buf.h"

/* Called for each entry of a directory; Return: false to stop */
typedef bool (*why_look_each)(void *to, struct slice name);

struct why_look {
	void *arg;
	mode_t (*mode)(void *arg, const char *path);
	bool (*list)(void *arg, const char *path, why_look_each each, void *to);
	void (*read)(void *arg, const char *path, size_t most, struct buf *out);
};

/** why_look_by - use these functions from now on, borrowed; NULL: system calls, the default */
void why_look_by(const struct why_look *look);

/** why_look_is_own - Return: whether why_look_by() has set functions */
bool why_look_is_own(void);

/** why_look_mode - the mode of what is at the path, without following a link; 0: nothing */
mode_t why_look_mode(const char *path);

/** why_look_list - call @each for the entries of a directory; Return: false if it cannot be opened */
bool why_look_list(const char *path, why_look_each each, void *to);

/** why_look_read - append the beginning of a file, about @most bytes; nothing if it cannot be read */
void why_look_read(const char *path, size_t most, struct buf *out);

#endif
