/* check_survey - the check of a table as a whole */
#ifndef STORE_LOCAL_CHECK_CHECK_SURVEY_H
#define STORE_LOCAL_CHECK_CHECK_SURVEY_H

#include "store/local/check/check_int.h"

/**
 * check_survey - compare the sums of k->s with those of its indexes, counts and totals
 * @id: of the survey to continue, or 0
 *
 * Return:  0: the table is valid and has been counted;  CHECK_DIFFERS: check it part by part;
 *          CHECK_PAUSED: the page is full, continue with the new @id
 * Errors:  -ERR_IO, -ERR_CORRUPT;  -ERR_BUSY  the client has gone
 */
int check_survey(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

/**
 * check_survey_damaged - begin a survey that counts what can be read of k->s, which has met damage
 * @id: set to the id of the survey
 *
 * Clears the error of k->c, which is -ERR_CORRUPT.
 * Return:  CHECK_PAUSED
 * Errors:  -ERR_IO
 */
int check_survey_damaged(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

#endif
