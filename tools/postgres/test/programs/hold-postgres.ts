// Starts a PostgreSQL, says where, and waits to be killed.
import { startPostgres } from "../../start-postgres.ts";

const { connectionString } = await startPostgres({ kind: "native" });
console.log(connectionString);
setInterval(() => {}, 1000);
