/* survey_walk - the two walks of a survey, and the report of how much of a damaged table can be read */
#ifndef STORE_LOCAL_CHECK_SURVEY_WALK_H
#define STORE_LOCAL_CHECK_SURVEY_WALK_H

#include "store/local/check/check_int.h"
#include "store/local/check/survey_int.h"

/** survey_walk_items - continue the walk over the items for a page */
void survey_walk_items(struct walk *w);

/** survey_walk_rest - continue the walk over entries, directories and totals for a page; @arg: struct walk */
void *survey_walk_rest(void *arg);

/** survey_keep_damage - set s->damage to a copy of @why if it is empty */
void survey_keep_damage(struct survey *s, struct slice why);

/**
 * survey_take_damage - take the result of a page of @w; damage becomes s->damage and is no error
 *
 * Return:  0
 * Errors:  those of @w except -ERR_CORRUPT
 */
int survey_take_damage(struct check *k, struct walk *w) __attribute__((warn_unused_result));

/** survey_tell_readable - report as problems how much of the table and its indexes can be read; count it in @k */
void survey_tell_readable(struct survey *s, struct check *k);

#endif
