/*
 * harm - a fixture: a LevelDB with damaged files
 *
 * A test makes a database, copies it, damages the copy, opens it, and checks which commits it has.  Commit number i
 * puts the key "i", and the key "all" with the value i, so that no other set of commits looks like a prefix.
 */
#ifndef TESTS_SUPPORT_HARM_H
#define TESTS_SUPPORT_HARM_H

#include "store/kv/kv.h"

#include "tests/support/unit.h"

enum { HARM_COMMITS = 128, HARM_LOGS = 4, HARM_BLOCK = 32768 };

/* Outcomes other than the number of commits. */
enum { HARM_REFUSED = -1, HARM_NO_PREFIX = -2 };

struct harm {
	struct call c;
	char base[UNIT_FOLDER_BYTES];
	char made[64]; /* the original database */
	char copy[64];

	/* The logs of the original, oldest first, and the offset in the newest log at which each commit ends. */
	struct {
		char name[32];
		off_t size;
	} logs[HARM_LOGS];
	size_t n_logs;
	off_t ends[HARM_COMMITS];
};

/* State of the running suite. */
extern struct harm harm;

/** harm_setup, harm_teardown - setup and teardown of the tests of a suite */
void harm_setup(void);
void harm_teardown(void);

/** harm_make - make a LevelDB with @n commits, with values of @bytes each; Return: it, open */
struct kv *harm_make(unsigned n, size_t bytes, bool durable);

/** harm_commit - make commit number @i; Return: as kv_commit() */
int harm_commit(struct kv *kv, unsigned i, size_t bytes, bool durable);

/** harm_find_logs - store the present logs in @harm */
void harm_find_logs(void);

/** harm_copy - replace the copy by the original without its extended attributes */
void harm_copy(void);

/** harm_has_notes - return true if files can have extended attributes here; otherwise print a message */
bool harm_has_notes(void);

/** harm_note - note on a log in the directory @in that @bytes of it are on disk; < 0: copy the note from harm.made */
void harm_note(const char *in, const char *log, off_t bytes);

/** harm_noted - return the number of bytes that the note of a log in harm.made has; -1: no note */
off_t harm_noted(const char *log);

/** harm_obey - run the command in double quotes that the last refusal advises */
void harm_obey(void);

/** harm_cut - set the size of a file of the copy to @size; new bytes are zeros */
void harm_cut(const char *name, off_t size);

/** harm_zero - set up to 4096 bytes of a file of the copy to zero */
void harm_zero(const char *name, off_t from, off_t bytes);

/** harm_flip - flip a bit of byte @at of a file of the copy */
void harm_flip(const char *name, off_t at);

/** harm_survivors - open the copy; Return: how many of @of commits it has, HARM_REFUSED or HARM_NO_PREFIX */
int harm_survivors(unsigned of);

/** harm_ended_by - return how many of @n commits end at or before @at in the newest log */
int harm_ended_by(off_t at, unsigned n);

/** harm_expect - expect that @is equals @want after damage at byte @at */
void harm_expect(int is, int want, off_t at);

#endif
