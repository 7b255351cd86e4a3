/*
 * crash - what would be left of a directory if the machine stopped now
 *
 * This file brings the process its own fsync() and fdatasync(), which remember how much
 * of each file, and which names of each directory, were made to last.  Link it into one test
 * executable only.
 */
#ifndef TESTS_SUPPORT_CRASH_H
#define TESTS_SUPPORT_CRASH_H

#include <stdbool.h>

/**
 * crash_copy - copy @from to the new directory @to: each LevelDB log cut where it was last synced,
 * all other files, which LevelDB syncs before it uses them, whole
 *
 * Nothing may write tables meanwhile: see crash_hold_tables().
 * Return: 0, -1.
 */
int crash_copy(const char *from, const char *to);

/** crash_copy_whole - likewise, with the logs as they are: the process stopped, or damage comes later */
int crash_copy_whole(const char *from, const char *to);

/** crash_copy_lasting - likewise, for what is not LevelDB's: files whose names last, each cut where it was synced */
int crash_copy_lasting(const char *from, const char *to);

/** crash_lasts - is the file, or directory, there with all of it and its name whatever happens? */
bool crash_lasts(const char *path);

/** crash_hold_tables - let whoever syncs a table (*.ldb) wait until it is let go on */
void crash_hold_tables(bool hold);

/** crash_fail_names - make each sync of a directory fail, until called with false */
void crash_fail_names(bool fail);

/** crash_remove - delete a directory with all in it */
void crash_remove(const char *dir);

#endif
