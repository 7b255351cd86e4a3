/* The global variable of the presets for jest and vitest */
import type { Database } from './index';

declare global {
  /** The server of the test file */
  var itemfs: Database;
}
