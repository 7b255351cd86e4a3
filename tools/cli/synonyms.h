/* synonyms - names of commands and options in other tools: aws, kubectl, sqlite3, SQL, dynein */
#ifndef TOOLS_CLI_SYNONYMS_H
#define TOOLS_CLI_SYNONYMS_H

#include "store/op/op.h"

/* The meaning of an option of another tool. From SYNONYM_LINE on, options are refused with a suggestion. */
enum synonym_kind {
	SYNONYM_OPTION,  /* the option called @ours */
	SYNONYM_VALUE,   /* a flag: @ours is option=value */
	SYNONYM_NOTHING, /* a flag without effect: it is the default */
	SYNONYM_UNUSED,  /* its value has no meaning; @ours: its only allowed values, or NULL */
	SYNONYM_TABLE,   /* its value is the word for the table */
	SYNONYM_PK,      /* ... for the partition key, or for an item */
	SYNONYM_SK,      /* ... for the sort key */
	SYNONYM_LAST,    /* ... for the last word */
	SYNONYM_LINE,    /* replace it by @ours and its value, or 1 */
	SYNONYM_PIPE, /* @ours is REASON|PROGRAM: pipe the line without the option into the program */
	SYNONYM_GROUPS, /* groups of items: use sql */
	SYNONYM_LABELS, /* conditions like a=b,c=d: use a filter */
	SYNONYM_KEYS,   /* credentials: put them into a file */
	SYNONYM_ANSWER, /* @ours is the suggestion */
};

struct synonym {
	const char
		*others; /* names, separated by blanks, without leading dashes, with "-" for "_" */
	enum synonym_kind kind;
	const char *
		ours; /* for SYNONYM_ANSWER: TABLE and VALUE are replaced by words that were typed */
	const char *
		of; /* commands, separated by blanks; NULL: all. If a blank comes first, also before a command */
};

struct synonym_command {
	const char *others; /* names, separated by blanks */
	const char *ours;
};

/* All rows of options, ended by NULL; the first one that matches name and command applies */
extern const struct synonym synonyms_options[];

/** synonyms_option - the row for the option @name of @command (NULL: before a command), or NULL */
const struct synonym *synonyms_option(struct slice name, const char *command);

/** synonyms_is_store - return true if the option @name, such as "db", names the store, for any command */
bool synonyms_is_store(struct slice name);

/** synonyms_store_word - as synonyms_is_store(), for a word with dashes, such as "-d", whose value is the next word */
bool synonyms_store_word(const char *word);

/** synonyms_format - our name of another tool's output format; else @name */
const char *synonyms_format(const char *name);

/* All rows of commands, ended by NULL */
extern const struct synonym_command synonyms_commands[];

/** synonyms_command - our command for another tool's command @name, or NULL */
const char *synonyms_command(const char *name);

/** synonyms_is_statement - return true if @text is a PartiQL statement, and not the name of a command */
bool synonyms_is_statement(const char *text);

/** synonyms_operation - the operation of the API for "put-item", "put_item" or "PutItem"; OP_COUNT if there is none */
enum op_type synonyms_operation(const char *name);

/** synonyms_of_operation - the command that does the same as the operation, with the same words; else NULL */
const char *synonyms_of_operation(enum op_type type);

#endif
