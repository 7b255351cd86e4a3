/* complaint - the error message of a command on stderr */
#ifndef TOOLS_SESSION_COMPLAINT_H
#define TOOLS_SESSION_COMPLAINT_H

#include "tools/session/ctl.h"

/** ctl_complain - print the call's error on stderr, with a caret if its place is known, and its item */
void ctl_complain(const struct ctl *ctl, const struct call *c);

#endif
