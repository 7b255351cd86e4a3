/* stdfd - the descriptors 0, 1 and 2 before anything else is opened */
#ifndef STORE_BASE_SYSTEM_STDFD_H
#define STORE_BASE_SYSTEM_STDFD_H

/**
 * stdfd_reserve - take those of the three that the caller closed (prog >&-)
 *
 * Else the next file opened, one of the store's, would be standard output, and the answer would be
 * written into it.  What takes their place cannot be used the way they are, so that a write to a
 * closed standard output still fails.  First thing in main().
 */
void stdfd_reserve(void);

#endif
