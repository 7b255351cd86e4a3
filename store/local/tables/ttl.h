/* ttl - has an item outlived its time to live? */
#ifndef STORE_LOCAL_TABLES_TTL_H
#define STORE_LOCAL_TABLES_TTL_H

#include <stdbool.h>
#include <stdint.h>

#include "store/model/value.h"

/**
 * ttl_is_over - of an item with the value @v of its table's attribute
 * @v:       any value
 * @now_s:   Unix time
 * @any_age: also when that has been so for more than five years
 *
 * Source: BEHAVIOUR 8.2, 8.3
 */
bool ttl_is_over(const struct value *v, uint64_t now_s, bool any_age);

#endif
