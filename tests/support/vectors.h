/* vectors - the lines of a file under tests/vectors */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include "store/base/core/base.h"

enum { VECTOR_LINE_BYTES = 4096, VECTOR_FIELDS = 4 };

struct vector {
	size_t line;                  /* line number in the file, for messages */
	size_t n;                     /* number of fields on the line */
	char *field[VECTOR_FIELDS];   /* separated by blanks; "0{3}" is expanded to "000" */
	char text[VECTOR_LINE_BYTES]; /* memory of the fields */
};

/**
 * vectors_each - call @fn with every line of @path that is neither empty nor a comment
 *
 * Return: the number of such lines; 0 if the file cannot be read
 */
size_t vectors_each(const char *path, void (*fn)(const struct vector *v));

#endif
