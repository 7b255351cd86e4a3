/* limits - the limits of DynamoDB that the code checks, with their sources */
#ifndef STORE_MODEL_LIMITS_H
#define STORE_MODEL_LIMITS_H

enum {
	LIMIT_ITEM_BYTES = 400 * 1024, /* BEHAVIOUR 2.11: names and values */
	LIMIT_PK_BYTES = 2048,         /* BEHAVIOUR 3.4 */
	LIMIT_SK_BYTES = 1024,         /* BEHAVIOUR 3.4 */
	LIMIT_NAME_BYTES = 65535,      /* BEHAVIOUR 2.15: attribute name */
	LIMIT_KEY_NAME_BYTES = 255, /* BEHAVIOUR 2.15: name of an index key or INCLUDEd attribute */
	LIMIT_NESTING = 32,         /* BEHAVIOUR 2.5 */
	LIMIT_DIGITS = 38,          /* BEHAVIOUR 2.6 */
	LIMIT_EXPONENT_MAX = 125,   /* BEHAVIOUR 2.6: of the first digit */
	LIMIT_EXPONENT_MIN = -130,  /* BEHAVIOUR 2.6 */
	LIMIT_PAGE_BYTES = 1024 * 1024,             /* BEHAVIOUR 12.3: read before filter */
	LIMIT_BATCH_GET = 100,                      /* BEHAVIOUR 10.2: keys */
	LIMIT_BATCH_WRITE = 25,                     /* BEHAVIOUR 10.3 */
	LIMIT_BATCH_BYTES = 16 * 1024 * 1024,       /* BEHAVIOUR 10.2, 10.3 */
	LIMIT_TRANSACTION = 100,                    /* BEHAVIOUR 11.2: actions */
	LIMIT_TRANSACTION_BYTES = 4 * 1024 * 1024,  /* BEHAVIOUR 11.2 */
	LIMIT_TOKEN_BYTES = 36,                     /* BEHAVIOUR 11.6 */
	LIMIT_TOKEN_MS = 10 * 60 * 1000,            /* BEHAVIOUR 11.6 */
	LIMIT_EXPRESSION_BYTES = 4096,              /* BEHAVIOUR 14.8 */
	LIMIT_OPERATORS = 300,                      /* BEHAVIOUR 14.8 */
	LIMIT_PLACEHOLDER_BYTES = 255,              /* BEHAVIOUR 14.8 */
	LIMIT_SUBSTITUTION_BYTES = 2 * 1024 * 1024, /* BEHAVIOUR 14.8 */
	LIMIT_IN_OPERANDS = 100,                    /* BEHAVIOUR 14.8 */
	LIMIT_STATEMENT = 8192,                     /* PartiQL: bytes of a statement */
	LIMIT_BATCH_STATEMENTS = 25,                /* BatchExecuteStatement */
	LIMIT_LSI = 5,                              /* BEHAVIOUR 4.2 */
	LIMIT_GSI = 20,                             /* BEHAVIOUR 4.3 */
	LIMIT_INCLUDE = 100,                        /* BEHAVIOUR 4.6: names per table */
	LIMIT_TABLE_NAME_MIN = 3,                   /* BEHAVIOUR 1.15 */
	LIMIT_TABLE_NAME_MAX = 255,                 /* BEHAVIOUR 1.15 */
	LIMIT_SEGMENTS = 1000000,                   /* BEHAVIOUR 13.4 */
	LIMIT_STREAM_MS = 24 * 60 * 60 * 1000,      /* BEHAVIOUR 7.3: a stream keeps its records */
	LIMIT_ITERATOR_MS = 15 * 60 * 1000, /* GetRecords: how long an iterator can be used */
	LIMIT_RECORDS = 1000,               /* GetRecords: records per page */
	LIMIT_LIST_STREAMS = 100,           /* ListStreams, DescribeStream: entries per page */
	LIMIT_WARM_READS = 12000,           /* units per second of a new PAY_PER_REQUEST table */
	LIMIT_WARM_WRITES = 4000,           /* likewise */
	LIMIT_LIST_TABLES = 100,            /* ListTables: names per page */
	LIMIT_RECOVERY_DAYS = 35,           /* Developer Guide, "Point-in-time recovery" */
	LIMIT_TAGS = 50,                    /* Developer Guide, "Tagging restrictions" */
	LIMIT_TAG_KEY = 128,                /* likewise: characters */
	LIMIT_TAG_VALUE = 256,              /* likewise */
	LIMIT_TTL_PAST_S = 5 * 365 * 24 * 60 * 60, /* BEHAVIOUR 8.3: items expired before stay */
	LIMIT_LIST_BACKUPS = 100,                  /* ListBackups: backups per page */
	LIMIT_BACKUP_NAME_MIN = 3,                 /* CreateBackup */
	LIMIT_BACKUP_NAME_MAX = 255,
	LIMIT_BACKUP_ARN_MIN = 37,
	LIMIT_TRANSFER_ARN_MIN = 37,       /* DescribeExport */
	LIMIT_LIST_TRANSFERS = 25,         /* ListExports: exports per page */
	LIMIT_LIST_TRANSFERS_DEFAULT = 10, /* likewise, if the request has no MaxResults */
	LIMIT_TRANSFER_TOKEN = 1024,       /* ClientToken; the service's limit is not documented */
	LIMIT_TRANSFER_TOKEN_MS = 8 * 60 * 60 * 1000, /* ExportTableToPointInTime: ClientToken */
	LIMIT_BUCKET_NAME = 255,                      /* ExportTableToPointInTime: S3Bucket */
	LIMIT_BUCKET_PREFIX = 1024,                   /* likewise: S3Prefix */
	LIMIT_CSV_HEADERS = 255,                      /* ImportTable: HeaderList */
	LIMIT_IMPORT_OBJECTS = 50000,                 /* ImportTable: files of an import */
	LIMIT_OBJECT_KEY = 1024,                      /* S3: bytes of a name in a bucket */
	LIMIT_ACCOUNT_DIGITS = 12,                    /* likewise: S3BucketOwner */
	LIMIT_JOBS = 50, /* Developer Guide, "Quotas": restores at a time */
};

#define LIMIT_TRANSFER_MS (90ULL * 24 * 60 * 60 * 1000) /* ListExports: exports are listed */
#define LIMIT_UNITS 1000000000000ULL                    /* CreateTable: capacity units */
#define LIMIT_COLLECTION_BYTES (10ULL << 30)            /* BEHAVIOUR 5.4: of a table with an LSI */

#endif
