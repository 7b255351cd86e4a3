/* wire - names and limits of DynamoDB's HTTP protocol, shared by both ends */
#ifndef STORE_WIRE_PROTO_WIRE_H
#define STORE_WIRE_PROTO_WIRE_H

#define WIRE_TARGET_DYNAMODB "DynamoDB_20120810."
#define WIRE_TARGET_STREAMS "DynamoDBStreams_20120810."
#define WIRE_TARGET_ITEMFS "ItemFS_1."
#define WIRE_CONTENT_TYPE "application/x-amz-json-1.0"
#define WIRE_ERROR_PREFIX "com.amazonaws.dynamodb.v20120810#"
#define WIRE_SOCKET "socket" /* name in the store's directory */

enum {
	WIRE_BODY_MAX = 16 * 1024 * 1024, /* bytes of one request */
	WIRE_CONNECTIONS_MAX = 3000,      /* 21 KB each when idle: 64 MB */
	WIRE_ADDRESS_MAX = 64,            /* connections of one address, loopback excepted */
	WIRE_ARRIVAL_S = 30,              /* time limit for receiving a whole request */
	WIRE_READ_S = 30,                 /* time limit for the client to read a whole answer */
	WIRE_FRESH_S = 10,                /* time limit of a write's wait until mounts know of it */
	WIRE_STOP_S = 10,                 /* time limit for reading the last answers at shutdown */
	WIRE_BODIES_MAX = 64 * 1024 * 1024, /* bytes of request bodies in memory, all connections */
	WIRE_ANSWERS_MAX = 256 * 1024 * 1024, /* bytes of unread answers, all connections */
	WIRE_ANSWERS_ADDRESS_MAX = WIRE_ANSWERS_MAX / 2, /* of one address, loopback excepted */
};

#endif
