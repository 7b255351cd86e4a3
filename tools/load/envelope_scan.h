/* envelope_scan - the tokens of JSON text, which may be incomplete; allocates nothing, and does not check values */
#ifndef TOOLS_LOAD_ENVELOPE_SCAN_H
#define TOOLS_LOAD_ENVELOPE_SCAN_H

#include "store/base/core/slice.h"

/* Results of the functions below, other than 0 and errors. */
enum {
	STEP_MORE = 1, /* the text ends too early */
	STEP_NOT = 2,  /* the text is no envelope */
	STEP_OPEN = 3, /* the text ends within the array; only envelope.c returns it */
};

struct envelope_scan {
	const char *begin; /* of the text */
	struct slice rest; /* the part that has not been scanned */
};

/** envelope_scan_place - return the offset of the rest in the text */
size_t envelope_scan_place(const struct envelope_scan *s);

/** envelope_scan_peek - skip blanks, and return the next character without taking it; 0: the text ends */
char envelope_scan_peek(struct envelope_scan *s);

/** envelope_scan_take - take the character @ch, after blanks; Return: 0, STEP_MORE, STEP_NOT */
int envelope_scan_take(struct envelope_scan *s, char ch);

/** envelope_scan_value - take any value; @out gets its text; Return: 0, STEP_MORE, STEP_NOT */
int envelope_scan_value(struct envelope_scan *s, struct slice *out);

/** envelope_scan_name - take the name of a member (@out: no quotes, with escapes) and its colon; Return: as above */
int envelope_scan_name(struct envelope_scan *s, struct slice *out);

/**
 * envelope_scan_next - advance to the next element of a list or object, and take the comma before it
 * @close: the bracket that ends the list or object
 * @first: no element was taken yet, so there is no comma
 * @ended: set if there was @close instead, which is then taken
 *
 * Return: 0, STEP_MORE, STEP_NOT
 */
int envelope_scan_next(struct envelope_scan *s, char close, bool first, bool *ended);

/** envelope_scan_next_name - as envelope_scan_next() for an object; also take the name of the member and its colon */
int envelope_scan_next_name(struct envelope_scan *s, bool first, struct slice *name, bool *ended);

#endif
