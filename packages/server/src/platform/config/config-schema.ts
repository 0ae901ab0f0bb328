import { type Static, Type } from 'typebox';

const tier = Type.Union([
  Type.Literal('free'),
  Type.Literal('standard'),
  Type.Literal('pro'),
  Type.Literal('enterprise'),
]);

const poolSecret = Type.String({
  pattern: '^\\S{32,}$',
  description:
    'At least 32 random characters without spaces, which nodes and `plinth functions serve` prove themselves to each other with. Another one than `SECRET_KEY`.',
});

/** Every setting of a node. docs/configuration.md lists the same, and a test compares the two. */
export const configSchema = Type.Object({
  DATABASE_URL: Type.String({
    description:
      'PostgreSQL 15 or newer holding the control schema and cell 1, reached directly: a node that LISTENs through a transaction pooler would hear nothing, and does not start. Several servers of one database are written `postgres://a,b/plinth`: nodes find the primary.',
    pattern: '^postgres(ql)?://',
  }),
  CELL_DATABASE_URLS: Type.String({
    default: '',
    description:
      'Further cells, separated by spaces: `2=postgres://… 3=postgres://…`. Reached directly, too.',
  }),
  POOLED_DATABASE_URLS: Type.String({
    default: '',
    description:
      'The same databases through [a pooler in transaction mode](projects.md#a-pooler), which calls then use: `1=postgres://… 2=postgres://…`. Cells that are not named are reached directly.',
  }),
  POOLER_KEEPS_STATEMENTS: Type.String({
    default: 'false',
    pattern: '^(true|false)$',
    description:
      '`true` prepares statements through the pooler, which must keep them for its clients: PgBouncer from 1.21 on, with `max_prepared_statements`.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description:
      'Connections for calls that a process holds to each cell at most. Half as many again are for filtered and sorted lists, and [up to 17 for all else](projects.md#in-production).',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({
    default: 2000,
    minimum: 100,
    maximum: 600_000,
    description: 'Longest time PostgreSQL may take to accept a connection; then the call is answered 503.',
  }),
  STATEMENT_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Longest time one statement may run. A node that has no answer a second later gives the connection up.',
  }),
  QUERY_TIMEOUT_MS: Type.Integer({
    default: 3000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Longest time a filtered or sorted list may take; then it is answered `query_too_slow`, with the index that would help.',
  }),
  SECRET_KEY: Type.String({
    pattern: '^\\S{32,}$',
    description:
      'At least 32 random characters without spaces, the same on every node: encrypts signing keys and other secrets at rest. Make one with `openssl rand -base64 32`.',
  }),
  OLD_SECRET_KEYS: Type.String({
    default: '',
    description:
      'Former values of `SECRET_KEY`, separated by spaces: what they have encrypted can still be read. `plinth keys reseal` encrypts it anew, then they can go.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      description:
        'Redis 7 shared by all nodes: `redis://…`, `rediss://…`, or [where its Sentinels are](#redis): `redis+sentinel://host:26379,host:26379/name`. Without it this node counts rate limits alone, and hears of changes only for itself: fine for one node with one process.',
      pattern: '^rediss?(\\+sentinel)?://',
    }),
  ),
  REALTIME_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Realtime connections that this node takes for one project at most.',
  }),
  FEED_MAX_BYTES: Type.Optional(
    Type.Integer({
      minimum: 1_048_576,
      maximum: 1_099_511_627_776,
      description:
        'Bytes of changes that are kept for each cell, for subscribers who come back. Default: 1 GB in Redis, 64 MB without it.',
    }),
  ),
  FILES_FOLDER: Type.Optional(
    Type.String({
      description: 'Folder for the bytes of files: for one node, or one file system shared by all.',
    }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({
      description: 'Bucket for the bytes of files, instead of `FILES_FOLDER`. It must exist.',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]+$',
    }),
  ),
  S3_ENDPOINT: Type.Optional(
    Type.String({
      description: 'Address of a store other than AWS that speaks S3, e.g. `https://s3.example.com`.',
      pattern: '^https?://',
    }),
  ),
  S3_REGION: Type.String({ default: 'us-east-1', description: 'Region of the bucket.' }),
  S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      description:
        'Access key of the store. Without it the AWS SDK looks for credentials: its own variables, its files, the role of the machine.',
    }),
  ),
  S3_SECRET_ACCESS_KEY: Type.Optional(
    Type.String({ description: 'Secret that belongs to `S3_ACCESS_KEY_ID`.' }),
  ),
  S3_PATH_STYLE: Type.String({
    default: 'false',
    pattern: '^(true|false)$',
    description:
      '`true` writes the bucket into the path, not the host name: for stores that want it, such as Ceph or MinIO.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      description:
        'Server that mails go out through, e.g. `smtps://user:password@mail.example.com`. Projects may have their own. Without either no mail is sent.',
      pattern: '^smtps?://',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      description: 'Address that mails come from, e.g. `no-reply@example.com`. Needed with `SMTP_URL`.',
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    }),
  ),
  OUTBOUND_ALLOW: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F.:/, ]*$',
    description:
      'Addresses or networks, separated by commas, that projects’ own settings (mail servers, text message gateways, identity providers, webhooks) may reach although they are not public.',
  }),
  JOB_CONCURRENCY: Type.Integer({
    default: 10,
    minimum: 0,
    maximum: 100,
    description: 'Jobs, such as sending a mail, that this node does at once for each cell. 0: none.',
  }),
  DELIVERY_CONCURRENCY: Type.Integer({
    default: 50,
    minimum: 0,
    maximum: 1000,
    description:
      'Deliveries to webhooks that this node has under way at once for each cell; one project has half of them at most. 0: none.',
  }),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address to listen on.' }),
  PORT: Type.Integer({
    default: 4400,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; 0 takes a free one.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      description:
        'Address under which clients reach the service, e.g. `https://api.example.com`. Its origin always passes the origin check.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  DASHBOARD_URL: Type.Optional(
    Type.String({
      description:
        'Origin under which people manage projects, if it is not PUBLIC_URL. No other page may use their sessions.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  ACCOUNT_SIGNUP: Type.Union([Type.Literal('invited'), Type.Literal('open'), Type.Literal('closed')], {
    default: 'invited',
    description:
      'Who may make an account to manage projects: whoever is `invited` (by `plinth account invite`, or to a project), anybody (`open`), nobody (`closed`).',
  }),
  ACCOUNT_OIDC_ISSUER: Type.Optional(
    Type.String({
      description:
        'OpenID Connect issuer at which accounts may sign in, e.g. `https://login.example.com`: it is trusted to say whose an e-mail address is. Starts with https://, but for one on this machine. Needs `ACCOUNT_OIDC_CLIENT`.',
      pattern:
        '^(https://[^\\s/?#@\\\\]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?)(/[^\\s?#\\\\]*)?$',
    }),
  ),
  ACCOUNT_OIDC_CLIENT: Type.Optional(
    Type.String({
      description:
        'How the deployment is known at `ACCOUNT_OIDC_ISSUER`, as `client_id:client_secret`. Register `{DASHBOARD_URL}/management/session/openid/callback` there as redirect URI.',
      pattern: '^[\\x21-\\x39\\x3b-\\x7e]+:[\\x21-\\x7e]+$',
    }),
  ),
  ACCOUNT_PROJECT_LIMIT: Type.Integer({
    default: 100,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Projects that one account may own, unless another number was agreed with it.',
  }),
  FILES_URL: Type.Optional(
    Type.String({
      description:
        'Origin that the URLs of files start with, e.g. `https://files.example.com`: a domain of its own, or a CDN in front of the service. Default: PUBLIC_URL.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  API_DOMAIN: Type.Optional(
    Type.String({
      description: 'Domain whose sub-domains are projects: `https://{ref}.{API_DOMAIN}`.',
      pattern: '^[a-z0-9.-]+(:\\d+)?$',
    }),
  ),
  ROOT_PROJECT: Type.Optional(
    Type.String({
      description: 'Ref of the project that calls to the bare address belong to when nothing else names one.',
      pattern: '^[a-z0-9]{12}$',
    }),
  ),
  DEFAULT_TIER: Type.Unsafe<Static<typeof tier>>({
    ...tier,
    default: 'enterprise',
    description: 'Tier of new projects: `free`, `standard`, `pro` or `enterprise`.',
  }),
  TIERS: Type.String({
    default: '',
    description:
      'What projects of each tier may use, as JSON with the figures that differ from the default: `{"free": {"documents": 10000, "mailsPerDay": 100}}`. [limits.md](limits.md) lists them all.',
  }),
  CELL_MAX_BYTES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Size of the database of a cell, in bytes, from which on it takes no more writes but deletes. Choose it well below the disk: 80 % of it, say. Without it there is no limit.',
    }),
  ),
  REQUEST_LOG_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 366,
    description:
      'Days that calls stay in the [request log](requests.md) at most; a tier may give fewer (`requestLogDays` of `TIERS`). 0: none is kept.',
  }),
  ADDRESS_RATE_LIMIT: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Calls a minute from one address that carry no valid credential.',
  }),
  AUTH_ADDRESS_LIMIT: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Sign-ups, logins and other tries with a password a minute from one address.',
  }),
  AUTH_ACCOUNT_LIMIT: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Tries with a password a minute for one account, whatever the address.',
  }),
  FILE_ADDRESS_LIMIT: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'Files that one address may ask for in a minute: a hundred pages with a hundred images each.',
  }),
  IMAGE_ADDRESS_LIMIT: Type.Integer({
    default: 600,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'Images that are resized or converted a minute for one address; those kept from before do not count.',
  }),
  FUNCTIONS_SANDBOX: Type.String({
    default: 'auto',
    pattern: '^(auto|off|process|landlock|bwrap|gvisor|remote)$',
    description:
      'What walls in the code of projects: `bwrap`, `landlock`, `gvisor`, or `process` for nothing but Deno’s permissions. `auto` takes `bwrap` or else `landlock`; if neither can be started, functions are off. Under `plinth dev` it also takes `process`. `remote`: they run on the machines of `FUNCTIONS_POOL_URLS`.',
  }),
  FUNCTIONS_MAX_PROCESSES: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 10_000,
    description: 'Processes with the code of projects that this node keeps at most, about 12 MB each.',
  }),
  FUNCTIONS_BLANK_PROCESSES: Type.Integer({
    default: 4,
    minimum: 0,
    maximum: 100,
    description:
      'Processes that wait for code once the node has run some: a first call takes 10 ms instead of 70.',
  }),
  FUNCTIONS_MEMORY_MB: Type.Integer({
    default: 256,
    minimum: 64,
    maximum: 16_384,
    description:
      'Memory of one process of functions, half of it for JavaScript values; past it the process is ended.',
  }),
  FUNCTIONS_IDLE_MS: Type.Integer({
    default: 600_000,
    minimum: 1000,
    maximum: 86_400_000,
    description: 'How long a process of functions is kept that nobody calls.',
  }),
  FUNCTIONS_EGRESS_ALLOW: Type.String({
    default: '',
    description:
      'Addresses or networks, separated by commas, that functions may fetch from although they are not public.',
  }),
  FUNCTIONS_POOL_URLS: Type.String({
    default: '',
    description:
      'Where `plinth functions serve` runs, for `FUNCTIONS_SANDBOX=remote`: `tls://10.0.0.5:4400, tls://10.0.0.6:4400`.',
  }),
  FUNCTIONS_POOL_SECRET: Type.Optional(poolSecret),
  FUNCTIONS_HEALTH_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Port on which `plinth functions serve` answers `GET /health`. Without it, none.',
    }),
  ),
  TRUST_PROXY: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F.:/, ]*$',
    description:
      'Addresses or networks of proxies whose `X-Forwarded-For` is believed, separated by commas. Empty: none.',
  }),
  LOG_LEVEL: Type.String({
    default: 'info',
    pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
    description:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. From `debug` on every call is logged.',
  }),
  ADMIN_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port for operators and Prometheus: `/metrics`, and `/readyz` with the state of each engine. Without it there is neither. With `--workers` it tells of all processes together.',
    }),
  ),
  ADMIN_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address that `ADMIN_PORT` listens on. It asks for no credential: keep it off the internet.',
  }),
  SLOW_CALL_MS: Type.Integer({
    default: 1000,
    minimum: 0,
    maximum: 600_000,
    description:
      'Calls that take longer are [in the log](monitoring.md#logs), with where the time went. 0: none are.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Where [traces](monitoring.md#traces) go: a collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.String({
    default: '',
    description:
      'Headers for the collector, as OpenTelemetry writes them: `authorization=Bearer%20…`, separated by commas.',
  }),
  TRACE_SAMPLE: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1,
    description:
      'Which share of the calls is traced, of those that come without a trace: 0.01 is one in a hundred. Those that come with one are traced if their `traceparent` says so.',
  }),
  SHUTDOWN_DELAY_MS: Type.Integer({
    default: 2000,
    minimum: 0,
    maximum: 25_000,
    description:
      'After SIGTERM: how long `/readyz` says no while calls are still taken, so that load balancers move on.',
  }),
});

const { HOST, PORT, LOG_LEVEL, SHUTDOWN_DELAY_MS, FUNCTIONS_SANDBOX } = configSchema.properties;
const { FUNCTIONS_MAX_PROCESSES, FUNCTIONS_BLANK_PROCESSES, FUNCTIONS_MEMORY_MB } = configSchema.properties;
const { FUNCTIONS_IDLE_MS, FUNCTIONS_EGRESS_ALLOW, FUNCTIONS_HEALTH_PORT } = configSchema.properties;

/** The settings of a machine that only runs the code of projects. */
export const poolConfigSchema = Type.Object({
  FUNCTIONS_POOL_SECRET: poolSecret,
  FUNCTIONS_SANDBOX,
  FUNCTIONS_MAX_PROCESSES,
  FUNCTIONS_BLANK_PROCESSES,
  FUNCTIONS_MEMORY_MB,
  FUNCTIONS_IDLE_MS,
  FUNCTIONS_EGRESS_ALLOW,
  FUNCTIONS_HEALTH_PORT,
  HOST,
  PORT,
  SHUTDOWN_DELAY_MS,
  LOG_LEVEL,
});
