/* Tests of each class of mistake: refused requests with their corrections, and similar ones that are left alone. */
#include "store/mend/mend.h"

#include "tests/support/unit_call.h"

#define KEY(name, type) \
	{ \
		SLICE(name), type \
	}

static struct index by_status = {
	.name = SLICE("ByStatus"),
	.global = true,
	.key = {.pk = {KEY("status", VALUE_S)}, .sk = {KEY("total", VALUE_N)}},
};
static struct schema orders = {
	.table = SLICE("Orders"),
	.key = {.pk = {KEY("customer", VALUE_S)}, .sk = {KEY("placed", VALUE_S)}},
	.index = &by_status,
	.n_index = 1,
};
static struct schema staff = {.table = SLICE("Staff"), .key = {.pk = {KEY("id", VALUE_N)}}};
static struct schema *const tables[] = {&orders, &staff};

static int
execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct slice *names = arena_new(&c->arena, struct slice, 1);

	(void)e;
	if (in->type == OP_LIST_TABLES) {
		names[0] = tables[0]->table;
		out->list_tables.names = names;
		out->list_tables.n_names = 1;
		return 0;
	}
	for (size_t i = 0; in->type == OP_DESCRIBE_TABLE && i < 2; i++) {
		if (slice_eq(in->describe_table.table, tables[i]->table)) {
			out->describe_table.table.schema = tables[i];
			return 0;
		}
	}
	return call_fail(c, ERR_NO_TABLE, "no table");
}

static const struct engine_ops ops = {.execute = execute};
static struct engine engine = {.ops = &ops};
UNIT_CALL(c);

struct row {
	enum op_type type;
	const char *message;
	const char *request; /* with ' instead of " */
	const char *meant;   /* likewise: "WHY: [OPERATION] {...}"; "": no correction */
};

static struct slice
quoted(const char *text)
{
	struct buf b;

	buf_init(&b, &c.arena);
	for (; *text != '\0'; text++) {
		buf_char(&b, *text == '`' ? '\'' : *text == '\'' ? '"' : *text);
	}
	return buf_view(&b);
}

static void
check(const struct row *row)
{
	struct mend m = {.c = &c, .engine = &engine, .type = row->type, .message = row->message};
	const struct json *json = NULL;
	struct slice meant = quoted(row->meant);
	struct buf got;

	buf_init(&got, &c.arena);
	if (json_parse(&c, quoted(row->request), JSON_LAST_WINS, &json) < 0) {
		CU_FAIL("the request is not JSON");
		return;
	}
	if (mend_request(&m, json)) {
		buf_slice(&got, buf_view(&m.why));
		buf_str(&got, m.why.len > 0 && mend_changes(&m) ? ": " : "");
		buf_fmt(&got, "%s", m.type != row->type ? op_name(m.type) : "");
		if (mend_changes(&m)) {
			mend_json(&m, &got);
		}
	}
	if (!slice_eq(buf_view(&got), meant)) {
		printf("%s %s\n  got  %.*s\n  want %.*s\n", op_name(row->type), row->request,
		       SLICE_ARG(buf_view(&got)), SLICE_ARG(meant));
		CU_FAIL("the corrected request differs");
	}
}

#define ROWS(rows) \
	for (size_t i = 0; i < sizeof(rows) / sizeof((rows)[0]); i++) { \
		check(&(rows)[i]); \
	}

#define NULL_AT(path) \
	"1 validation error detected: Value null at '" path \
	"' failed to satisfy constraint: Member must not be null"
#define ENUM_AT(word, path, set) \
	"1 validation error detected: Value '" word "' at '" path \
	"' failed to satisfy constraint: Member must satisfy enum value set: [" set "]"

