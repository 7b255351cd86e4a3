/* jest-preset - for {"jest": {"preset": "itemfs"}} */
module.exports = { setupFiles: [require.resolve('./jest-start.js')], setupFilesAfterEnv: [require.resolve('./jest-end.js')] };
