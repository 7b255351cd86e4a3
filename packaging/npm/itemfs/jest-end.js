/* jest-end - the end of the server of a test file */
afterAll(() => globalThis.itemfs.stop());
