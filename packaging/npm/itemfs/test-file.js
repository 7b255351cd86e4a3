/* test-file - a server for the tests of one file: the global variable itemfs, and the variables that SDKs read */
'use strict';
const fs = require('fs');
const { serveSync } = require('./index.js');

/* They would give the SDK other keys or another endpoint. */
const misleading = ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

module.exports = () => {
  const own = fs.existsSync('package.json') ? JSON.parse(fs.readFileSync('package.json', 'utf8')) : {};
  globalThis.itemfs = serveSync(own.itemfs);
  misleading.forEach((name) => delete process.env[name]);
  Object.assign(process.env, globalThis.itemfs.env);
};