static void
corrects_words_of_a_set(void)
{
	static const struct row rows[] = {
		{OP_UPDATE_TABLE,
		 ENUM_AT("ON_DEMAND", "billingMode", "PROVISIONED, PAY_PER_REQUEST"),
		 "{'BillingMode':'ON_DEMAND'}", "{'BillingMode':'PAY_PER_REQUEST'}"},
		{OP_QUERY,
		 ENUM_AT("EQUALS", "keyConditions.customer.member.comparisonOperator",
			 "IN, NULL, BETWEEN, LT, EQ, GT"),
		 "{'KeyConditions':{'customer':{'ComparisonOperator':'EQUALS'}}}",
		 "{'KeyConditions':{'customer':{'ComparisonOperator':'EQ'}}}"},
		{OP_CREATE_TABLE,
		 "2 validation errors detected: Value 'HASH' at "
		 "'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must "
		 "satisfy enum value set: [B, N, S]; Value 'S' at 'keySchema.1.member.keyType' failed to "
		 "satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]",
		 "{'AttributeDefinitions':[{'AttributeName':'a','AttributeType':'HASH'}],"
		 "'KeySchema':[{'AttributeName':'a','KeyType':'S'}],'BillingMode':'PAY_PER_REQUEST'}",
		 "KeyType and AttributeType are swapped: "
		 "{'AttributeDefinitions':[{'AttributeName':'a','AttributeType':'S'}],"
		 "'KeySchema':[{'AttributeName':'a','KeyType':'HASH'}],'BillingMode':'PAY_PER_REQUEST'}"},
		{OP_UPDATE_TABLE, ENUM_AT("CHEAP", "billingMode", "PROVISIONED, PAY_PER_REQUEST"),
		 "{'BillingMode':'CHEAP'}", ""},
		{OP_PUT_ITEM,
		 "1 validation error detected: ReturnValues can only be ALL_OLD or NONE",
		 "{'ReturnValues':'ALL_NEW'}",
		 "only an update returns new values: {'ReturnValues':'ALL_OLD'}"},
		{OP_PUT_ITEM, "The conditional request failed", "{'ReturnValues':'ALL_OLD'}", ""},
	};

	ROWS(rows);
}

static void
adds_missing_members(void)
{
	static const struct row rows[] = {
		{OP_GET_ITEM, NULL_AT("key"), "{'TableName':'Orders'}",
		 "{'TableName':'Orders','Key':{'customer':{'S':'VALUE'},'placed':{'S':'VALUE'}}}"},
		{OP_SCAN, NULL_AT("tableName"), "{}", "{'TableName':'Orders'}"},
		{OP_CREATE_TABLE, NULL_AT("attributeDefinitions"),
		 "{'KeySchema':[{'AttributeName':'a','KeyType':'HASH'}],'BillingMode':'PAY_PER_REQUEST'}",
		 "{'KeySchema':[{'AttributeName':'a','KeyType':'HASH'}],'BillingMode':'PAY_PER_REQUEST',"
		 "'AttributeDefinitions':[{'AttributeName':'a','AttributeType':'S'}]}"},
		{OP_CREATE_TABLE, NULL_AT("globalSecondaryIndexes.1.member.projection"),
		 "{'BillingMode':'PAY_PER_REQUEST','GlobalSecondaryIndexes':[{'IndexName':'I',"
		 "'KeySchema':[{'AttributeName':'a','KeyType':'HASH'}]}]}",
		 "{'BillingMode':'PAY_PER_REQUEST','GlobalSecondaryIndexes':[{'IndexName':'I',"
		 "'KeySchema':[{'AttributeName':'a','KeyType':'HASH'}],"
		 "'Projection':{'ProjectionType':'ALL'}}]}"},
		{OP_GET_ITEM, NULL_AT("other"), "{'TableName':'Orders'}", ""},
	};

	ROWS(rows);
}

