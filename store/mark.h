/*
 * mark - stores that the settings mark as read-only; options cannot override that
 *
 *   [prod]                     of $XDG_CONFIG_HOME/itemfs/config, or of /etc/itemfs/config
 *   region = eu-west-1         or store =, or endpoint =
 *   read-only = yes
 *
 * A mark applies to the store under all its names: to a directory by any path, to a server by any URL of it, to a
 * region of DynamoDB by each of its hosts and by dynamodb:REGION, whatever endpoint is configured for that.  A mark
 * with profile = P does not apply if AWS_PROFILE names another profile and the environment has no keys.
 */
#ifndef STORE_MARK_H
#define STORE_MARK_H

#include "store/base/core/base.h"

/**
 * store_mark - look up the mark of the store @name
 *
 * A settings file that cannot be read, and a mark whose section names no store, mark all stores on servers.  A mark
 * with a relative path marks all directories.  A value other than yes or no marks the store, too.
 *
 * Return: a message for refused writes, in the call's arena; NULL if the store is not marked
 */
const char *store_mark(struct call *c, const char *name);

/** mark_env - return a variable of the environment, for aws.h; NULL if it is not set or empty */
const char *mark_env(const char *name);

#endif
