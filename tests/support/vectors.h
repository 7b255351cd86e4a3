/* vectors - the lines of a file under tests/vectors */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include <stddef.h>

enum { VECTOR_LINE_BYTES = 4096, VECTOR_FIELDS = 4 };

struct vector {
	size_t line;                  /* number in the file, for messages */
	size_t n;                     /* fields on it */
	char *field[VECTOR_FIELDS];   /* separated by blanks; "0{3}" is written out to "000" */
	char text[VECTOR_LINE_BYTES]; /* their memory */
};

/**
 * vectors_each - call @fn with every line of @path that is neither empty nor a comment
 *
 * Return: how many there were; 0 when the file cannot be read.
 */
size_t vectors_each(const char *path, void (*fn)(const struct vector *v));

#endif