static void
corrects_values_and_their_types(void)
{
	static const char payload[] = "Unexpected value type in payload";
	static const struct row rows[] = {
		{OP_GET_ITEM, payload, "{'TableName':'Staff','Key':{'id':'5'}}",
		 "each value needs its type, such as {'S':'text'} or {'N':'5'}: "
		 "{'TableName':'Staff','Key':{'id':{'N':'5'}}}"},
		{OP_PUT_ITEM, "NUMBER_VALUE cannot be converted to String",
		 "{'Item':{'a':{'N':5},'b':{'s':'x'},'c':[1,'d'],'e':{'BOOL':'true'}}}",
		 "each value needs its type, such as {'S':'text'} or {'N':'5'}: {'Item':{'a':{'N':'5'},"
		 "'b':{'S':'x'},'c':{'L':[{'N':'1'},{'S':'d'}]},'e':{'BOOL':true}}}"},
		{OP_PUT_ITEM, "Input collection [a, a] contains duplicates.",
		 "{'Item':{'a':{'SS':['a','b','a']}}}",
		 "a set has at least one element, and each only once: {'Item':{'a':{'SS':['a','b']}}}"},
		{OP_PUT_ITEM, "An string set  may not be empty",
		 "{'Item':{'a':{'SS':[]},'b':{'S':'x'}}}",
		 "a set has at least one element, and each only once: {'Item':{'b':{'S':'x'}}}"},
		{OP_EXECUTE_STATEMENT, payload, "{'Parameters':['C1',5]}",
		 "each value needs its type, such as {'S':'text'} or {'N':'5'}: "
		 "{'Parameters':[{'S':'C1'},{'N':'5'}]}"},
		{OP_BATCH_GET_ITEM, payload, "{'RequestItems':{'Staff':[{'id':5}]}}",
		 "each value needs its type, such as {'S':'text'} or {'N':'5'}: "
		 "{'RequestItems':{'Staff':{'Keys':[{'id':{'N':'5'}}]}}}"},
		{OP_BATCH_GET_ITEM, "Provided list of item keys contains duplicates",
		 "{'RequestItems':{'Staff':{'Keys':[{'id':{'N':'5'}},{'id':{'N':'5'}}]}}}",
		 "request each key only once: {'RequestItems':{'Staff':{'Keys':[{'id':{'N':'5'}}]}}}"},
		{OP_UPDATE_ITEM, payload, "{'AttributeUpdates':{'a':{'Value':5}}}",
		 "each value needs its type, such as {'S':'text'} or {'N':'5'}: "
		 "{'AttributeUpdates':{'a':{'Value':{'N':'5'}}}}"},
		{OP_PUT_ITEM, "The parameter cannot be converted to a numeric value: x",
		 "{'Item':{'a':{'N':'x'}}}", ""},
		{OP_PUT_ITEM, "The conditional request failed", "{'Item':{'a':{'SS':['a','b']}}}",
		 ""},
	};

	ROWS(rows);
}

static void
corrects_keys_of_the_table(void)
{
	static const char schema[] = "The provided key element does not match the schema";
	static const struct row rows[] = {
		{OP_GET_ITEM, schema, "{'TableName':'Orders','Key':{'customer':{'S':'a'}}}",
		 "the key of Orders is customer (S) and placed (S): "
		 "{'TableName':'Orders','Key':{'customer':{'S':'a'},'placed':{'S':'VALUE'}}}"},
		{OP_DELETE_ITEM, schema, "{'TableName':'Staff','Key':{'ID':{'S':'7'}}}",
		 "the key of Staff is id (N): {'TableName':'Staff','Key':{'id':{'N':'7'}}}"},
		{OP_PUT_ITEM, "Missing the key customer in the item",
		 "{'TableName':'Orders','Item':{'custmer':{'S':'a'},'placed':{'S':'b'}}}",
		 "the key of Orders is customer (S) and placed (S): "
		 "{'TableName':'Orders','Item':{'customer':{'S':'a'},'placed':{'S':'b'}}}"},
		{OP_GET_ITEM, "The conditional request failed",
		 "{'TableName':'Orders','Key':{'customer':{'S':'a'}}}", ""},
	};

	ROWS(rows);
}

