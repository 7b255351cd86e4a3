/* folder - a directory being written: beside its name until it is complete */
#ifndef STORE_BASE_SYSTEM_FOLDER_H
#define STORE_BASE_SYSTEM_FOLDER_H

#include <dirent.h>
#include <sys/types.h>

#include "store/base/core/call.h"

struct folder {
	const char *name;
	const char *part; /* what it is called until then */
	int fd;
	mode_t mode; /* of its files, but for the umask */
};

/**
 * folder_open - a new one
 * @mode: 0777, or 0700 for what is nobody else's business; its files have the same without the x
 * @mark: until it is complete it is called NAME.part-MARK; a process's id will do
 *
 * Errors:  -ERR_VALIDATION  there is something of that name, or no parent;  -ERR_IO, -ERR_NO_SPACE
 */
int folder_open(struct call *c, const char *name, mode_t mode, uint64_t mark, struct folder *f)
	__attribute__((warn_unused_result));

/** folder_file - a new file in it; Return: a descriptor; Errors: -ERR_IO */
int folder_file(struct call *c, const struct folder *f, const char *name)
	__attribute__((warn_unused_result));

/** folder_done - close a file of it, whose bytes will last; Errors: -ERR_IO */
int folder_done(struct call *c, const char *name, int fd) __attribute__((warn_unused_result));

/**
 * folder_close - give a complete one its name, or take an incomplete one away
 * @r: of the writing
 *
 * Return: @r, -ERR_IO, or -ERR_VALIDATION: somebody else has made one of that name
 */
int folder_close(struct call *c, struct folder *f, int r) __attribute__((warn_unused_result));

/** folder_parents - make the directories of @mode that @path is to lie in, unless they are there; it is whole again afterwards */
void folder_parents(char *path, mode_t mode);

/** folder_sync_parent - the entry of @name in its directory will last; Errors: -ERR_IO */
int folder_sync_parent(struct call *c, const char *name) __attribute__((warn_unused_result));

/**
 * folder_list - a stream of the entries of a directory that is open, from the first one on
 * @fd: stays the caller's; opened O_RDONLY or O_PATH
 *
 * Return: NULL: errno says why
 */
DIR *folder_list(int fd) __attribute__((warn_unused_result));

/** folder_bytes - of the regular files that lie in @name itself; 0 where it cannot be read */
uint64_t folder_bytes(int dir, const char *name);

/**
 * folder_remove_at - a folder and all that is in it; what cannot be removed stays
 * @dir: what @name is relative to, or AT_FDCWD; no link is followed, and a swap by somebody else leads nowhere else
 */
void folder_remove_at(int dir, const char *name);

/** folder_remove - likewise of a path */
void folder_remove(const char *path);

#endif
