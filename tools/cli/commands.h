/* commands - all of itemctl's, as help groups them */
#ifndef TOOLS_CLI_COMMANDS_H
#define TOOLS_CLI_COMMANDS_H

#include "tools/cli/help.h"

/* Ends with a title NULL. */
extern const struct help_group commands[];

/** commands_find - the one of this name, or NULL */
const struct command *commands_find(const char *name);

#endif
