/*
 * tty - the terminal that a mount was started on, found again when the mount ends
 *
 * No descriptor is kept: a terminal closes when the last one of its descriptors does.  It is the same one as long as the process that leads
 * its session lives, which is known by its number and its start, and has it.
 */
#ifndef FS_SAVED_TTY_H
#define FS_SAVED_TTY_H

#include "store/base/core/buf.h"

/**
 * tty_put - append the name of this session's terminal, if standard error is it; else nothing; before setsid()
 *
 * Shape:   session ' ' start ' ' path
 */
void tty_put(struct buf *out);

/** tty_write - @text to the terminal of that name, if it is still there; what it does not take at once is dropped */
void tty_write(const char *name, struct slice text);

#endif
