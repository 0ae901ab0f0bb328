import type { Check } from '../check.ts';
import { adminPort } from './admin-port.ts';
import { bloat } from './bloat.ts';
import { clocks } from './clocks.ts';
import { configurationCheck } from './configuration.ts';
import { connections } from './connections.ts';
import { databaseCollation } from './database-collation.ts';
import { databaseConnection } from './database-connection.ts';
import { databasePrimary } from './database-primary.ts';
import { databaseSize } from './database-size.ts';
import { databaseVersion } from './database-version.ts';
import { directConnection } from './direct-connection.ts';
import { durability } from './durability.ts';
import { files } from './files.ts';
import { filesCors } from './files-cors.ts';
import { mail } from './mail.ts';
import { openCollections } from './open-collections.ts';
import { openSignUp } from './open-sign-up.ts';
import { ownTables } from './own-tables.ts';
import { publicUrl } from './public-url.ts';
import { redisConnection } from './redis-connection.ts';
import { redisEviction } from './redis-eviction.ts';
import { redisMemory } from './redis-memory.ts';
import { redisVersion } from './redis-version.ts';
import { replicationRight } from './replication-right.ts';
import { replicationSlots } from './replication-slots.ts';
import { schema } from './schema.ts';
import { secretKey } from './secret-key.ts';
import { slotWalLimit } from './slot-wal-limit.ts';
import { trustProxy } from './trust-proxy.ts';
import { unknownSettings } from './unknown-settings.ts';
import { vacuum } from './vacuum.ts';
import { walArchive } from './wal-archive.ts';
import { walLevel } from './wal-level.ts';

/** Every check. docs/doctor.md has the same, and a test compares the two. */
export const checks: readonly Check[] = [
  configurationCheck,
  unknownSettings,
  clocks,
  databaseConnection,
  databaseVersion,
  databasePrimary,
  databaseCollation,
  schema,
  directConnection,
  connections,
  walLevel,
  replicationRight,
  replicationSlots,
  slotWalLimit,
  durability,
  walArchive,
  vacuum,
  bloat,
  ownTables,
  databaseSize,
  redisConnection,
  redisVersion,
  redisEviction,
  redisMemory,
  files,
  filesCors,
  mail,
  publicUrl,
  trustProxy,
  secretKey,
  openCollections,
  adminPort,
  openSignUp,
];
