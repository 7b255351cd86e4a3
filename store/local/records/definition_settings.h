/*
 * definition_settings - the last part of a table's definition: its properties besides keys and indexes
 *
 * Shape:  n:varint (setting:u8 value:text)...
 */
#ifndef STORE_LOCAL_RECORDS_DEFINITION_SETTINGS_H
#define STORE_LOCAL_RECORDS_DEFINITION_SETTINGS_H

#include "store/base/core/buf.h"
#include "store/local/records/reader.h"
#include "store/model/schema.h"

/** definition_settings_put - append the settings of @s that differ from their defaults */
void definition_settings_put(struct buf *out, const struct schema *s);

/**
 * definition_settings_get - read the settings into @s
 * @s: the table's indexes are already there
 *
 * Errors:  r->bad is set  (any bytes are safe to pass)
 * Memory:  arrays are in r->arena, slices borrow the bytes that are read
 */
void definition_settings_get(struct reader *r, struct schema *s);

#endif
