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
    'At least 32 random characters without spaces, with which nodes and `plinth functions serve` authenticate to each other. Do not reuse `SECRET_KEY`.',
});

/** Every setting of a node. docs/configuration.md lists the same, and a test compares the two. */
export const configSchema = Type.Object({
  DATABASE_URL: Type.String({
    description:
      'PostgreSQL 15 or newer holding the control schema and cell 1, connected to directly: through a transaction pooler a node could not LISTEN, so it refuses to start. List several servers of one database as `postgres://a,b/plinth`: nodes find the primary.',
    pattern: '^postgres(ql)?://',
  }),
  CELL_DATABASE_URLS: Type.String({
    default: '',
    description:
      'Additional cells, separated by spaces: `2=postgres://… 3=postgres://…`. These must be direct connections, too.',
  }),
  POOLED_DATABASE_URLS: Type.String({
    default: '',
    description:
      'The same databases through [a pooler in transaction mode](projects.md#a-pooler), which requests then use: `1=postgres://… 2=postgres://…`. Cells that are not listed are connected to directly.',
  }),
  POOLER_KEEPS_STATEMENTS: Type.String({
    default: 'false',
    pattern: '^(true|false)$',
    description:
      '`true` uses prepared statements through the pooler, which must support them: PgBouncer from 1.21 on, with `max_prepared_statements`.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 2,
    maximum: 500,
    description:
      'Maximum number of connections for requests from one process to each cell. Half as many again are for filtered and sorted lists, and [up to 17 for everything else](projects.md#in-production).',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({
    default: 2000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Longest time PostgreSQL may take to accept a connection; after that the request fails with 503.',
  }),
  STATEMENT_TIMEOUT_MS: Type.Integer({
    default: 10_000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Longest time one statement may run. If there is no response a second later, the node drops the connection.',
  }),
  QUERY_TIMEOUT_MS: Type.Integer({
    default: 3000,
    minimum: 100,
    maximum: 600_000,
    description:
      'Longest time a filtered or sorted list may take; after that it fails with `query_too_slow`, which names the index that would help.',
  }),
  SECRET_KEY: Type.String({
    pattern: '^\\S{32,}$',
    description:
      'At least 32 random characters without spaces, the same on every node: encrypts signing keys and other secrets at rest. Generate one with `openssl rand -base64 32`.',
  }),
  OLD_SECRET_KEYS: Type.String({
    default: '',
    description:
      'Previous values of `SECRET_KEY`, separated by spaces: data encrypted with them can still be read. `plinth keys reseal` re-encrypts it, after which you can remove them.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      description:
        'Redis 7 shared by all nodes: `redis://…`, `rediss://…`, or [its Sentinels](#redis): `redis+sentinel://host:26379,host:26379/name`. Without it this node counts rate limits on its own, and only sees its own changes: fine for one node with one process.',
      pattern: '^rediss?(\\+sentinel)?://',
    }),
  ),
  REALTIME_CONNECTIONS: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Maximum number of realtime connections of one project on this node.',
  }),
  FEED_MAX_BYTES: Type.Optional(
    Type.Integer({
      minimum: 1_048_576,
      maximum: 1_099_511_627_776,
      description:
        'Bytes of changes kept for each cell, for subscribers that reconnect. Default: 1 GB in Redis, 64 MB without it.',
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
      description: 'URL of an S3-compatible store other than AWS, e.g. `https://s3.example.com`.',
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
  S3_SECRET_ACCESS_KEY: Type.Optional(Type.String({ description: 'Secret for `S3_ACCESS_KEY_ID`.' })),
  S3_PATH_STYLE: Type.String({
    default: 'false',
    pattern: '^(true|false)$',
    description:
      '`true` puts the bucket into the path instead of the host name: for stores that require it, such as Ceph or MinIO.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      description:
        'Server for outgoing email, e.g. `smtps://user:password@mail.example.com`. Projects may have their own. Without either no email is sent.',
      pattern: '^smtps?://',
    }),
  ),
  MAIL_FROM: Type.Optional(
    Type.String({
      description: 'Sender address of emails, e.g. `no-reply@example.com`. Required with `SMTP_URL`.',
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    }),
  ),
  OUTBOUND_ALLOW: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F.:/, ]*$',
    description:
      'Non-public addresses or networks, separated by commas, that projects may reach through their own settings (mail servers, text message gateways, identity providers, webhooks).',
  }),
  JOB_CONCURRENCY: Type.Integer({
    default: 10,
    minimum: 0,
    maximum: 100,
    description: 'Jobs, such as sending an email, that this node runs at once for each cell. 0: none.',
  }),
  DELIVERY_CONCURRENCY: Type.Integer({
    default: 50,
    minimum: 0,
    maximum: 1000,
    description:
      'Webhook deliveries that this node makes at once for each cell; one project gets at most half of them. 0: none.',
  }),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address to listen on.' }),
  PORT: Type.Integer({
    default: 4400,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  PUBLIC_URL: Type.Optional(
    Type.String({
      description:
        'URL at which clients reach the service, e.g. `https://api.example.com`. Its origin always passes the origin check.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  DASHBOARD_URL: Type.Optional(
    Type.String({
      description:
        'Origin at which people manage projects, if it is not PUBLIC_URL. No other page can use their sessions.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  ACCOUNT_SIGNUP: Type.Union([Type.Literal('invited'), Type.Literal('open'), Type.Literal('closed')], {
    default: 'invited',
    description:
      'Who may create an account to manage projects: people who were `invited` (with `plinth account invite`, or to a project), anyone (`open`), nobody (`closed`).',
  }),
  ACCOUNT_OIDC_ISSUER: Type.Optional(
    Type.String({
      description:
        'OpenID Connect issuer that accounts may sign in with, e.g. `https://login.example.com`: it is trusted to verify email addresses. Must start with https://, except on this machine. Requires `ACCOUNT_OIDC_CLIENT`.',
      pattern:
        '^(https://[^\\s/?#@\\\\]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?)(/[^\\s?#\\\\]*)?$',
    }),
  ),
  ACCOUNT_OIDC_CLIENT: Type.Optional(
    Type.String({
      description:
        'Credentials of the deployment at `ACCOUNT_OIDC_ISSUER`, as `client_id:client_secret`. Register `{DASHBOARD_URL}/management/session/openid/callback` there as redirect URI.',
      pattern: '^[\\x21-\\x39\\x3b-\\x7e]+:[\\x21-\\x7e]+$',
    }),
  ),
  ACCOUNT_PROJECT_LIMIT: Type.Integer({
    default: 100,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Projects that one account may own, unless it has a limit of its own.',
  }),
  FILES_URL: Type.Optional(
    Type.String({
      description:
        'Origin of file URLs, e.g. `https://files.example.com`: a separate domain, or a CDN in front of the service. Default: PUBLIC_URL.',
      pattern: '^https?://[^/]+$',
    }),
  ),
  API_DOMAIN: Type.Optional(
    Type.String({
      description: 'Domain whose subdomains are projects: `https://{ref}.{API_DOMAIN}`.',
      pattern: '^[a-z0-9.-]+(:\\d+)?$',
    }),
  ),
  ROOT_PROJECT: Type.Optional(
    Type.String({
      description: 'Ref of the project that requests to the bare URL go to if nothing else identifies one.',
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
      'What projects of each tier may use, as JSON with the values that differ from the default: `{"free": {"documents": 10000, "mailsPerDay": 100}}`. [limits.md](limits.md) lists them all.',
  }),
  CELL_MAX_BYTES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Size of the database of a cell, in bytes, above which it accepts no writes except deletes. Choose it well below the size of the disk, such as 80 % of it. Without it there is no limit.',
    }),
  ),
  REQUEST_LOG_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 366,
    description:
      'Maximum number of days that requests stay in the [request log](requests.md); a tier may have fewer (`requestLogDays` of `TIERS`). 0: none are kept.',
  }),
  ADDRESS_RATE_LIMIT: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests per minute without a valid credential from one address.',
  }),
  AUTH_ADDRESS_LIMIT: Type.Integer({
    default: 60,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Sign-ups, logins and other password attempts per minute from one address.',
  }),
  AUTH_ACCOUNT_LIMIT: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Password attempts per minute for one account, whatever the address.',
  }),
  FILE_ADDRESS_LIMIT: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Files that one address may request per minute: a hundred pages with a hundred images each.',
  }),
  IMAGE_ADDRESS_LIMIT: Type.Integer({
    default: 600,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Images resized or converted per minute for one address; those already cached do not count.',
  }),
  FUNCTIONS_SANDBOX: Type.String({
    default: 'auto',
    pattern: '^(auto|off|process|landlock|bwrap|gvisor|remote)$',
    description:
      'How the code of projects is sandboxed: `bwrap`, `landlock`, `gvisor`, or `process` for Deno’s permissions only. `auto` picks `bwrap` or else `landlock`; if neither can be started, functions are off. Under `plinth dev` it also falls back to `process`. `remote`: functions run on the machines of `FUNCTIONS_POOL_URLS`. `off`: no functions.',
  }),
  FUNCTIONS_MAX_PROCESSES: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 10_000,
    description: 'Maximum number of function processes that this node keeps, about 12 MB each.',
  }),
  FUNCTIONS_BLANK_PROCESSES: Type.Integer({
    default: 4,
    minimum: 0,
    maximum: 100,
    description:
      'Pre-started processes that wait for code once the node has run some: a first call takes 10 ms instead of 70.',
  }),
  FUNCTIONS_MEMORY_MB: Type.Integer({
    default: 256,
    minimum: 64,
    maximum: 16_384,
    description:
      'Memory of one function process, half of it for the JavaScript heap; a process that exceeds it is ended.',
  }),
  FUNCTIONS_IDLE_MS: Type.Integer({
    default: 600_000,
    minimum: 1000,
    maximum: 86_400_000,
    description: 'How long an idle function process is kept.',
  }),
  FUNCTIONS_EGRESS_ALLOW: Type.String({
    default: '',
    description: 'Non-public addresses or networks, separated by commas, that functions may fetch from.',
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
      description: 'Port on which `plinth functions serve` serves `GET /health`. Without it there is none.',
    }),
  ),
  TRUST_PROXY: Type.String({
    default: '',
    pattern: '^[0-9a-fA-F.:/, ]*$',
    description:
      'Addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas. Empty: none.',
  }),
  LOG_LEVEL: Type.String({
    default: 'info',
    pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
    description:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. From `debug` on every request is logged.',
  }),
  ADMIN_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port for operators and Prometheus: `/metrics`, and `/readyz` with the state of each engine. Without it neither is available. With `--workers` it covers all processes together.',
    }),
  ),
  ADMIN_HOST: Type.String({
    default: '127.0.0.1',
    description:
      'Address that `ADMIN_PORT` listens on. It requires no credentials: keep it off the internet.',
  }),
  SLOW_CALL_MS: Type.Integer({
    default: 1000,
    minimum: 0,
    maximum: 600_000,
    description:
      'Requests that take longer are [logged](monitoring.md#logs), with where the time went. 0: none are.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Where to send [traces](monitoring.md#traces): a collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it nothing is traced.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.String({
    default: '',
    description:
      'Headers for the collector, in OpenTelemetry format: `authorization=Bearer%20…`, separated by commas.',
  }),
  TRACE_SAMPLE: Type.Number({
    default: 0,
    minimum: 0,
    maximum: 1,
    description:
      'Fraction of the requests without a trace that are traced: 0.01 is one in a hundred. Requests that carry a trace are traced if their `traceparent` says so.',
  }),
  SHUTDOWN_DELAY_MS: Type.Integer({
    default: 2000,
    minimum: 0,
    maximum: 25_000,
    description:
      'After SIGTERM: how long `/readyz` reports not ready while requests are still accepted, so that load balancers move on.',
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
