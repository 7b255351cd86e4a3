/* own - opens a store directory with the embedded engine, for programs that are never clients */
#ifndef STORE_OWN_H
#define STORE_OWN_H

#include "store/engine/engine.h"
#include "store/engine/restore.h"

/**
 * store_own - open a store so that this process becomes its owner
 * @dir:    the store's directory
 * @create: create the store if the directory is missing or empty
 * @out:    the engine; the caller closes it with engine_close()
 *
 * Errors:  -ERR_VALIDATION  missing, or not a store
 *          -ERR_IO          a newer format, no permission (the message says which)
 *          -ERR_BUSY        another process owns it
 */
int store_own(struct call *c, const char *dir, bool create, struct engine **out) must_check;

/**
 * store_dead_owner - the process that owns the store, if it was killed but has not ended yet
 *
 * A killed process keeps its files and locks while one of its threads waits in the kernel, for example for a reply in
 * one of its own mounts, which only the process itself could send.  Its sockets still listen but never answer.
 * Return: its process id; 0 if there is none, if it lives, or if that is unknown
 */
pid_t store_dead_owner(const char *dir);

/**
 * store_refuse_dead - fail if the owner of the store was killed and has not ended; the message has the command to type
 *
 * Return: 0: the owner is not dead, or there is none
 * Errors: -ERR_BUSY
 */
int store_refuse_dead(struct call *c, const char *dir) must_check;

/** store_stopped_owner - process id of the owner if it is stopped (kill -STOP, Ctrl-Z) until it is continued; else 0 */
pid_t store_stopped_owner(const char *dir);

/** store_put_owner - append "process N (NAME)" for the owner of the store; Return: false if there is none or unknown */
bool store_put_owner(const char *dir, struct buf *out);

/**
 * store_watch - watch a store for writes, also of other processes; does not open it
 *
 * Return: a descriptor that poll() finds readable, to be closed; -1 if that is not possible
 */
int store_watch(const char *dir);

/** store_watch_seen - return true if the store was written, moved or removed since store_watch() or the last call */
bool store_watch_seen(int fd);

/**
 * store_restore - create a store from a store image
 *
 * Return:  0;  RESTORE_REFUSED: table backups in the image are broken, see @out, and no store was created;  < 0
 * Errors:  -ERR_VALIDATION  the directory is not empty;  @in->from is not an image;  -ERR_CORRUPT  the image is
 *          damaged;  -ERR_IO, -ERR_NO_SPACE;  those of the step function
 */
int store_restore(struct call *c, const struct restore_in *in, struct restore_out *out) must_check;

#endif
