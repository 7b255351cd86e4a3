/* validate_statement - checks the limits of the three PartiQL operations; statements are parsed later */
#include "store/op/validate_int.h"

int
validate_execute_statement(struct call *c, const struct execute_statement_in *in)
{
	int r = validate_length(c, in->of.statement, "statement", 1, LIMIT_STATEMENT);

	return r < 0 || !in->has_limit ? r : validate_number(c, in->limit, "limit", 1, UINT32_MAX);
}

/* @member: name of the list in messages */
static int
check_statements(struct call *c, const struct parameterized *statements, size_t n, size_t max,
		 const char *member)
{
	int r = n == 0 ? validate_too_short(c, "[]", member) : validate_count(c, n, member, 1, max);

	for (size_t i = 0; i < n && r == 0; i++) {
		const char *where =
			arena_print(&c->arena, "%s.%zu.member.statement", member, i + 1);

		r = validate_length(c, statements[i].statement, where, 1, LIMIT_STATEMENT);
	}
	return r;
}

int
validate_batch_execute_statement(struct call *c, const struct batch_execute_statement_in *in)
{
	return check_statements(c, in->statements, in->n_statements, LIMIT_BATCH_STATEMENTS,
				"statements");
}

int
validate_execute_transaction(struct call *c, const struct execute_transaction_in *in)
{
	int r = check_statements(c, in->statements, in->n_statements, LIMIT_TRANSACTION,
				 "transactStatements");

	return r < 0 ? r : validate_token(c, in->token);
}
