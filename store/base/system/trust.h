/*
 * trust - may this process open a store?  Whoever can write to its directory decides what it does there
 *
 * A store that somebody else has made may hold links for LevelDB to write through, records that
 * name files to delete, a socket that answers what it likes.  So the directory and its db/ have to
 * belong to the caller or to root, and nobody else may write to them, as sshd(8) has it for its
 * files (StrictModes).  The user allows other stores by name:
 *
 *   ITEMFS_TRUST_STORE=/srv/a:/srv/b     * for all; when it is set, the files are not asked
 *   trust = /srv/a                       a line of $XDG_CONFIG_HOME/itemfs/config, in front of any
 *                                        [section], or of /etc/itemfs/config; file and directory
 *                                        are judged likewise, but others may write to a directory
 *                                        where they cannot replace the file: a sticky one, or on a
 *                                        disk that is read-only
 *
 * What another user shows by a FUSE mount is his, whatever owner and mode it has there.
 */
#ifndef STORE_BASE_SYSTEM_TRUST_H
#define STORE_BASE_SYSTEM_TRUST_H

#include "store/base/core/call.h"

/**
 * trust_open - a store's directory, of which nothing has been opened yet
 * @dir: may be a link: what it leads to is judged
 * @out: a descriptor of the directory
 *
 * Errors:  -ERR_ACCESS  somebody else's; the message says whose, and how to allow it
 *          -ERR_VALIDATION, -ERR_IO  it cannot be opened
 */
int trust_open(struct call *c, const char *dir, int *out) __attribute__((warn_unused_result));

struct ini;

/**
 * trust_settings - the user's own file of settings, $XDG_CONFIG_HOME/itemfs/config, or /etc's where there is no home
 *
 * Memory:  in the call's arena; empty where there is no file
 * Errors:  -ERR_ACCESS  somebody else could have written it;  -ERR_IO
 */
int trust_settings(struct call *c, struct ini *out) __attribute__((warn_unused_result));

enum { TRUST_FILES = 2 };

/**
 * trust_names - the files of settings: the user's own, and /etc/itemfs/config where that is another
 *
 * Return: how many; in the call's arena.  They need not be there.
 */
size_t trust_names(struct call *c, const char *out[TRUST_FILES]);

/** trust_path - the directory of a store as the settings name it: "~/" in front is the user's home */
const char *trust_path(struct call *c, struct slice named);

struct mountinfo;

/**
 * trust_mount - may a mount of itemfs say which store is meant?
 *
 * That of another user only of a store that is his own, which trust_open() judges then: else he could name one of the
 * caller's.
 * Errors:  -ERR_ACCESS
 */
int trust_mount(struct call *c, const struct mountinfo *m) __attribute__((warn_unused_result));

/** trust_check - likewise, and nothing stays open */
int trust_check(struct call *c, const char *dir) __attribute__((warn_unused_result));

#endif
