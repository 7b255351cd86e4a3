/*
 * trust - decides whether this process may open a store, and reads the settings that allow stores
 *
 * A store that another user can write to may contain links for LevelDB to write through, records that
 * name files to delete, or a socket that sends false replies.  So the directory and its db/ must
 * belong to the caller or to root, and no other user may write to them, as sshd(8) requires for its
 * files (StrictModes).  The user allows other stores by name:
 *
 *   ITEMFS_TRUST_STORE=/srv/a:/srv/b     * allows all; if it is set, the files are not read
 *   trust = /srv/a                       a line of $XDG_CONFIG_HOME/itemfs/config, before any
 *                                        [section], or of /etc/itemfs/config; the same rules apply
 *                                        to the file and its directory, but others may write to a
 *                                        directory if they cannot replace the file: if it is sticky,
 *                                        or on a read-only disk
 *
 * The contents of another user's FUSE mount belong to that user, whatever owner and mode they show.
 */
#ifndef STORE_BASE_SYSTEM_TRUST_H
#define STORE_BASE_SYSTEM_TRUST_H

#include "store/base/core/base.h"

/**
 * trust_open - open a store's directory and check it, before anything in it is opened
 * @dir: may be a link; its target is checked
 * @out: set to a descriptor of the directory, which the caller closes; -1 on failure
 *
 * Errors:  -ERR_ACCESS  another user could control it; the message says who, and how to allow it
 *          -ERR_VALIDATION, -ERR_IO  it cannot be opened
 */
int trust_open(struct call *c, const char *dir, int *out) must_check;

struct ini;

/**
 * trust_settings - read the user's settings, $XDG_CONFIG_HOME/itemfs/config, or those of /etc if there is no home
 *
 * Memory:  in the call's arena; empty if there is no file
 * Errors:  -ERR_ACCESS  another user could have written it;  -ERR_IO
 */
int trust_settings(struct call *c, struct ini *out) must_check;

enum { TRUST_FILES = 2 };

/**
 * trust_names - names of the settings files: the user's own, and /etc/itemfs/config if that is another one
 *
 * Return: their number.  The names are in the call's arena; the files may be missing.
 */
size_t trust_names(struct call *c, const char *out[TRUST_FILES]);

/** trust_path - the directory of a store that settings name, with a leading "~/" replaced by the user's home */
const char *trust_path(struct call *c, struct slice named);

struct mountinfo;

/**
 * trust_mount - decide whether to use the store that a mount of itemfs names
 *
 * Another user's mount may only name a store of the same user, which trust_open() checks later.  Otherwise it could
 * name a store of the caller.
 * Errors:  -ERR_ACCESS
 */
int trust_mount(struct call *c, const struct mountinfo *m) must_check;

/** trust_check - as trust_open(), but keep nothing open */
int trust_check(struct call *c, const char *dir) must_check;

#endif
