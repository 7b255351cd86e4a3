/* test-file - a server for the tests of one file: the global variable itemfs, and the variables that SDKs read */
'use strict';
const fs = require('fs');
const { serveSync } = require('./index.js');

const own = fs.existsSync('package.json') ? JSON.parse(fs.readFileSync('package.json', 'utf8')) : {};

globalThis.itemfs = serveSync(own.itemfs);
/* They would give the SDK other keys or another endpoint. */
for (const name of ['PROFILE', 'DEFAULT_PROFILE', 'SESSION_TOKEN', 'IGNORE_CONFIGURED_ENDPOINT_URLS']) delete process.env[`AWS_${name}`];
Object.assign(process.env, globalThis.itemfs.env);
