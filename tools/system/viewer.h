/* viewer - a file of one's own for another program: the desktop's, or an editor */
#ifndef TOOLS_SYSTEM_VIEWER_H
#define TOOLS_SYSTEM_VIEWER_H

#include "store/base/core/call.h"

/** viewer_folder - where temporary files go: TMPDIR, or /tmp */
const char *viewer_folder(void);

/**
 * viewer_file - a name for a file in a new directory that nobody else may enter
 * @out: in the call's arena
 *
 * Errors: -ERR_IO
 */
int viewer_file(struct call *c, const char *name, const char **out)
	__attribute__((warn_unused_result));

/** viewer_open - let the desktop open it; Return: false where there is none */
bool viewer_open(const char *path);

/** viewer_has_editor - is one named, or a terminal there for vi? Errors: -ERR_USAGE */
int viewer_has_editor(struct call *c) __attribute__((warn_unused_result));

/**
 * viewer_edit - let $VISUAL, $EDITOR or vi change it, and wait
 *
 * Errors: -ERR_IO  it cannot be started;  -ERR_USAGE  it failed
 */
int viewer_edit(struct call *c, const char *path) __attribute__((warn_unused_result));

#endif