static void
corrects_the_syntax_of_expressions(void)
{
	static const char syntax[] = "Syntax error";
	static const struct row rows[] = {
		{OP_SCAN, syntax,
		 "{'FilterExpression':'a == :a && b != :b',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'},':b':{'S':'y'}}}",
		 "{'FilterExpression':'a = :a AND b <> :b',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'},':b':{'S':'y'}}}"},
		{OP_SCAN, syntax,
		 "{'FilterExpression':'(a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'FilterExpression':'(a = :a)','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_SCAN, syntax, "{'FilterExpression':'a = `x` AND n > 5'}",
		 "{'FilterExpression':'a = :v1 AND n > :v2',"
		 "'ExpressionAttributeValues':{':v1':{'S':'x'},':v2':{'N':'5'}}}"},
		{OP_SCAN, syntax,
		 "{'FilterExpression':'a begins_with :a',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'FilterExpression':'begins_with(a, :a)',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_SCAN, syntax,
		 "{'FilterExpression':'m.b CONTAINS :a AND c = :a',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'FilterExpression':'contains(m.b, :a) AND c = :a',"
		 "'ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_UPDATE_ITEM, syntax,
		 "{'UpdateExpression':'a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'UpdateExpression':'SET a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_UPDATE_ITEM, syntax, "{'UpdateExpression':'SET a = 1,'}",
		 "{'UpdateExpression':'SET a = :v1','ExpressionAttributeValues':{':v1':{'N':'1'}}}"},
		{OP_UPDATE_ITEM, syntax,
		 "{'UpdateExpression':'SET a = :a,','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'UpdateExpression':'SET a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_UPDATE_ITEM, syntax,
		 "{'UpdateExpression':'SET a = :a AND b = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'UpdateExpression':'SET a = :a, b = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_UPDATE_ITEM, syntax,
		 "{'UpdateExpression':'SET n += :a','ExpressionAttributeValues':{':a':{'N':'1'}}}",
		 "{'UpdateExpression':'SET n = n + :a','ExpressionAttributeValues':{':a':{'N':'1'}}}"},
		{OP_UPDATE_ITEM, syntax, "{'UpdateExpression':'UNSET a'}",
		 "{'UpdateExpression':'REMOVE a'}"},
		{OP_UPDATE_ITEM, syntax,
		 "{'UpdateExpression':'STE a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'UpdateExpression':'SET a = :a','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_SCAN, "Invalid function name; function: startswith",
		 "{'FilterExpression':'startswith(a, :a)','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 "{'FilterExpression':'begins_with(a, :a)','ExpressionAttributeValues':{':a':{'S':'x'}}}"},
		{OP_SCAN, syntax, "{'FilterExpression':'a ? b ? c'}", ""},
		{OP_SCAN, syntax, "{'FilterExpression':'n++'}", ""},
		{OP_SCAN, "The conditional request failed",
		 "{'FilterExpression':'begins_with(a, :a)','ExpressionAttributeValues':{':a':{'S':'x'}}}",
		 ""},
	};

	ROWS(rows);
}

static void
corrects_names_and_placeholders(void)
{
	static const char undefined[] =
		"An expression attribute value used in expression is not defined";
	static const struct row rows[] = {
		{OP_SCAN, "reserved keyword: name",
		 "{'FilterExpression':'name = :n','ExpressionAttributeValues':{':n':{'S':'x'}}}",
		 "name is a reserved word: {'FilterExpression':'#name = :n',"
		 "'ExpressionAttributeValues':{':n':{'S':'x'}},'ExpressionAttributeNames':{'#name':'name'}}"},
		{OP_SCAN, undefined, "{'FilterExpression':'a = :n'}",
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{':n':{'S':'VALUE'}}}"},
		{OP_SCAN, undefined,
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{':other':{'S':'x'}}}",
		 "{'FilterExpression':'a = :other','ExpressionAttributeValues':{':other':{'S':'x'}}}"},
		{OP_SCAN, undefined,
		 "{'FilterExpression':'a = :n AND b = :m','ExpressionAttributeValues':{':other':{'S':'x'}}}",
		 "{'FilterExpression':'a = :n AND b = :m','ExpressionAttributeValues':{':n':{'S':'VALUE'},':m':{'S':'VALUE'}}}"},
		{OP_SCAN, "contains invalid key: Syntax error; key: \"n\"",
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{'n':{'S':'x'}}}",
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{':n':{'S':'x'}}}"},
		{OP_SCAN, "not defined; attribute name: #s", "{'ProjectionExpression':'#s'}",
		 "{'ProjectionExpression':'#s','ExpressionAttributeNames':{'#s':'NAME'}}"},
		{OP_SCAN, undefined,
		 "{'FilterExpression':'a = :v-','ExpressionAttributeValues':{':v-':{'S':'x'}}}",
		 ""},
		{OP_SCAN, "unused in expressions: keys: {:m}",
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{':n':{'S':'x'},':m':{'S':'y'}}}",
		 "{'FilterExpression':'a = :n','ExpressionAttributeValues':{':n':{'S':'x'}}}"},
		{OP_SCAN, "The conditional request failed",
		 "{'FilterExpression':'#a = :n','ExpressionAttributeNames':{'#a':'name'},"
		 "'ExpressionAttributeValues':{':n':{'S':'x'}}}",
		 ""},
	};

	ROWS(rows);
}

