/* itemfs_program - finds the program itemfs */
#ifndef TOOLS_SYSTEM_ITEMFS_PROGRAM_H
#define TOOLS_SYSTEM_ITEMFS_PROGRAM_H

#include "store/base/core/call.h"

/** itemfs_program - path of itemfs beside this program or in the build directory; else its name, for PATH */
const char *itemfs_program(struct call *c);

#endif
