/* damage - what a read cannot decode or whose checksum is wrong ends all writing */
#ifndef STORE_LOCAL_COMMIT_DAMAGE_H
#define STORE_LOCAL_COMMIT_DAMAGE_H

#include "store/local/records/local_int.h"

/**
 * damage_seen - @r is what a read answered: if it met damage, nothing is written any more until the
 * store is opened again
 *
 * Return:  @r
 * Thread:  any but a leader's: it waits for its turn to lead
 */
int damage_seen(struct local *l, const struct call *c, int r);

/** damage_pass_over - a record that @c failed on hides no others: a line about it, and @c goes on */
void damage_pass_over(struct call *c);

#endif
