const introduction = `
Plinth is a backend for apps on PostgreSQL:

- **Collections and documents**: JSON of any shape, filters and sorting in the URL, atomic operators, batches.
- **Rules**: who can read and write what, in the same language as filters.
- **Links** between documents and users: \`populate\`, and filters across links.
- **App users**: sign-up, login, emails, second steps, passkeys, Google and other providers.
- **Files**: on their own or with a document, and images in any size.
- **Realtime**: changes as they happen, over WebSocket or Server-Sent Events.
- **Indexes**: requested, or created automatically.

## First requests

Create a collection, add a document, and query the collection:

\`\`\`sh
curl $BASE/collections -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "posts", "settings": {"rules": {"read": "public", "create": "users"}}}'

curl $BASE/collections/posts -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"title": "Hello", "views": 0}'

curl "$BASE/collections/posts?title__contains=hell&orderBy=views&order=desc" -H "X-API-Key: $KEY"
\`\`\`

## Credentials

The API key (\`X-API-Key: plk_…\`) is for your server: rules do not apply to it. The people who use your app send the \`access_token\` from their login (\`Authorization: Bearer …\`), and can do what the rules allow. Requests without a credential go to the URL of the project, \`/p/{ref}\`, and can do what is \`public\`.

## Responses

A response has its result in \`data\`, and everything else next to it:

\`\`\`json
{"success": true, "data": {"id": "…"}, "warnings": ["…"]}
\`\`\`

With \`X-Response-Format: bare\`, the body is only the value of \`data\`. An error always has a code, which your program can rely on, and a message that says what to do:

\`\`\`json
{"success": false, "error": {"code": "…", "message": "…", "requestId": "…"}}
\`\`\`

## Lists

Use \`limit\` (20 by default, at most 100) and \`offset\`, or \`cursor\` with the \`nextCursor\` of the previous page, which is equally fast at any depth. \`total\` is exact for short lists; for long ones it is a lower bound, marked by \`totalIsFloor\`. \`Prefer: count=exact\` counts all entries.

## Retrying requests

Every POST accepts an \`Idempotency-Key\`: however often you send the request, it is processed once. If a change relies on what you have read, send its \`ETag\` as \`If-Match\`.

## Limits

The headers \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` show the requests per minute, how many are left, and when the limit resets. If you exceed it, or if the service is busy, \`Retry-After\` says when to retry.
`.trim();

/** What the OpenAPI document says of the service as a whole. */
export const apiDescription = {
  description: introduction,
  tags: [
    { name: 'Collections', description: 'Named sets of documents.' },
    { name: 'Documents', description: 'JSON objects of any shape.' },
    {
      name: 'Links',
      description: 'The fields that contain ids of other records, as far as the service has seen.',
    },
    { name: 'Indexes', description: 'Indexes keep filters and sorting fast on large collections.' },
    {
      name: 'Configuration',
      description:
        'Everything a project is configured with, read and changed as a whole: configuration as code.',
    },
    { name: 'Files', description: 'Uploads, public and signed URLs, and images in any size.' },
    {
      name: 'Realtime',
      description: 'Changes as they happen, over WebSocket or Server-Sent Events, and rooms.',
    },
    { name: 'App users', description: 'The people who use the app: sign-up, login, profiles.' },
    { name: 'Sign-in flows', description: 'Verification, password reset, second steps, phone login.' },
    { name: 'Passkeys', description: 'Sign-in with a fingerprint, a face or a PIN instead of a password.' },
    { name: 'Mail templates', description: 'The texts of emails, and how to replace them with your own.' },
    {
      name: 'Functions',
      description: 'The project’s code: deploy it, call it, and see its runs and logs.',
    },
    { name: 'Messages', description: 'The delivery status of emails and text messages.' },
    { name: 'Usage', description: 'How much of each quota the project has used.' },
    { name: 'Projects', description: 'Creating and managing projects, for accounts.' },
    { name: 'Teams', description: 'The people who work on a project: owner, teammates, invitations.' },
    {
      name: 'Accounts',
      description: 'The people who manage projects: sign-in, sessions, personal access tokens.',
    },
    { name: 'Insight', description: 'A project’s requests, its usage, and security advice.' },
    { name: 'Webhooks', description: 'URLs of yours that are notified of events in a project.' },
    { name: 'Audit log', description: 'Who changed what, when, and from where.' },
    { name: 'Service', description: 'The service itself: health checks, and the public keys it signs with.' },
  ],
  servers: [
    { url: '/', description: 'The project is the one that the credential belongs to.' },
    {
      url: '/p/{ref}',
      description: 'A project’s own address.',
      variables: { ref: { default: 'abcdefghijkl', description: 'The project’s ref.' } },
    },
  ],
};