static void
corrects_keys_of_a_query(void)
{
#define V "'ExpressionAttributeValues':{':v':{'S':'x'}}"
	static const struct row rows[] = {
		{OP_QUERY, "Query condition missed key schema element: customer",
		 "{'TableName':'Orders','KeyConditionExpression':'placed = :v'," V "}",
		 "a query needs customer = VALUE; a scan reads all items: Scan{'TableName':'Orders'," V
		 ",'FilterExpression':'placed = :v'}"},
		{OP_QUERY, "Query key condition not supported",
		 "{'TableName':'Orders','KeyConditionExpression':'customer = :v AND size(a) > :v'," V
		 "}",
		 "{'TableName':'Orders','KeyConditionExpression':'customer = :v'," V
		 ",'FilterExpression':'size(a) > :v'}"},
		{OP_QUERY, "Query condition missed key schema element: customer",
		 "{'TableName':'Orders','KeyConditionExpression':'#s = :v',"
		 "'ExpressionAttributeNames':{'#s':'status'}," V "}",
		 "{'TableName':'Orders','KeyConditionExpression':'#s = :v',"
		 "'ExpressionAttributeNames':{'#s':'status'}," V ",'IndexName':'ByStatus'}"},
		{OP_QUERY, "The table does not have the specified index: bystatus",
		 "{'TableName':'Orders','IndexName':'bystatus','KeyConditionExpression':'#s = :v',"
		 "'ExpressionAttributeNames':{'#s':'status'}," V "}",
		 "{'TableName':'Orders','IndexName':'ByStatus','KeyConditionExpression':'#s = :v',"
		 "'ExpressionAttributeNames':{'#s':'status'}," V "}"},
		{OP_SCAN, "The table does not have the specified index: Zebra",
		 "{'TableName':'Orders','IndexName':'Zebra'}",
		 "the indexes of Orders are: ByStatus"},
		{OP_SCAN, "The table does not have the specified index: Zebra",
		 "{'TableName':'Staff','IndexName':'Zebra'}",
		 "Staff has no indexes: {'TableName':'Staff'}"},
		{OP_QUERY, "Query condition missed key schema element: customer",
		 "{'TableName':'Orders','KeyConditionExpression':'custmer = :v'," V "}",
		 "{'TableName':'Orders','KeyConditionExpression':'customer = :v'," V "}"},
		{OP_QUERY,
		 "Either the KeyConditions or KeyConditionExpression parameter must be specified",
		 "{'TableName':'Orders'}",
		 "{'TableName':'Orders','KeyConditionExpression':'customer = :pk',"
		 "'ExpressionAttributeValues':{':pk':{'S':'VALUE'}}}"},
		{OP_QUERY, "Condition parameter type does not match schema type",
		 "{'TableName':'Staff','KeyConditionExpression':'id = :v','ExpressionAttributeValues':{':v':{'S':'5'}}}",
		 "{'TableName':'Staff','KeyConditionExpression':'id = :v','ExpressionAttributeValues':{':v':{'N':'5'}}}"},
		{OP_QUERY, "Consistent reads are not supported on global secondary indexes",
		 "{'TableName':'Orders','IndexName':'ByStatus','ConsistentRead':true,"
		 "'KeyConditionExpression':'#s = :v','ExpressionAttributeNames':{'#s':'status'}," V
		 "}",
		 "reads of a global index are never strongly consistent: {'TableName':'Orders','IndexName':'ByStatus',"
		 "'KeyConditionExpression':'#s = :v','ExpressionAttributeNames':{'#s':'status'}," V
		 "}"},
		{OP_QUERY, "The conditional request failed",
		 "{'TableName':'Orders','KeyConditionExpression':'customer = :v AND begins_with(placed, :v)'," V
		 "}",
		 ""},
		{OP_QUERY, "The provided starting key is invalid",
		 "{'TableName':'None','KeyConditionExpression':'a = :v'," V "}", ""},
	};

	ROWS(rows);
}

