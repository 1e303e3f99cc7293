import { createFunctions } from "./server-functions.ts";
import { createTables } from "./server-tables.ts";

/** Append only: a migration that has been released is never changed. The number of the last one applied is in deskmap.version. */
export const serverMigrations: readonly string[] = [
  `${createTables}\n${createFunctions}\nINSERT INTO deskmap.version (number) VALUES (1);`,
];
