/*
 * table_scan - scans of tables (check_scan.c) that wait for their next page
 *
 * The size of a page is bounded, but a scan compares one state of the store: its snapshot and cursors are kept
 * until the client asks for the next page.  The next sweep or check frees a scan that has waited for a minute.
 * When more than 64 wait, the oldest one is freed.
 *
 * Thread:  any, for all functions; a scan is used by one thread at a time
 */
#ifndef STORE_LOCAL_CHECK_TABLE_SCAN_H
#define STORE_LOCAL_CHECK_TABLE_SCAN_H

#include "store/base/core/base.h"

struct table_scan;
struct table_scans;

struct table_scans *table_scans_new(void);

/** table_scans_free - free @all and the scans that it keeps; NULL is harmless */
void table_scans_free(struct table_scans *all);

/** table_scans_keep - keep @s, which @all owns from now on;  Return: its id, the same each time */
uint64_t table_scans_keep(struct table_scans *all, struct table_scan *s, uint64_t now_ms);

/** table_scans_take - remove the scan with that id and hand it over to the caller;  Return: NULL: it is not kept */
struct table_scan *table_scans_take(struct table_scans *all, uint64_t id);

/** table_scans_forget - free the scans that have waited for a minute */
void table_scans_forget(struct table_scans *all, uint64_t now_ms);

#endif
