/* private - folders and files that are their owner's alone, whatever the umask is */
#ifndef STORE_BASE_SYSTEM_PRIVATE_H
#define STORE_BASE_SYSTEM_PRIVATE_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * private_folder - open the folder @name of the directory @dir; no link is followed
 * @make: with mode 0700, durably, where it is missing
 *
 * Return: a descriptor; -1: errno says why, ENOTDIR of a link or a file
 */
int private_folder(int dir, const char *name, bool make) __attribute__((warn_unused_result));

/**
 * private_tighten - give a folder the mode 0700 and its files 0600 where others had rights on it
 * @fd: of the folder
 *
 * Return: is it the caller's own, and was it wider?
 */
bool private_tighten(int fd);

/**
 * private_umask - from here on the files of this process are its owner's alone
 *
 * LevelDB gives its files whatever the umask leaves.  To be called before there are threads;
 * private_umask_end() gives the user's umask back, for a program that is started.
 */
void private_umask(void);
void private_umask_end(void);

/**
 * private_umask_for - files are about to be made in a folder of the user @owner
 *
 * Root, who has been allowed to open somebody's store, must not lock him out: his files can be read there,
 * and the folder keeps others away.
 */
void private_umask_for(uid_t owner);

/**
 * private_share - what the user asked for by name has the rights that his umask leaves
 * @fd:   of a file or folder that was just made
 * @mode: what it has but for the umask; a default ACL of its folder has decided already
 */
void private_share(int fd, mode_t mode);

#endif
