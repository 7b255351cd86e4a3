/*
 * survey - surveys of tables (check_survey.c) that wait for their next page
 *
 * The size of a page is bounded, but a survey compares one state of the store: its snapshot and cursors are kept
 * until the client asks for the next page.  The next sweep or check frees a survey that has waited for a minute.
 * When more than 64 wait, the oldest one is freed.
 *
 * Thread:  any, for all functions; a survey is used by one thread at a time
 */
#ifndef STORE_LOCAL_CHECK_SURVEY_H
#define STORE_LOCAL_CHECK_SURVEY_H

#include <stdint.h>

struct survey;
struct surveys;

/** survey_free - free a survey and its snapshot; NULL is harmless */
void survey_free(struct survey *s);

struct surveys *surveys_new(void);

/** surveys_free - free @all and the surveys that it keeps; NULL is harmless */
void surveys_free(struct surveys *all);

/** surveys_keep - keep @s, which @all owns from now on;  Return: its id, the same each time */
uint64_t surveys_keep(struct surveys *all, struct survey *s, uint64_t now_ms);

/** surveys_take - remove the survey with that id and hand it over to the caller;  Return: NULL: it is not kept */
struct survey *surveys_take(struct surveys *all, uint64_t id);

/** surveys_forget - free the surveys that have waited for a minute */
void surveys_forget(struct surveys *all, uint64_t now_ms);

#endif
