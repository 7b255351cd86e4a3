/* private - folders and files that only their owner may use, whatever the umask is */
#ifndef STORE_BASE_SYSTEM_PRIVATE_H
#define STORE_BASE_SYSTEM_PRIVATE_H

#include "store/base/core/base.h"

/**
 * private_folder - open the folder @name of the directory @dir, following no link
 * @make: create it with mode 0700, synced, if it is missing
 *
 * Return: a descriptor; -1 with errno: ENOTDIR for a link or a file
 */
int private_folder(int dir, const char *name, bool make) must_check;

/**
 * private_tighten - set the caller's folder to mode 0700 and its files to 0600, if the folder is accessible to others
 * @fd: of the folder
 *
 * Return: true if it did; false if the folder belongs to another user or has mode 0700 already
 */
bool private_tighten(int fd);

/**
 * private_umask - set the umask so that only the owner can use new files of this process
 *
 * LevelDB creates files with all rights that the umask leaves.  Call it before threads are started.
 * private_umask_end() restores the user's umask, before another program is started.
 */
void private_umask(void);
void private_umask_end(void);

/**
 * private_umask_for - set the umask to 022 before files are created in the folder of another user @owner
 *
 * Root may open another user's store and must not lock out the owner.  So new files are readable there,
 * and the folder keeps others away.
 */
void private_umask_for(uid_t owner);

/**
 * private_share - give a file that the user asked for by name the rights that the user's umask leaves
 * @fd:   of a file or folder that was just created
 * @mode: its mode before the umask
 *
 * Does nothing if the folder has a default ACL, which has decided already.
 */
void private_share(int fd, mode_t mode);

#endif
