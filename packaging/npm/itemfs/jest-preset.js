/* jest-preset - for {"jest": {"preset": "itemfs"}} */
module.exports = { setupFiles: [require.resolve('./test-file.js')], setupFilesAfterEnv: [require.resolve('./jest-end.js')] };
