/* synonyms - what other tools call a command or an option: aws, kubectl, sqlite3, SQL, dynein */
#ifndef TOOLS_CLI_SYNONYMS_H
#define TOOLS_CLI_SYNONYMS_H

#include "store/op/op.h"

/* What an option of another tool is here. */
enum synonym_kind {
	SYNONYM_OPTION,  /* the option called @ours */
	SYNONYM_VALUE,   /* a flag: @ours is option=value */
	SYNONYM_NOTHING, /* a flag: it is so anyway */
	SYNONYM_UNUSED, /* its value has no meaning here; @ours: the only values that it may have */
	SYNONYM_TABLE,  /* its value is the word for the table */
	SYNONYM_PK,     /* ... for the partition key, or for an item */
	SYNONYM_SK,     /* ... for the sort key */
	SYNONYM_LAST,   /* ... for the last word */
	SYNONYM_LINE,   /* no option: @ours, and its value or 1, stands in its place */
	SYNONYM_PIPE, /* no option: @ours is why|what, the typed line without it is piped into that */
	SYNONYM_GROUPS, /* no option: groups of items, which sql has */
	SYNONYM_LABELS, /* no option: conditions as a=b,c=d */
	SYNONYM_KEYS,   /* no option: keys, which are in a file */
	SYNONYM_ANSWER, /* no option: @ours says what is written instead */
};

struct synonym {
	const char *others; /* with blanks between them, without dashes, "-" for "_" */
	enum synonym_kind kind;
	const char *ours; /* an answer has TABLE and VALUE for the words that were typed */
	const char *
		of; /* the commands that it is for, with blanks between them; NULL: all; a blank first: before one, too */
};

struct synonym_command {
	const char *others; /* with blanks between them */
	const char *ours;
};

/** synonyms_options - all rows of options */
const struct synonym *synonyms_options(size_t *n);

/** synonyms_option - the row for the option @name of the command called @command (NULL: before any), or NULL */
const struct synonym *synonyms_option(struct slice name, const char *command);

/** synonyms_is_store - does the option called @name, as "db", name the store of any command? */
bool synonyms_is_store(struct slice name);

/** synonyms_store_word - likewise for @word with its dashes, as "-d", whose value is the next word */
bool synonyms_store_word(const char *word);

/** synonyms_format - what a form of another tool is called here; else @name */
const char *synonyms_format(const char *name);

/** synonyms_commands - all rows of commands */
const struct synonym_command *synonyms_commands(size_t *n);

/** synonyms_command - the command that is meant with @name, or NULL */
const char *synonyms_command(const char *name);

/** synonyms_is_statement - is @text a PartiQL statement, rather than a command's name? */
bool synonyms_is_statement(const char *text);

/** synonyms_operation - the operation of the API, as "put-item", "put_item", "PutItem"; OP_COUNT: none */
enum op_type synonyms_operation(const char *name);

/** synonyms_of_operation - the command that does what the operation does, with the same words; NULL: call */
const char *synonyms_of_operation(enum op_type type);

#endif
