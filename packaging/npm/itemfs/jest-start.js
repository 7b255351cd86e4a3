/* jest-start - the start of the server of a test file */
require('./test-file.js')();
