/** An item in plain or DynamoDB's JSON, or the input of CreateTable */
type Json = { [name: string]: any };
type Items = { [table: string]: readonly Json[] };

export interface ServeOptions {
  /** Files and folders as for `itemctl serve --seed`, or items by the name of their table */
  seed?: string | Items | readonly (string | Items)[];
  /** Definitions of tables: files as for `itemctl create-table --from`, or inputs of CreateTable */
  tables?: string | Json | readonly (string | Json)[];
  /** Port on 127.0.0.1; 0, the default: any free port */
  port?: number;
}

export interface Database {
  /** Such as http://127.0.0.1:40111 */
  readonly endpoint: string;
  readonly port: number;
  /** The variables that SDKs and the AWS command line read: endpoint, keys and region */
  readonly env: Readonly<Record<string, string>>;
  /** Restore the tables and items with which the server started; the endpoint stays. */
  reset(): Promise<void>;
  /** Stop the server. Without this, it ends with this process. */
  stop(): Promise<void>;
}

/** Start a server with a store in memory, and wait until it answers. */
export function serve(options?: ServeOptions): Promise<Database>;

/** Like serve(), for code that cannot wait */
export function serveSync(options?: ServeOptions): Database;

/** The path of a program, for child_process */
export function program(name: 'itemctl' | 'itemfs'): string;
