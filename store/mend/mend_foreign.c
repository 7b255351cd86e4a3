/* mend_foreign - the table of signs, words and functions of other languages */
#include "store/mend/mend.h"

static const struct mend_foreign mend_foreigns[] = {
	{"==", "=", MEND_SIGN, NULL},
	{"!=", "<>", MEND_SIGN, NULL},
	{"=>", ">=", MEND_SIGN, NULL},
	{"=<", "<=", MEND_SIGN, NULL},
	{"&&", "AND", MEND_SIGN, NULL},
	{"||", "OR", MEND_SIGN, "|| is written OR, and for lists list_append(a, b)"},
	{";", ",", MEND_SIGN, NULL},
	{"UPDATE", "SET", MEND_CLAUSE, NULL},
	{"UNSET", "REMOVE", MEND_CLAUSE, NULL},
	{"DROP", "REMOVE", MEND_CLAUSE, NULL},
	{"DELETE", "REMOVE", MEND_CLAUSE, NULL},
	{"INCR", "ADD", MEND_CLAUSE, NULL},
	{"INC", "ADD", MEND_CLAUSE, NULL},
	{"INCREMENT", "ADD", MEND_CLAUSE, NULL},
	{"APPEND", "ADD", MEND_CLAUSE, NULL},
	{"starts_with", "begins_with", MEND_FUNCTION, NULL},
	{"startswith", "begins_with", MEND_FUNCTION, NULL},
	{"beginswith", "begins_with", MEND_FUNCTION, NULL},
	{"prefix", "begins_with", MEND_FUNCTION, NULL},
	{"includes", "contains", MEND_FUNCTION, NULL},
	{"has", "contains", MEND_FUNCTION, NULL},
	{"exists", "attribute_exists", MEND_FUNCTION, NULL},
	{"not_exists", "attribute_not_exists", MEND_FUNCTION, NULL},
	{"notexists", "attribute_not_exists", MEND_FUNCTION, NULL},
	{"size_of", "size", MEND_FUNCTION, NULL},
	{"sizeof", "size", MEND_FUNCTION, NULL},
	{"length", "size", MEND_FUNCTION, NULL},
	{"len", "size", MEND_FUNCTION, NULL},
	{"type", "attribute_type", MEND_FUNCTION, NULL},
	{"append", "list_append", MEND_FUNCTION, NULL},
	{"ifnotexists", "if_not_exists", MEND_FUNCTION, NULL},
	{"coalesce", "if_not_exists", MEND_FUNCTION, NULL},
	{"LIKE", "", MEND_TOLD,
	 "LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x')"},
	{"contains", "", MEND_TOLD, "contains is a function: contains(a, 'x')"},
	{"begins_with", "", MEND_TOLD, "begins_with is a function: begins_with(a, 'x')"},
	{"in [", "", MEND_TOLD, "in [...] is written a IN ('x', 'y')"},
	{"+=", "", MEND_TOLD, "n += 1 is written ADD n 1, or SET n = n + 1"},
	{"-=", "", MEND_TOLD, "n -= 1 is written ADD n -1, or SET n = n - 1"},
	{"++", "", MEND_TOLD, "n++ is written ADD n 1, or SET n = n + 1"},
	{"NULL", "", MEND_TOLD,
	 "if a exists: attribute_exists(a); if it does not: attribute_not_exists(a); if "
	 "it is NULL: attribute_type(a, 'NULL')"},
};

const struct mend_foreign *
mend_foreign_next(const struct mend_foreign *row)
{
	row = row == NULL ? mend_foreigns : row + 1;
	return row == mend_foreigns + sizeof(mend_foreigns) / sizeof(mend_foreigns[0]) ? NULL : row;
}

const char *
mend_foreign(struct slice word, enum mend_foreign_kind kind)
{
	const struct mend_foreign *row = NULL;

	while ((row = mend_foreign_next(row)) != NULL) {
		if (row->kind == kind && ascii_same(word, slice_from(row->other))) {
			return row->ours;
		}
	}
	return NULL;
}

/*
 * Whether @text has the word of @row at byte @at. Letters must form a whole word, a clause must be at the start, and a
 * function must be followed by a parenthesis.
 */
static bool
mend_foreign_stands(struct slice text, size_t at, const struct mend_foreign *row)
{
	size_t n = strlen(row->other);
	struct slice rest = slice_skip(text, at);

	if (rest.len < n || !ascii_same(slice_of(rest.at, n), slice_from(row->other)) ||
	    (row->kind == MEND_CLAUSE && at > 0)) {
		return false;
	}
	struct slice behind = ascii_trim(slice_skip(rest, n));

	return (row->kind != MEND_FUNCTION || slice_starts(behind, SLICE("("))) &&
	       (!ascii_word(row->other[0]) || ((at == 0 || !ascii_word(text.at[at - 1])) &&
					       (n == rest.len || !ascii_word(rest.at[n]))));
}

bool
mend_foreign_put(struct buf *out, struct slice text)
{
	char quote = '\0'; /* nothing in quotes is compared */

	for (size_t at = 0; at < text.len; at++) {
		const struct mend_foreign *row = NULL;
		char ch = text.at[at];

		if (quote != '\0' || ch == '"' || ch == '\'') {
			quote = quote == '\0' ? ch : ch == quote ? '\0' : quote;
			continue;
		}
		while ((row = mend_foreign_next(row)) != NULL) {
			if (!mend_foreign_stands(text, at, row)) {
				continue;
			}
			if (row->how != NULL) {
				buf_str(out, row->how);
			} else {
				buf_fmt(out, "%s is written %s", row->other, row->ours);
			}
			return true;
		}
	}
	return false;
}
