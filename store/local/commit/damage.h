/* damage - end of all writing after a read that found undecodable data or a wrong checksum */
#ifndef STORE_LOCAL_COMMIT_DAMAGE_H
#define STORE_LOCAL_COMMIT_DAMAGE_H

#include "store/local/records/local_int.h"

/**
 * damage_seen - refuse all writes until the store is opened again, if the result @r of a read is -ERR_CORRUPT
 * @c: the call of that read, with its error message
 *
 * Return:  @r
 * Thread:  any that does not lead: the function queues an operation and waits for it
 */
int damage_seen(struct local *l, const struct call *c, int r);

/** damage_pass_over - skip a record that @c failed on: log its error and clear it, so that @c can go on */
void damage_pass_over(struct call *c);

#endif
