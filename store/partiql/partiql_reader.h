/*
 * partiql_reader - a statement being read: lexemes, complaints, names, values, conditions
 *
 * What the files of the grammar share.  A complaint that names a place ends in
 * "at LINE:COLUMN:LENGTH", as the service's do.
 */
#ifndef STORE_PARTIQL_PARTIQL_READER_H
#define STORE_PARTIQL_PARTIQL_READER_H

#include "store/expr/trees.h"
#include "store/partiql/partiql_lex.h"

struct reader {
	struct call *c;
	struct slice text;
	struct lexeme next;
	const struct value *parameters; /* what the question marks stand for */
	size_t n_parameters;
	size_t asked;       /* question marks so far */
	bool update;        /* in what UPDATE sets, not in a condition */
	bool condition;     /* behind WHERE */
	unsigned depth;     /* open parentheses, calls, lists, tuples */
	unsigned operators; /* so far */
	struct buf key;     /* of the value that is read: "root.a[0]" */
	bool malformed;     /* the error is one of syntax */
	struct error
		late; /* what is wrong beside the syntax; told when all of the statement is read */
};

/* ------------------------------------------------------------ lexemes: partiql_reader.c */

/** reader_start - stand before the first lexeme */
void reader_start(struct reader *r, struct call *c, struct slice text);

/** reader_advance - on to the next lexeme */
void reader_advance(struct reader *r);

/**
 * reader_malformed - refuse the next lexeme; Return: -ERR_VALIDATION
 * @why: the service's reason; NULL: what it says where a term must begin
 */
int reader_malformed(struct reader *r, const char *why) __attribute__((warn_unused_result));

/** reader_at_end - is there nothing more to read, or a semicolon? */
bool reader_at_end(const struct reader *r);

/**
 * reader_defer - keep the error @status, unless it is one of syntax, until all of the statement is read
 *
 * Return: 0, or @status
 */
int reader_defer(struct reader *r, int status) __attribute__((warn_unused_result));

/* reader_refuse - refuse a statement that is well formed, for a reason; @at is to blame */
#define reader_refuse(r, at, ...) \
	expr_blame((r)->c, (at).start, call_fail((r)->c, ERR_VALIDATION, __VA_ARGS__))

/** reader_place - "1:8:5": line, column and length of @at, in the call's arena */
const char *reader_place(const struct reader *r, struct lexeme at);

/** reader_text - the bytes of @at */
struct slice reader_text(const struct reader *r, struct lexeme at);

/** reader_function - likewise of the name of a function, which may be written in any case: in lower case */
struct slice reader_function(const struct reader *r, struct lexeme at);

/** reader_word - is the next lexeme the keyword @word? */
bool reader_word(const struct reader *r, const char *word);

/** reader_skip - is it?  Then on behind it */
bool reader_skip(struct reader *r, const char *word);

/** reader_expect - the next lexeme must be a @type, or the keyword @word; on behind it */
int reader_expect(struct reader *r, enum lexeme_type type) __attribute__((warn_unused_result));
int reader_expect_word(struct reader *r, const char *word) __attribute__((warn_unused_result));

/** reader_enter - one level deeper, behind the next lexeme; Errors: -ERR_VALIDATION  too deep */
int reader_enter(struct reader *r) __attribute__((warn_unused_result));

/** reader_leave - the next lexeme must be a @close; behind it, one level up */
int reader_leave(struct reader *r, enum lexeme_type close) __attribute__((warn_unused_result));

/** reader_is_name - can a name stand here?  In quotes, or a word that is not reserved */
bool reader_is_name(const struct reader *r);

/** reader_name - a name; what is none is malformed */
int reader_name(struct reader *r, struct slice *out) __attribute__((warn_unused_result));

/** reader_string - the string that is the next lexeme, unescaped; on behind it */
struct slice reader_string(struct reader *r);

/** reader_path - name {.name | [index] | ['name']} */
int reader_path(struct reader *r, struct path *out) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ values: partiql_literal.c */

/**
 * reader_value - a value: literals and parameters, no names
 *
 * Grammar:  value = 'text' | [+|-] number | TRUE | FALSE | NULL | ? | [{value ,}]
 *                 | {{'name': value ,}} | <<{value ,}>>
 *
 * Errors:  -ERR_VALIDATION  anything else, sets of other than strings or numbers, empty ones, a
 *                           member or name twice, nesting
 */
int reader_value(struct reader *r, struct value *out) __attribute__((warn_unused_result));

/** reader_tuple - the one that begins at the next lexeme; its values' keys are @key's itself */
int reader_tuple(struct reader *r, struct item *out) __attribute__((warn_unused_result));

/** reader_at_signed - does a number begin here, behind at least one sign? */
bool reader_at_signed(const struct reader *r);

/** reader_at_value - does a literal or a parameter begin here?  MISSING is none */
bool reader_at_value(const struct reader *r);

/* ------------------------------------------------------------ conditions: condition.c */

/** node_make - an operator or call over @n arguments, copied */
struct node *node_make(struct call *c, enum node_type type, size_t place, struct node *const *arg,
		       size_t n);

/** node_call - FUNCTION(arguments) */
struct node *node_call(struct call *c, const char *function, size_t place, struct node *const *arg,
		       size_t n);

/** node_value - a constant */
struct node *node_value(struct call *c, const struct value *v, size_t place);

/** node_name - the attribute called @name */
struct node *node_name(struct call *c, struct slice name, size_t place);

/** reader_is - what IS says of @first; the next lexeme is IS */
int reader_is(struct reader *r, struct node *first, struct node **out)
	__attribute__((warn_unused_result));

/** reader_is_statement - refuse "name IS type" where a statement must stand; the next lexeme is the name */
int reader_is_statement(struct reader *r) __attribute__((warn_unused_result));

/** truth_is - is @n a condition, rather than a value? */
bool truth_is(const struct node *n);

/** truth_size - how many nodes has @n, at least, when they are more than @most? */
size_t truth_size(const struct node *n, size_t most);

/** truth_same - are @a and @b the same, at least one of them being a condition?  Both stand twice in what comes out. */
struct node *truth_same(struct call *c, struct node *a, struct node *b);

/**
 * reader_condition - what stands behind WHERE
 *
 * Grammar:  condition = and {OR and};  and = not {AND not};  not = {NOT} test
 *           test = sum (= <> != < <= > >=) sum | sum [NOT] BETWEEN sum AND sum
 *                | sum [NOT] IN [ sum {, sum} ] | sum [NOT] IN ( sum {, sum} )
 *                | operand IS [NOT] (MISSING | NULL | type) | call | (condition)
 *           sum = operand {(+ | -) operand}: not in a condition
 *           operand = path | value | call | (sum);  call = name(sum {, sum})
 */
int reader_condition(struct reader *r, struct node **out) __attribute__((warn_unused_result));

/** reader_sum - what UPDATE sets: a sum */
int reader_sum(struct reader *r, struct node **out) __attribute__((warn_unused_result));

#endif
