/* item_hash - a number made of an item's content, the same in whichever order its parts stand */
#ifndef STORE_LOCAL_CHECK_ITEM_HASH_H
#define STORE_LOCAL_CHECK_ITEM_HASH_H

#include "store/local/records/hash.h"
#include "store/model/item.h"

/** item_hash - equal for what item_eq() calls equal: attributes, those of maps, and members of sets may change places */
struct hash128 item_hash(const struct hash_key *key, const struct item *it);

#endif
