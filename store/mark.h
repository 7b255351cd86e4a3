/*
 * mark - stores that a file of settings marks as production: nothing is written to them, whatever is said
 *
 *   [prod]                     of $XDG_CONFIG_HOME/itemfs/config, or of /etc/itemfs/config
 *   region = eu-west-1         or store =, or endpoint =
 *   read-only = yes
 *
 * A mark is of the store, not of its name: of a directory by any path, of a server by any URL that means it, of
 * DynamoDB's region by each of its hosts and by dynamodb:REGION, wherever a configuration leads that.  One with
 * profile = P does not hold where AWS_PROFILE names another one, and the environment has no keys.
 */
#ifndef STORE_MARK_H
#define STORE_MARK_H

#include "store/base/core/call.h"

/**
 * store_mark - is the store called @name marked?
 *
 * A file that cannot be read, and a mark that cannot be understood, mark all of other machines' stores.
 *
 * Return: a sentence for who wants to write to it, in the call's arena; NULL: it is not
 */
const char *store_mark(struct call *c, const char *name);

#endif
