/*
 * harm - a LevelDB whose files are damaged: a test makes one, copies it, does harm
 * to the copy, opens it, and looks which of the commits are there
 *
 * Commit number i puts the key "i" and the key "all", whose value is i: so what
 * is there can be no prefix by chance.
 */
#ifndef TESTS_SUPPORT_HARM_H
#define TESTS_SUPPORT_HARM_H

#include "store/kv/kv.h"

#include "tests/support/unit.h"

enum { HARM_COMMITS = 128, HARM_LOGS = 4, HARM_BLOCK = 32768 };

/* Outcomes beside the number of commits that are there. */
enum { HARM_REFUSED = -1, HARM_NO_PREFIX = -2 };

struct harm {
	struct call c;
	char base[UNIT_FOLDER_BYTES];
	char made[64]; /* the directory that was made */
	char copy[64];

	/* The logs that were made, oldest first, and where in the newest each commit ends. */
	struct {
		char name[32];
		off_t size;
	} logs[HARM_LOGS];
	size_t n_logs;
	off_t ends[HARM_COMMITS];
};

/* Of the suite that runs. */
extern struct harm harm;

/** harm_setup, harm_teardown - of a suite's tests */
void harm_setup(void);
void harm_teardown(void);

/** harm_make - open a new LevelDB with @n commits, with values of @bytes each */
struct kv *harm_make(unsigned n, size_t bytes, bool durable);

/** harm_commit - commit number @i; Return: of kv_commit() */
int harm_commit(struct kv *kv, unsigned i, size_t bytes, bool durable);

/** harm_find_logs - which logs there are now, in @harm */
void harm_find_logs(void);

/** harm_copy - what was made, without its extended attributes, in place of the last copy */
void harm_copy(void);

/** harm_has_notes - may files have extended attributes here?  Says so where not */
bool harm_has_notes(void);

/** harm_note - of a log in the directory @in: so many bytes of it are on disk; < 0: as many as are noted of that in harm.made */
void harm_note(const char *in, const char *log, off_t bytes);

/** harm_noted - how many bytes of a log in harm.made are noted; -1: there is no note */
off_t harm_noted(const char *log);

/** harm_obey - run the command that the last refusal advises, which stands in double quotes */
void harm_obey(void);

/** harm_cut - a file of the copy ends at @size: zeros follow where it was shorter */
void harm_cut(const char *name, off_t size);

/** harm_zero - up to 4096 bytes of a file of the copy are zero */
void harm_zero(const char *name, off_t from, off_t bytes);

/** harm_flip - a bit of the byte @at of a file of the copy is another one */
void harm_flip(const char *name, off_t at);

/** harm_survivors - the copy is opened: how many of @of commits does it have?  Or HARM_REFUSED, HARM_NO_PREFIX */
int harm_survivors(unsigned of);

/** harm_ended_by - how many of @n commits end at or before @at in the newest log? */
int harm_ended_by(off_t at, unsigned n);

/** harm_expect - of harm done at byte @at: it is as it should be */
void harm_expect(int is, int want, off_t at);

#endif
