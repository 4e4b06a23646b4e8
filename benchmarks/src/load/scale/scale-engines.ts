/** What is known of each engine besides the figures. Says what was tried and what was not. */
export const engines = `| engine | how it grows | what gives way first | tried |
| --- | --- | --- | --- |
| SQLite and embedded indexes | more machines, each with the directories of its own tenants. A tenant lies in one of them | the thread that writes and the core that serves; then the disk of one machine | one server in the load above |
| one PostgreSQL with pgvector | more servers until the database is busy, then a larger database. Loci reads from the primary alone: replicas are for failover | the database's processors, long before those of servers; then words, whose table is the largest above | one server and two in the load above |
| several PostgreSQL | tenants divided between them, each with servers of its own: Loci knows nothing of the others | as one, divided | no |
| partitions, Citus | every table of a tenant's rows has the tenant first in its primary key, as partitions by hash and Citus's distribution need it. Of the ledger the log's numbers are a tenant's own, and a transaction writes one tenant's rows | the coordinator's connections; a large tenant stays on one node | no: the tables are not made that way, and Citus was not installed |
| Pinecone | vectors in a service: 256 numbers of 4 bytes are 1 TB for the billion before anything of the service's own. The ledger stays where it is | the round trips of a call, and words, which lie beside the server | an emulator only: no time, no price |
| LanceDB | a directory of a machine, as embedded ones; more vectors than memory | many single writes: each is a commit ([choose a store](choose-a-store.md)) | not in this load |

How to set them up: [choose a store](choose-a-store.md), [everything in one PostgreSQL](postgresql.md), [run it in production](production.md).
`;
