/*
 * crash - copies what would be left of a directory if the machine stopped now
 *
 * It replaces fsync() and fdatasync() of the process; they record how much of each file, and which names of each
 * directory, were synced.  Link it into one test executable only.
 */
#ifndef TESTS_SUPPORT_CRASH_H
#define TESTS_SUPPORT_CRASH_H

#include "store/base/core/base.h"

/**
 * crash_copy - copy @from to the new directory @to: each LevelDB log truncated to its synced length,
 * all other files, which LevelDB syncs before it uses them, complete
 *
 * No table may be written meanwhile: see crash_hold_tables().
 * Return: 0, or -1 on failure
 */
int crash_copy(const char *from, const char *to);

/** crash_copy_whole - likewise, but with complete logs: for a stopped process, or for later damage */
int crash_copy_whole(const char *from, const char *to);

/** crash_copy_lasting - likewise, for other files than LevelDB's: those with synced names, cut to their synced length */
int crash_copy_lasting(const char *from, const char *to);

/** crash_lasts - return true if the whole file or directory, with its name, would survive a crash */
bool crash_lasts(const char *path);

/** crash_hold_tables - make each sync of a table (*.ldb) wait until called with false */
void crash_hold_tables(bool hold);

/** crash_fail_names - make each sync of a directory fail until called with false */
void crash_fail_names(bool fail);

/** crash_remove - delete a directory with its contents */
void crash_remove(const char *dir);

#endif
