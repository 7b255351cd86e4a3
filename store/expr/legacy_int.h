/* legacy_int - nodes that conditions and updates of attributes share */
#ifndef STORE_EXPR_LEGACY_INT_H
#define STORE_EXPR_LEGACY_INT_H

#include "store/expr/bind.h"

/* A path of one step, whatever characters @name has. */

/* Bound nodes; @b of a call may be NULL. */

#endif
