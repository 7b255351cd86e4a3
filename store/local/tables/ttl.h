/* ttl - test whether an item is past its time to live */
#ifndef STORE_LOCAL_TABLES_TTL_H
#define STORE_LOCAL_TABLES_TTL_H

#include <stdbool.h>
#include <stdint.h>

#include "store/model/value.h"

/**
 * ttl_is_over - Return: whether an item has expired
 * @v:       value of the table's time-to-live attribute, of any type
 * @now_s:   Unix time
 * @any_age: true even if it expired more than five years ago
 *
 * Source: BEHAVIOUR 8.2, 8.3
 */
bool ttl_is_over(const struct value *v, uint64_t now_s, bool any_age);

#endif
