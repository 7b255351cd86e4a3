/* vitest - for test.setupFiles: ['itemfs/vitest'] */
import { afterAll } from 'vitest';
import start from './test-file.js';

start();
afterAll(() => globalThis.itemfs.stop());
