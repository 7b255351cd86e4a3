/* itemfs - DynamoDB servers in memory, for tests */
'use strict';
const { execFile, execFileSync } = require('child_process');
const { promisify } = require('util');
const { seedParts, startWords } = require('./options.js');
const { obstacle, program } = require('./program.js');

const keys = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' };

/* An error with the message of itemctl, without its usage, or why it cannot run here */
function explained(error) {
  const said = (error.stderr || '').trim().replace(/\nusage: [^]*/, '');
  return new Error(error.code === 'ENOENT' || said.includes('GLIBC_') ? obstacle() : said || error.message);
}

async function run(words) {
  const itemctl = program('itemctl');
  return promisify(execFile)(itemctl, words).then(({ stdout }) => stdout, (error) => { throw explained(error); });
}

function runSync(words) {
  const itemctl = program('itemctl');
  try {
    return execFileSync(itemctl, words, { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw explained(error);
  }
}

function database(parts, printed) {
  const port = Number(printed);
  const endpoint = `http://127.0.0.1:${port}`;
  const env = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_DYNAMODB_STREAMS: endpoint, ...keys };
  async function stop() {
    await run(['stop', `${port}`]).catch((error) => {
      if (!error.message.includes('nothing to stop')) throw error;
    });
  }
  async function reset() {
    await stop();
    const { words, removeFiles } = startWords(parts, port);
    await run(words).finally(removeFiles);
  }
  return { endpoint, port, env, reset, stop };
}

async function serve(options = {}) {
  const parts = seedParts(options);
  const { words, removeFiles } = startWords(parts, options.port ?? 0);
  return database(parts, await run(words).finally(removeFiles));
}

function serveSync(options = {}) {
  const parts = seedParts(options);
  const { words, removeFiles } = startWords(parts, options.port ?? 0);
  try {
    return database(parts, runSync(words));
  } finally {
    removeFiles();
  }
}

module.exports = { program, serve, serveSync };
