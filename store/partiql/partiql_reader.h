/*
 * partiql_reader - the state of the parser, and the functions that the files of the grammar share
 *
 * The first fault that is found stays in r->status, and the reader is then at the end of the text.  So a caller may
 * read on without a test: no loop goes on, later faults change nothing, and what is returned is empty, but valid.
 *
 * Functions that return int return r->status: 0 or -ERR_VALIDATION.  An error message that names a place ends in
 * "at LINE:COLUMN:LENGTH", as the service's do.  Memory is that of the call, or of the text.
 */
#ifndef STORE_PARTIQL_PARTIQL_READER_H
#define STORE_PARTIQL_PARTIQL_READER_H

#include "store/expr/trees.h"
#include "store/partiql/partiql_lex.h"

struct reader {
	struct call *c;
	struct slice text;
	struct lexeme next;             /* the lexeme that is not consumed yet */
	const struct value *parameters; /* values of the question marks */
	size_t n_parameters;
	size_t asked;       /* number of question marks so far */
	bool update;        /* in a SET of UPDATE, not in a condition */
	bool condition;     /* after WHERE */
	unsigned depth;     /* number of open parentheses, calls, lists and tuples */
	unsigned operators; /* number of operators of the condition or sum so far */
	struct buf key;     /* path of the current value: "root.a[0]" */
	int status;         /* 0 or -ERR_VALIDATION, with the first fault in the call */
	struct lexeme last; /* the next lexeme when that was found */
	bool malformed;     /* the fault is a syntax error */
	struct error late;  /* first deferred fault; see reader_defer() */
};

/* ------------------------------------------------------------ lexemes: partiql_reader.c */

/** reader_start - initialize @r; r->next is the first lexeme */
void reader_start(struct reader *r, struct call *c, struct slice text);

/** reader_advance - consume the next lexeme */
void reader_advance(struct reader *r);

/** reader_stop - end reading with the failure @status, which is the first one; does nothing if @status is 0 */
void reader_stop(struct reader *r, int status);

/** reader_fail - end reading with the failure @status, at the offset @place, if it is the first one */
int reader_fail(struct reader *r, size_t place, int status);

/* reader_refuse - refuse a well-formed statement with a message; @at: the lexeme that caused it */
#define reader_refuse(r, at, ...) \
	reader_fail((r), (at).start, call_fail((r)->c, ERR_VALIDATION, __VA_ARGS__))

/**
 * reader_malformed - refuse the next lexeme as a syntax error
 * @why: the service's reason; NULL: its reason where a term must begin
 */
int reader_malformed(struct reader *r, const char *why);

/** reader_at_end - Return: whether the statement ends here or at a semicolon */
bool reader_at_end(const struct reader *r);

/** reader_defer - keep the fault, if there is one, in r->late and read on where it was found; not for a syntax error */
void reader_defer(struct reader *r);

/** reader_check_operators - refuse at @at if the condition or sum has too many operators so far */
void reader_check_operators(struct reader *r, struct lexeme at);

/** reader_place - Return: line, column and length of @at as "1:8:5" */
const char *reader_place(const struct reader *r, struct lexeme at);

/** reader_text - Return: the bytes of @at */
struct slice reader_text(const struct reader *r, struct lexeme at);

/** reader_function - Return: the name of a function at @at in lower case; it may be written in any case */
struct slice reader_function(const struct reader *r, struct lexeme at);

/** reader_word - Return: whether the next lexeme is the keyword @word */
bool reader_word(const struct reader *r, const char *word);

/** reader_skip - consume the next lexeme if it is the keyword @word;  Return: whether it was */
bool reader_skip(struct reader *r, const char *word);

/** reader_take - consume the next lexeme if it is a @type;  Return: whether it was */
bool reader_take(struct reader *r, enum lexeme_type type);

/** reader_expect - consume the next lexeme, which must be a @type */
int reader_expect(struct reader *r, enum lexeme_type type);

