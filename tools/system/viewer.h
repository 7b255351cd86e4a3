/* viewer - shows a private temporary file in the desktop's viewer, or edits it */
#ifndef TOOLS_SYSTEM_VIEWER_H
#define TOOLS_SYSTEM_VIEWER_H

#include "store/base/core/base.h"

/** viewer_folder - the directory for temporary files: TMPDIR, or /tmp */
const char *viewer_folder(void);

/**
 * viewer_file - create a private directory and return the path of a file in it
 * @out: in the call's arena
 *
 * Errors: -ERR_IO
 */
int viewer_file(struct call *c, const char *name, const char **out) must_check;

/** viewer_open - open @path in the desktop's viewer, without waiting; Return: false if there is no desktop */
bool viewer_open(const char *path);

/** viewer_has_editor - fail if no editor is configured and there is no terminal for vi; Errors: -ERR_USAGE */
int viewer_has_editor(struct call *c) must_check;

/**
 * viewer_edit - edit @path with $VISUAL, $EDITOR or vi, and wait for its end
 *
 * Errors: -ERR_IO  it cannot be started;  -ERR_USAGE  it failed
 */
int viewer_edit(struct call *c, const char *path) must_check;

#endif
