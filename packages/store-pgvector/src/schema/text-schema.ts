import { createRecentTable } from "./recent-table.ts";
import { createTenantTable, identifier, rowColumns, textTables } from "./tables.ts";

/** Keeps pages of postings in their rows, also one with long words. By default it would be compressed and put aside. */
const pageStorage = "WITH (toast_tuple_target = 8160)";

/** Leaves room for the next state of rows beside them, so that changing one writes neither an index nor another block. */
const divisionStorage = "WITH (fillfactor = 60)";
/** Most terms stand in few texts, so that little room is enough for most changes. */
const termStorage = "WITH (fillfactor = 90)";

/** The statements that make the tables of the words. @param partitions of each, see `TenantTableOptions` */
export function createTextTables(schema: string, partitions: number): readonly string[] {
  const { rows, divisions, postings, terms, checkpoints } = textTables(schema);
  return [
    ...createTenantTable(
      rows,
      `${rowColumns("division integer, number integer, length integer NOT NULL")}, words text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, ref)`,
      { partitions },
    ),
    // Of a deleted row no division is known.
    `CREATE UNIQUE INDEX ON ${rows} (tenant, division, number) WHERE division IS NOT NULL`,
    ...createTenantTable(
      divisions,
      `tenant text NOT NULL, scope text NOT NULL, is_apart boolean NOT NULL, division integer NOT NULL,
      last_number integer NOT NULL CHECK (last_number < 1 << 30),
      paged_through integer NOT NULL, tail_length integer NOT NULL, segments integer[] NOT NULL,
      PRIMARY KEY (tenant, scope, is_apart), UNIQUE (tenant, division)`,
      { storage: divisionStorage, partitions },
    ),
    // Compared by bytes: a language's order costs more, and the terms of a page are in the order of their bytes.
    ...createTenantTable(
      postings,
      `tenant text NOT NULL, division integer NOT NULL, segment integer NOT NULL, first_term text COLLATE "C" NOT NULL,
      part integer NOT NULL, terms text[] COLLATE "C" NOT NULL, ends integer[] NOT NULL, numbers integer[] NOT NULL,
      weights integer[], PRIMARY KEY (tenant, division, segment, first_term, part)`,
      { storage: pageStorage, partitions },
    ),
    ...createTenantTable(
      terms,
      `tenant text NOT NULL, first_term text COLLATE "C" NOT NULL, words text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, first_term)`,
      { storage: termStorage, partitions },
    ),
    ...createTenantTable(
      checkpoints,
      `tenant text PRIMARY KEY, sequence bigint NOT NULL, documents bigint NOT NULL DEFAULT 0,
      total_length bigint NOT NULL DEFAULT 0`,
      { partitions },
    ),
    ...createRecentTable(textTables(schema), partitions),
  ];
}

/** Also those that only older versions made. */
export function listOfTextTables(schema: string): readonly string[] {
  const { rows, divisions, postings, terms, checkpoints, recent } = textTables(schema);
  return [rows, divisions, postings, terms, checkpoints, recent, identifier(schema, "text_scopes")];
}

/** The statements that replace the tables of the words, of whatever form. All tenants' are empty then, and filled anew. */
export function renewTextTables(schema: string, partitions: number): readonly string[] {
  return [`DROP TABLE IF EXISTS ${listOfTextTables(schema).join(", ")}`, ...createTextTables(schema, partitions)];
}
