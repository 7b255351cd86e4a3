/* item_hash - hash of an item's content that does not depend on the order of its parts */
#ifndef STORE_LOCAL_CHECK_ITEM_HASH_H
#define STORE_LOCAL_CHECK_ITEM_HASH_H

#include "store/local/records/hash.h"
#include "store/model/item.h"

/** item_hash - equal if item_eq() is true: the order of attributes, map entries and set members does not matter */
struct hash128 item_hash(const struct hash_key *key, const struct item *it);

#endif
