/* options_words - the words of -o */
#ifndef FS_DAEMON_OPTIONS_WORDS_H
#define FS_DAEMON_OPTIONS_WORDS_H

#include "store/base/core/base.h"

enum option_kind {
	WORD_FLAG,   /* a bool of struct options */
	WORD_TEXT,   /* a string of struct options */
	WORD_NUMBER, /* 32 bits of struct options, and a bool that it was given */
	WORD_UMASK,  /* likewise, octal */
	WORD_TIMEOUT,
	WORD_CONFLICT,
	WORD_WRITE,   /* allows writes to an endpoint that is not on loopback */
	WORD_RW,      /* likewise, but not from mount(8), which always passes it */
	WORD_KERNEL,  /* passed to libfuse unchanged */
	WORD_NOTHING, /* accepted and ignored: always the case */
	WORD_FSTAB,   /* accepted and ignored: for other readers of /etc/fstab */
	WORD_LATER,   /* refused: reserved for a later version */
	WORD_NEVER,   /* refused, with a reason */
};

struct option_word {
	const char *name;
	enum option_kind kind;
	bool valued; /* needs =VALUE */
	size_t offset; /* WORD_FLAG, WORD_TEXT, WORD_NUMBER, WORD_UMASK: of the member of struct options */
	size_t given; /* WORD_NUMBER, WORD_UMASK: of the bool that it was given; else 0 */
};

/* All words.  options_format() writes them in this order. */
extern const struct option_word options_words[];
extern const size_t options_words_n;

/** options_words_find - the word @name, or NULL; all names that begin with "x-" or "X-" are words of fstab */
const struct option_word *options_words_find(const char *name);

/** options_words_other - the word for an option that other programs call @name, or NULL */
const char *options_words_other(const char *name);

#endif
