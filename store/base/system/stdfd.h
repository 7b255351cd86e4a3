/* stdfd - keeps the descriptors 0, 1 and 2 from being used for other files */
#ifndef STORE_BASE_SYSTEM_STDFD_H
#define STORE_BASE_SYSTEM_STDFD_H

/**
 * stdfd_reserve - open /dev/null in place of standard descriptors that are closed (prog >&-)
 *
 * Otherwise the next file opened, one of the store's, would be standard output, and results would be
 * written into it.  /dev/null is opened in the opposite direction, so that a write to a
 * closed standard output still fails.  Call it first in main().
 */
void stdfd_reserve(void);

#endif