static void
corrects_definitions_of_tables(void)
{
#define DAY "{'AttributeName':'placed','AttributeType':'S'}"
#define HASH(name) "{'AttributeName':'" name "','KeyType':'HASH'}"
	static const struct row rows[] = {
		{OP_CREATE_TABLE, "Number of attributes in KeySchema does not exactly match",
		 "{'TableName':'New','AttributeDefinitions':[" DAY
		 ",{'AttributeName':'x','AttributeType':'S'}],"
		 "'KeySchema':[" HASH("placed") "],'BillingMode':'PAY_PER_REQUEST'}",
		 "x is not a key attribute: only key attributes are defined: {'TableName':'New',"
		 "'AttributeDefinitions':[" DAY
		 "],'KeySchema':[" HASH("placed") "],'BillingMode':'PAY_PER_REQUEST'}"},
		{OP_CREATE_TABLE,
		 "Some index key attributes are not defined in AttributeDefinitions",
		 "{'TableName':'New','AttributeDefinitions':[" DAY
		 "],'KeySchema':[" HASH("id") "],'BillingMode':'PAY_PER_REQUEST'}",
		 "placed is not a key attribute: only key attributes are defined: {'TableName':'New',"
		 "'AttributeDefinitions':[{'AttributeName':'id','AttributeType':'S'}],'KeySchema':[" HASH(
			 "id") "],'BillingMode':'PAY_PER_REQUEST'}"},
		{OP_UPDATE_TABLE,
		 "Some index key attributes are not defined in AttributeDefinitions",
		 "{'TableName':'Orders','GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'T',"
		 "'KeySchema':[" HASH("total") "]}}]}",
		 "total is a key attribute: its type, S, N or B, must be defined, too: {'TableName':'Orders',"
		 "'GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'T','KeySchema':[" HASH(
			 "total") "]}}],'AttributeDefinitions':[{'AttributeName':'total','AttributeType':'N'}]}"},
		{OP_CREATE_TABLE, "ReadCapacityUnits and WriteCapacityUnits must both be specified",
		 "{'TableName':'New'}", "{'TableName':'New','BillingMode':'PAY_PER_REQUEST'}"},
		{OP_CREATE_TABLE,
		 "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
		 "{'TableName':'New','BillingMode':'PAY_PER_REQUEST','ProvisionedThroughput':{}}",
		 "{'TableName':'New','BillingMode':'PAY_PER_REQUEST'}"},
		{OP_CREATE_TABLE, "The first KeySchemaElement is not a HASH key type",
		 "{'BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'placed','KeyType':'RANGE'}," HASH(
			 "id") "]}",
		 "{'BillingMode':'PAY_PER_REQUEST','KeySchema':[" HASH(
			 "id") ",{'AttributeName':'placed','KeyType':'RANGE'}]}"},
		{OP_CREATE_TABLE, "The first KeySchemaElement is not a HASH key type",
		 "{'BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'placed','KeyType':'RANGE'}]}",
		 "{'BillingMode':'PAY_PER_REQUEST','KeySchema':[" HASH("placed") "]}"},
		{OP_CREATE_TABLE, "Value 'a b' at 'tableName' failed to satisfy constraint",
		 "{'TableName':'a b','BillingMode':'PAY_PER_REQUEST'}",
		 "the name of a table has 3 to 255 letters, digits, _, . and -: "
		 "{'TableName':'a_b','BillingMode':'PAY_PER_REQUEST'}"},
		{OP_CREATE_TABLE, "Table already exists: Orders",
		 "{'TableName':'Orders','AttributeDefinitions':[" DAY
		 "],'KeySchema':[" HASH("placed") "],'BillingMode':'PAY_PER_REQUEST'}",
		 ""},
	};

	ROWS(rows);
}

