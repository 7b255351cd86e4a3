/*
 * survey - surveys of tables (check_survey.c) between two pages of a check
 *
 * A page is bounded, but what it compares is one state of the store: the snapshot and the places in it stay
 * until whoever checks asks for the next page.  Who has not done so for a minute is forgotten by the next
 * sweep or check, and the oldest of more than 64 at once.
 */
#ifndef STORE_LOCAL_CHECK_SURVEY_H
#define STORE_LOCAL_CHECK_SURVEY_H

#include <stdint.h>

struct survey;
struct surveys;

/* At the beginning of each survey. */
struct survey_kept {
	struct survey *next;
	uint64_t id; /* from 1; 0: it was never kept */
	uint64_t since_ms;
};

/** survey_free - with its snapshot; NULL is harmless */
void survey_free(struct survey *s);

struct surveys *surveys_new(void);

/** surveys_free - and those that are kept; NULL is harmless */
void surveys_free(struct surveys *all);

/** surveys_keep - until it is taken, or 64 others have come; Return: its id, the same each time */
uint64_t surveys_keep(struct surveys *all, struct survey *s, uint64_t now_ms);

/** surveys_take - the survey with that id, the caller's from now on; NULL: it is not kept */
struct survey *surveys_take(struct surveys *all, uint64_t id);

/** surveys_forget - free those that nobody has asked for in a minute */
void surveys_forget(struct surveys *all, uint64_t now_ms);

#endif
