/* options - the options of serve() as words for itemctl */
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

function check(holds, message) {
  if (!holds) throw new TypeError(`serve: ${message}`);
}

/* JSON has no sets, maps and bytes: without an error, they would become empty objects. */
function json(value) {
  return JSON.stringify(value, function isJson(name, member) {
    const own = this[name];
    check(!(own instanceof Set || own instanceof Map || ArrayBuffer.isView(own)) && typeof own !== 'bigint',
      `the value of ${name} is not JSON; write the whole item as DynamoDB's JSON, such as {"id":{"S":"a"},"tags":{"SS":["x"]}}`);
    return member;
  });
}

function lines([table, rows]) {
  check(Array.isArray(rows), `the items of ${table} must be an array`);
  return { content: rows.map((row) => `${json(row)}\n`).join(''), word: `.jsonl=${table}` };
}

/** Return what follows --seed: the path of a file, or the content of one and the end of its name; definitions come first. */
function seedParts({ seed = [], tables = [], port, ...others }) {
  const each = (name, value, read) => [value].flat().flatMap((one) => {
    if (typeof one === 'string') return { word: path.resolve(one) };
    check(one !== null && typeof one === 'object', `${name} must have paths or objects, not ${one}`);
    return read(one);
  });
  check(Object.keys(others).length === 0, `there is no option ${Object.keys(others)[0]}; there are: seed, tables, port`);
  return [
    ...each('tables', tables, (table) => ({ content: json(table), word: '.json' })),
    ...each('seed', seed, (items) => Object.entries(items).map(lines)),
  ];
}

/** Return the words that start a server, and a function that removes the files that they name. */
function startWords(parts, port) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'itemfs-'));
  const seeds = parts.flatMap(({ content, word }, i) => {
    if (content === undefined) return ['--seed', word];
    fs.writeFileSync(path.join(dir, i + word.replace(/=.*/, '')), content);
    return ['--seed', path.join(dir, i + word)];
  });
  return {
    words: ['serve', '--quiet', '--temp', '--print-port', '--ends-with', `${process.pid}`, '--port', `${port}`, ...seeds],
    removeFiles: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

module.exports = { seedParts, startWords };
