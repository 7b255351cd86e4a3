/*
 * leftovers - jobs that an earlier process did not finish
 *
 *   a backup being written   has failed: the state that it was to keep is no more
 *   a table being restored   begins again
 *   an export                has failed, likewise
 *   a table being imported   begins again
 *   files without a backup   are removed
 */
#ifndef STORE_LOCAL_LEFTOVERS_H
#define STORE_LOCAL_LEFTOVERS_H

#include "store/local/records/local_int.h"

/** leftovers_tidy - at the open; what cannot be tidied away now waits for the next one */
void leftovers_tidy(struct local *l, const struct call *c);

#endif
