/*
 * partiql_lex - divides a statement into lexemes, one at a time, and knows the reserved words
 *
 * It never fails: a byte that begins no lexeme is LEXEME_OTHER, which the grammar refuses.
 */
#include "store/partiql/partiql_lex.h"

#include "store/expr/expr.h"
#include "store/expr/literal.h"

/* A symbol comes before its prefixes. */
static const struct {
	const char *text;
	enum lexeme_type type;
} symbols[] = {
	{"/*", LEXEME_OTHER}, /* a comment without an end */
	{"<<", LEXEME_BAG},      {">>", LEXEME_BAG_END},  {"<>", LEXEME_NE},
	{"!=", LEXEME_NE},       {"<=", LEXEME_LE},       {">=", LEXEME_GE},
	{"||", LEXEME_CONCAT},   {"=", LEXEME_EQ},        {"<", LEXEME_LT},
	{">", LEXEME_GT},        {"(", LEXEME_OPEN},      {")", LEXEME_CLOSE},
	{"[", LEXEME_LEFT},      {"]", LEXEME_RIGHT},     {"{", LEXEME_TUPLE},
	{"}", LEXEME_TUPLE_END}, {",", LEXEME_COMMA},     {".", LEXEME_DOT},
	{":", LEXEME_COLON},     {";", LEXEME_SEMICOLON}, {"?", LEXEME_PARAMETER},
	{"*", LEXEME_STAR},      {"+", LEXEME_PLUS},      {"-", LEXEME_MINUS},
	{"/", LEXEME_SLASH},     {"%", LEXEME_PERCENT},
};

static bool
partiql_lex_begins(struct slice text, size_t at, const char *with)
{
	return slice_starts(slice_skip(text, at), slice_from(with));
}

/* Return: offset after the comment that begins at @at; @at: there is none, or it has no end. */
static size_t
comment_end(struct slice text, size_t at)
{
	bool line = partiql_lex_begins(text, at, "--");
	const char *until = line ? "\n" : "*/";
	size_t end = at + 2;

	if (!line && !partiql_lex_begins(text, at, "/*")) {
		return at;
	}
	while (end < text.len && !partiql_lex_begins(text, end, until)) {
		end++;
	}
	if (end < text.len) {
		return end + strlen(until);
	}
	return line ? end : at;
}

static size_t
partiql_lex_skip_blanks(struct slice text, size_t at)
{
	size_t before;

	do {
		before = at;
		while (at < text.len && ascii_blank(text.at[at])) {
			at++;
		}
		at = at < text.len ? comment_end(text, at) : at;
	} while (at > before);
	return at;
}

static bool
in_word(char ch)
{
	return ascii_word(ch) || ch == '$';
}

/* Read the quoted text at @at; a doubled quote does not end it. */
static struct lexeme
partiql_lex_quoted(struct slice text, size_t at)
{
	char quote = text.at[at];

	for (size_t i = at + 1; i < text.len; i++) {
		if (text.at[i] != quote) {
			continue;
		}
		if (i + 1 < text.len && text.at[i + 1] == quote) {
			i++;
			continue;
		}
		return (struct lexeme){quote == '"' ? LEXEME_QUOTED : LEXEME_STRING, at, i + 1};
	}
	return (struct lexeme){LEXEME_OTHER, at, at + 1};
}

static struct lexeme
partiql_lex_symbol(struct slice text, size_t at)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		if (partiql_lex_begins(text, at, symbols[i].text)) {
			return (struct lexeme){symbols[i].type, at, at + strlen(symbols[i].text)};
		}
	}
	return (struct lexeme){LEXEME_OTHER, at, at + 1};
}

struct lexeme
lex(struct slice text, size_t from)
{
	size_t at = partiql_lex_skip_blanks(text, from);

	if (at == text.len) {
		return (struct lexeme){LEXEME_END, at, at};
	}
	char ch = text.at[at];
	bool fraction = ch == '.' && at + 1 < text.len && ascii_digit(text.at[at + 1]);

	if (ascii_digit(ch) || fraction) {
		return (struct lexeme){LEXEME_NUMBER, at, literal_number_end(text, at)};
	}
	if (in_word(ch)) {
		size_t end = at;

		while (end < text.len && in_word(text.at[end])) {
			end++;
		}
		return (struct lexeme){LEXEME_WORD, at, end};
	}
	return ch == '"' || ch == '\'' ? partiql_lex_quoted(text, at)
				       : partiql_lex_symbol(text, at);
}

/* ------------------------------------------------------------ reserved words */

/* Words that are names only in quotes, sorted: the list of DynamoDB Local, not the reserved words of expressions. */
/* clang-format off */
static const char *const words[] = {
	"absolute", "action", "add", "all", "allocate", "alter", "and", "any", "are", "as", "asc",
	"assertion", "at", "authorization", "avg", "bag", "begin", "between", "bit", "bit_length",
	"blob", "bool", "boolean", "by", "cascade", "cascaded", "case", "cast", "catalog", "char",
	"char_length", "character", "character_length", "check", "clob", "close", "coalesce",
	"collate", "collation", "column", "commit", "conflict", "connect", "connection",
	"constraint", "constraints", "continue", "convert", "corresponding", "count", "create",
	"cross", "current", "current_date", "current_time", "current_timestamp", "current_user",
	"cursor", "date", "date_add", "date_diff", "deallocate", "dec", "decimal", "declare",
	"default", "deferrable", "deferred", "delete", "desc", "describe", "descriptor",
	"diagnostics", "disconnect", "distinct", "do", "domain", "double", "drop", "else", "end",
	"escape", "except", "exception", "exec", "execute", "exists", "external", "extract",
	"false", "fetch", "first", "float", "for", "foreign", "found", "from", "full", "get",
	"global", "go", "goto", "grant", "group", "having", "identity", "immediate", "in", "index",
	"indicator", "initially", "inner", "input", "insensitive", "insert", "int", "integer",
	"intersect", "interval", "into", "is", "isolation", "join", "key", "language", "last",
	"left", "let", "level", "like", "limit", "list", "local", "lower", "match", "max", "min",
	"missing", "modified", "module", "names", "national", "natural", "nchar", "new", "next",
	"no", "not", "nothing", "null", "nullif", "numeric", "octet_length", "of", "old", "on",
	"only", "open", "option", "or", "order", "outer", "output", "overlaps", "pad", "partial",
	"pivot", "position", "precision", "prepare", "preserve", "primary", "prior", "privileges",
	"procedure", "public", "read", "real", "references", "relative", "remove", "restrict",
	"returning", "revoke", "right", "rollback", "rows", "schema", "scroll", "section", "select",
	"session", "session_user", "set", "sexp", "size", "smallint", "some", "space", "sql",
	"sqlcode", "sqlerror", "sqlstate", "string", "struct", "substring", "sum", "symbol",
	"system_user", "table", "temporary", "then", "time", "timestamp", "to", "transaction",
	"translate", "translation", "trim", "true", "tuple", "union", "unique", "unknown",
	"unpivot", "update", "upper", "usage", "user", "using", "value", "values", "varchar",
	"varying", "view", "when", "whenever", "where", "with", "work", "write", "zone",
};
/* clang-format on */

bool
lex_reserved(struct slice word)
{
	return reserved_among(word, words, sizeof(words) / sizeof(words[0]));
}