/** reader_expect_word - consume the next lexeme, which must be the keyword @word */
int reader_expect_word(struct reader *r, const char *word);

/** reader_enter - consume the next lexeme, which opens a level of nesting; refuse if there are too many levels */
void reader_enter(struct reader *r);

/** reader_leave - consume the next lexeme, which must be a @close, and leave the level of nesting */
void reader_leave(struct reader *r, enum lexeme_type close);

/** reader_is_name - Return: whether the next lexeme is a name: quoted, or a word that is not reserved */
bool reader_is_name(const struct reader *r);

/** reader_name - consume a name */
int reader_name(struct reader *r, struct slice *out);

/** reader_string - consume the next lexeme, which is a string or a quoted name;  Return: it, unescaped */
struct slice reader_string(struct reader *r);

/** reader_path - consume a path: name {.name | [index] | ['name']} */
int reader_path(struct reader *r, struct path *out);

/* ------------------------------------------------------------ values: partiql_literal.c */

/**
 * reader_value - consume a value: a literal or a parameter, not a name
 *
 * Grammar:  value = 'text' | [+|-] number | TRUE | FALSE | NULL | ? | [{value ,}]
 *                 | {{'name': value ,}} | <<{value ,}>>
 *
 * Errors:  -ERR_VALIDATION  anything else; a set of other types than strings or numbers, or an empty one;
 *                           a member or name that occurs twice; too many levels
 */
int reader_value(struct reader *r, struct value *out);

/** reader_tuple - consume the tuple of INSERT; messages about its values do not contain the name of the attribute */
struct item reader_tuple(struct reader *r);

/** reader_at_signed - Return: whether at least one sign, followed by a number, begins at the next lexeme */
bool reader_at_signed(const struct reader *r);

/** reader_at_value - Return: whether the next lexeme begins a literal or a parameter; MISSING does not */
bool reader_at_value(const struct reader *r);

/* ------------------------------------------------------------ calls, and conditions as operands: truth.c */

/** truth_call - make a call of @function */
struct node *truth_call(struct call *c, const char *function, size_t place, struct node *const *arg,
			size_t n);

/** reader_is - consume IS and the type after it, and make a test of @first */
struct node *reader_is(struct reader *r, struct node *first);

/** reader_is_statement - refuse "name IS type" in the place of a statement; the next lexeme is the name */
void reader_is_statement(struct reader *r);

/** truth_is - Return: whether @n is a condition and not a value */
bool truth_is(const struct node *n);

/** truth_refuse - refuse a condition as an operand of @operator, which compares values only */
void truth_refuse(struct reader *r, struct lexeme op);

/** truth_compare - make the comparison @at, which must be = or <>, of @a and @b; at least one of them is a condition */
struct node *truth_compare(struct reader *r, struct lexeme at, struct node *a, struct node *b);

/** truth_in - make a test whether arg[0] is the same as one of the others; at least one of all is a condition */
struct node *truth_in(struct reader *r, struct lexeme at, struct node *const *arg, size_t n);

/* ------------------------------------------------------------ conditions: condition.c */

/**
 * reader_condition - consume the condition after WHERE
 *
 * Grammar:  condition = and {OR and};  and = not {AND not};  not = {NOT} test
 *           test = sum (= <> != < <= > >=) sum | sum [NOT] BETWEEN sum AND sum
 *                | sum [NOT] IN [ sum {, sum} ] | sum [NOT] IN ( sum {, sum} )
 *                | operand IS [NOT] (MISSING | NULL | type) | call | (condition)
 *           sum = operand {(+ | -) operand}; operators are allowed only in SET
 *           operand = path | value | call | (sum);  call = name(sum {, sum})
 */
struct node *reader_condition(struct reader *r);

/** reader_sum - consume the value of an assignment of UPDATE */
struct node *reader_sum(struct reader *r);

#endif
