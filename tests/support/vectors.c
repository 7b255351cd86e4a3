#include "tests/support/vectors.h"

/* Copy a word; "9{38}" becomes 38 nines. */
static char *
expand(char *to, const char *word)
{
	while (*word != '\0') {
		size_t count = 1;
		char *end = NULL;

		if (word[1] == '{') {
			count = strtoul(word + 2, &end, 10);
		}
		memset(to, *word, count);
		to += count;
		word = end == NULL ? word + 1 : end + 1;
	}
	*to = '\0';
	return to + 1;
}

size_t
vectors_each(const char *path, void (*fn)(const struct vector *v))
{
	FILE *f = fopen(path, "r");
	char line[VECTOR_LINE_BYTES / 4];
	size_t n = 0;
	size_t number = 0;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		struct vector v = {.line = ++number};
		char *end = v.text;
		char *rest = NULL;

		if (line[0] == '#') {
			continue;
		}
		for (char *word = strtok_r(line, " \t\n", &rest);
		     word != NULL && v.n < VECTOR_FIELDS; word = strtok_r(NULL, " \t\n", &rest)) {
			v.field[v.n++] = end;
			end = expand(end, word);
		}
		if (v.n > 0) {
			fn(&v);
			n++;
		}
	}
	if (f != NULL) {
		(void)fclose(f);
	}
	return n;
}