static void
translates_words_of_other_languages(void)
{
	static const char *const rows[][2] = {
		{"a == 1", "== is written ="},
		{"a = '==' AND b != 2", "!= is written <>"},
		{"a || b", "|| is written OR, and for lists list_append(a, b)"},
		{"a LIKE 'x%'",
		 "LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x')"},
		{"length (a) > 1", "length is written size"},
		{"UNSET a", "UNSET is written REMOVE"},
		{"length > 1 AND likes = 2 AND dropped = 3", ""},
		{"a = b AND c <> d", ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got;

		buf_init(&got, &c.arena);
		CU_ASSERT_EQUAL(mend_foreign_put(&got, slice_from(rows[i][0])),
				rows[i][1][0] != '\0');
		buf_char(&got, '\0');
		CU_ASSERT_STRING_EQUAL(got.at, rows[i][1]);
	}
}

/* Every pass ends, for any order of words. */
static void
survives_requests_of_random_words(void)
{
	static const char *const words[] = {
		"a",      ":v", ":v-",      "#n", "#n.", "SET", "REMOVE", "ADD", "=",
		"==",     "(",  ")",        ",",  "AND", "||",  "'x'",    "12",  "size",
		"status", "n",  "contains", "+=", "[0]", ".",   ":",      "#",   "LIKE"};
	static const char *const fields[] = {"FilterExpression", "UpdateExpression",
					     "ProjectionExpression", "KeyConditionExpression"};
	enum { WORDS = sizeof(words) / sizeof(words[0]), ROUNDS = 3000 };
	unsigned long seed = 1;

	for (int i = 0; i < ROUNDS; i++) {
		struct call own;
		struct buf b;
		const struct json *json = NULL;

		call_open(&own, 0, 4UL << 20);
		buf_init(&b, &own.arena);
		buf_str(&b, "{\"TableName\":\"Orders\",\"ExpressionAttributeValues\":{");
		for (int k = 0; k < 3; k++) {
			seed = seed * 6364136223846793005UL + 1442695040888963407UL;
			buf_fmt(&b, "%s\"%s\":{\"S\":\"x\"}", k == 0 ? "" : ",",
				words[(seed >> 33) % WORDS]);
		}
		buf_fmt(&b, "},\"%s\":\"", fields[i % 4]);
		for (int k = 0; k < 7; k++) {
			seed = seed * 6364136223846793005UL + 1442695040888963407UL;
			buf_fmt(&b, "%s%s", seed >> 63 ? " " : "", words[(seed >> 33) % WORDS]);
		}
		buf_str(&b, "\"}");
		struct mend m = {.c = &own,
				 .engine = &engine,
				 .type = i % 4 == 1 ? OP_UPDATE_ITEM : OP_QUERY,
				 .message = "not defined; attribute value: :v"};

		CU_ASSERT(json_parse(&own, buf_view(&b), JSON_LAST_WINS, &json) == 0);
		(void)mend_request(&m, json);
		CU_ASSERT(own.arena.used < 1UL << 20);
		call_close(&own);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(corrects_words_of_a_set),
	UNIT_TEST(adds_missing_members),
	UNIT_TEST(corrects_values_and_their_types),
	UNIT_TEST(corrects_keys_of_the_table),
	UNIT_TEST(corrects_the_syntax_of_expressions),
	UNIT_TEST(corrects_names_and_placeholders),
	UNIT_TEST(corrects_keys_of_a_query),
	UNIT_TEST(corrects_definitions_of_tables),
	UNIT_TEST(translates_words_of_other_languages),
	UNIT_TEST(survives_requests_of_random_words),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(mend, setup, teardown, tests);
