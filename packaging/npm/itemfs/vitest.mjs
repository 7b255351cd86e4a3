/* vitest - for test.setupFiles: ['itemfs/vitest'] */
import { afterAll } from 'vitest';
import './test-file.js';

afterAll(() => globalThis.itemfs.stop());
