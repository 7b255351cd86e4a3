/* folder - writes a directory under a temporary name until it is complete; lists and removes directories */
#ifndef STORE_BASE_SYSTEM_FOLDER_H
#define STORE_BASE_SYSTEM_FOLDER_H

#include "store/base/core/base.h"

struct folder {
	const char *name;
	const char *part; /* its temporary name */
	int fd;           /* of the directory; -1: not open */
	mode_t mode;      /* of its files, before the umask */
};

/**
 * folder_open - create a directory under the temporary name NAME.part-MARK
 * @mode: 0777, or 0700 for private data; files get the same mode without the x bits
 * @mark: makes the temporary name unique, like a process id
 *
 * Errors:  -ERR_VALIDATION  @name exists, or its parent does not;  -ERR_IO, -ERR_NO_SPACE
 */
int folder_open(struct call *c, const char *name, mode_t mode, uint64_t mark, struct folder *f)
	must_check;

/** folder_file - create a file in it; Return: a descriptor; Errors: -ERR_VALIDATION, -ERR_IO, -ERR_NO_SPACE */
int folder_file(struct call *c, const struct folder *f, const char *name) must_check;

/** folder_done - sync and close a file of it; Errors: -ERR_IO, -ERR_NO_SPACE */
int folder_done(struct call *c, const char *name, int fd) must_check;

/**
 * folder_close - sync a complete directory and give it its name, or remove an incomplete one
 * @r: result of writing it, 0 or -ERR_*
 *
 * Does nothing if folder_open() failed.
 * Return: @r if that is an error; 0
 * Errors: -ERR_VALIDATION (the name has been taken meanwhile), -ERR_IO, -ERR_NO_SPACE
 */
int folder_close(struct call *c, struct folder *f, int r) must_check;

/** folder_parents - create the missing parent directories of @path with @mode; @path is changed only temporarily */
void folder_parents(char *path, mode_t mode);

/**
 * folder_sync_parent - sync the directory that contains @name
 *
 * Return: 0; also if the caller may not read the directory (EACCES) or it cannot be synced (EINVAL)
 * Errors: -ERR_VALIDATION (there is no such directory), -ERR_IO, -ERR_NO_SPACE
 */
int folder_sync_parent(struct call *c, const char *name) must_check;

/**
 * folder_list - open a stream of the entries of an open directory, from the first one on
 * @fd: remains the caller's; opened with O_RDONLY or O_PATH
 *
 * Return: NULL with errno on failure
 */
DIR *folder_list(int fd) must_check;

/**
 * folder_next - the next name in a stream that only the caller uses, also "." and ".."
 *
 * Return: valid until the next call; NULL at the end, after an error (then errno is not 0), and if @d is NULL
 */
const char *folder_next(DIR *d);

/** folder_bytes - total size of the regular files directly in @name; 0 if it cannot be read */
uint64_t folder_bytes(int dir, const char *name);

/**
 * folder_remove_at - remove a folder and its contents; whatever cannot be removed stays
 * @dir: directory that @name is relative to, or AT_FDCWD
 *
 * Follows no link, so another user who replaces an entry meanwhile cannot redirect the removal.
 */
void folder_remove_at(int dir, const char *name);

/** folder_remove - as folder_remove_at(), for a path */
void folder_remove(const char *path);

#endif
