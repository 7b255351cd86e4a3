/*
 * tty - the terminal that a mount was started on, found again when the mount ends
 *
 * No descriptor is kept open, because an open descriptor would keep the terminal from closing.  Instead, the terminal
 * is identified by the leader of its session (process id and start time): it is the same terminal as long as that
 * process lives and has it as its terminal.
 */
#ifndef FS_SAVED_TTY_H
#define FS_SAVED_TTY_H

#include "store/base/core/base.h"

/**
 * tty_put - append the name of this session's terminal, if it is standard error; otherwise append nothing
 *
 * To be called before setsid().
 * Shape:   session ' ' start ' ' path
 */
void tty_put(struct buf *out);

/**
 * tty_write - write @text to a terminal, if it is still the one that tty_put() named
 *
 * Does not block: text that the terminal does not accept at once is dropped.
 */
void tty_write(const char *name, struct slice text);

#endif
