/** What is known of each engine besides the figures. Says what was tried and what was not. */
export const engines = `| engine | how it grows | what gives way first | tried |
| --- | --- | --- | --- |
| SQLite and embedded indexes | more machines, each with the directories of its own tenants. A tenant lies in one of them | the one core that serves a server's calls, unless it has workers; then the disk of one machine | one server, and one with two workers, in the load above |
| one PostgreSQL with pgvector | more servers, until the database is busy; then a larger database. Loci asks the primary alone: replicas are for failover | the core of a server, of which there can be many; then processors and disk of the database, of which there is one | one server and two in the load above |
| several PostgreSQL | tenants divided between them, each with servers of its own. Loci knows nothing of the others | as one, divided | no |
| partitions by tenant, Citus | the rows of tenants have the tenant first in every primary key, which both need, and a transaction is of one tenant. In the way: \`embedding_cache\` has a number that is unique over all tenants, and migrations do not make such tables | with Citus one tenant stays on one node, and all calls go through a coordinator unless every node takes them | no: Citus was not installed |
| Pinecone | vectors in a service: a billion of 256 numbers are 1 TB before anything of the service's own. Ledger and, beside a ledger in PostgreSQL, words stay in the database | the round trips of a call; the database is asked as before, less its vectors | an emulator only: no time, no price |
| LanceDB | a directory of one machine, as embedded indexes; more vectors than its memory holds | many single writes: each is a commit ([choose a store](choose-a-store.md)) | not in this load |

How to set them up: [choose a store](choose-a-store.md), [everything in one PostgreSQL](postgresql.md), [run it in production](production.md).
`;
