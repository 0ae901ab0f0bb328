const introduction = `
Plinth is a backend for apps on PostgreSQL:

- **Collections and documents**: JSON of any shape, filters and sorting in the URL, atomic operators, batches.
- **Rules** that say who may read and write what, in the same language as filters.
- **Links** between documents and users: \`populate\`, and filters through them.
- **App users**: sign-up, login, mails, second steps, passkeys, Google and other providers.
- **Files** alone or with a document, images in any size.
- **Realtime**: changes as they happen, over WebSocket or Server-Sent Events.
- **Indexes**, asked for or made by the service itself.

## The first calls

Make a collection, put a document into it, and read what is there:

\`\`\`sh
curl $BASE/collections -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "posts", "settings": {"rules": {"read": "public", "create": "users"}}}'

curl $BASE/collections/posts -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"title": "Hello", "views": 0}'

curl "$BASE/collections/posts?title__contains=hell&orderBy=views&order=desc" -H "X-API-Key: $KEY"
\`\`\`

## Credentials

The API key (\`X-API-Key: plk_…\`) is for your server: rules do not apply to it. The people who use your app send the \`access_token\` of their login (\`Authorization: Bearer …\`), and may do what the rules allow. Calls without a credential go to the address of a project, \`/p/{ref}\`, and may do what is \`public\`.

## Answers

An answer has what you asked for in \`data\`, and anything else beside it:

\`\`\`json
{"success": true, "data": {"id": "…"}, "warnings": ["…"]}
\`\`\`

With \`X-Response-Format: bare\` the body is the data alone. A failure always has a code, which your program can rely on, and a message that says what to do:

\`\`\`json
{"success": false, "error": {"code": "…", "message": "…", "requestId": "…"}}
\`\`\`

## Lists

\`limit\` (20 unless you say otherwise, at most 100) and \`offset\`, or \`cursor\` with the \`nextCursor\` of the page before, which is as fast at any depth. \`total\` is exact for short lists and a lower bound, with \`totalIsFloor\`, for long ones; \`Prefer: count=exact\` counts all.

## Sending a call again

Every POST takes an \`Idempotency-Key\`: however often you send it, it is done once. A change that relies on what you have read sends its \`ETag\` as \`If-Match\`.

## Limits

The headers \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` say how many calls a minute are left. Past that, and when the service is busy, \`Retry-After\` says when to go on.
`.trim();

/** What the OpenAPI document says of the service as a whole. */
export const apiDescription = {
  description: introduction,
  tags: [
    { name: 'Collections', description: 'Named sets of documents.' },
    { name: 'Documents', description: 'JSON objects of any shape.' },
    { name: 'Links', description: 'Which fields hold ids of other records, as far as the service has seen.' },
    { name: 'Indexes', description: 'What keeps filters and sorts fast on large collections.' },
    {
      name: 'Configuration',
      description: 'All that a project is set up with, read and changed as a whole: configuration as code.',
    },
    { name: 'Files', description: 'Uploads, public and signed URLs, images in any size.' },
    {
      name: 'Realtime',
      description: 'Changes as they happen, and rooms, over WebSocket or Server-Sent Events.',
    },
    { name: 'App users', description: 'The people who use the app: sign-up, login, profiles.' },
    { name: 'Sign-in flows', description: 'Verification, password reset, second steps, phone login.' },
    { name: 'Passkeys', description: 'Sign-in with a finger, a face or a PIN instead of a password.' },
    { name: 'Mail templates', description: 'The texts of mails, and your own in their place.' },
    {
      name: 'Functions',
      description: 'The code of the project: deploying it, calling it, and seeing what it did.',
    },
    { name: 'Messages', description: 'What became of mails and text messages.' },
    { name: 'Usage', description: 'What the project has used of what its tier allows.' },
    { name: 'Projects', description: 'Creating and managing projects, for accounts.' },
    { name: 'Teams', description: 'Who works on a project: owner, teammates, invitations.' },
    {
      name: 'Accounts',
      description: 'The people who manage projects: sign-in, sessions, personal access tokens.',
    },
    { name: 'Insight', description: 'The calls of a project, its usage, and advice about its safety.' },
    { name: 'Webhooks', description: 'Addresses of your own that are told what happens in a project.' },
    { name: 'Audit log', description: 'Who changed what, when, from where.' },
    { name: 'Service', description: 'The service itself: whether it runs, and the keys it signs with.' },
  ],
  servers: [
    { url: '/', description: 'The project is the one the credential belongs to.' },
    {
      url: '/p/{ref}',
      description: 'A project’s own address.',
      variables: { ref: { default: 'abcdefghijkl', description: 'The project’s ref.' } },
    },
  ],
};
