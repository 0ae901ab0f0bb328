export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where the programs of this machine’s PostgreSQL are; undefined: there are none for its system or processor. */
export function findBinaries(): Promise<Binaries | undefined>;
