/*
 * definition - a table's schema as bytes: the value of the key 't' name
 *
 * Shape:
 *   01 id:u32be version:u32be created_ms:u64be
 *   provisioned:u8 read_units:varint write_units:varint on_demand_ms:u64be
 *   key next_index:u16be n_index:varint
 *   (text global:u8 id:u16be state:u8 read_units:varint write_units:varint
 *    key projection:u8 n_include:varint text...)...
 *   settings
 *   settings = n:varint (setting:u8 value:text)...; those with their default are left out
 *   key = n_pk:u8 attr... n_sk:u8 attr...;  attr = text type:u8;  text = len:varint bytes
 */
#ifndef STORE_LOCAL_RECORDS_DEFINITION_H
#define STORE_LOCAL_RECORDS_DEFINITION_H

#include "store/model/schema.h"

/** definition_encode - append the bytes of @s without its name, which is in the key */
void definition_encode(struct buf *out, const struct schema *s);

/**
 * definition_decode - decode the schema of table @name
 *
 * Errors:  -ERR_CORRUPT  (any bytes are safe to pass)
 * Memory:  arrays in the call's arena, slices borrow @bytes and @name
 */
int definition_decode(struct call *c, struct slice name, struct slice bytes, struct schema *out)
	must_check;

#endif
