/* run - become a program as far as Node.js can: its arguments, input, output, signals and exit status */
'use strict';
const { spawn } = require('child_process');
const { constants } = require('os');
const { isatty } = require('tty');
const { obstacle, program } = require('./program.js');

function fail(message) {
  process.stderr.write(`itemfs: ${message}\n`);
  process.exitCode = 126;
}

module.exports = (name) => {
  let child;
  try {
    child = spawn(program(name), process.argv.slice(2), { stdio: 'inherit' });
  } catch (error) {
    fail(error.message);
    return;
  }
  /* A terminal sends these signals to the program, too, and a second one would interrupt its end. */
  const terminal = [0, 1, 2].some(isatty) ? ['SIGINT', 'SIGQUIT', 'SIGHUP'] : [];
  const signals = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGTERM'];
  for (const signal of signals) process.on(signal, () => terminal.includes(signal) || child.kill(signal));
  /* npm passes signals to the shell that it starts, but the shell ends without passing them on. */
  const { ppid } = process;
  const orphaned = () => {
    if (process.ppid === ppid) return;
    clearInterval(timer); // a second signal would interrupt the program's end
    child.kill();
  };
  const timer = process.env.npm_command ? setInterval(orphaned, 200) : undefined;
  /* ENOENT: the program exists, so the system has no loader for it. */
  child.on('error', (error) => {
    fail(error.code === 'ENOENT' ? obstacle() : error.message);
    process.exit();
  });
  child.on('exit', (status, signal) => {
    if (signal === null) process.exit(status);
    signals.forEach((one) => process.removeAllListeners(one));
    process.kill(process.pid, signal);
    process.exit(128 + constants.signals[signal]); // Node.js ignores SIGPIPE
  });
};
