// Prints docs/errors.md, generated from the catalogue.
import { errorCatalogue } from '../../packages/protocol/src/index.ts';

const rows = Object.entries(errorCatalogue)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { status, when }]) => `| \`${code}\` | ${status} | ${when} |`);

process.stdout.write(`# Errors

Every error has the same form, even when responses are bare:

\`\`\`json
{"success": false, "error": {"code": "…", "message": "…", "details": {}, "requestId": "…"}}
\`\`\`

- \`code\` is one of the codes below. It never changes: base your code on it.
- \`message\` is for people. It says what to do, and its wording may change.
- \`details\`, if present, points programs to the place: an index, a parameter, a path.
- \`requestId\` is also in the \`X-Request-Id\` header of the response. Use it to find the request in the server log.

| code | status | when |
| --- | --- | --- |
${rows.join('\n')}

Generated from the catalogue in \`packages/protocol/src/errors.ts\`; [CONTRIBUTING.md](../CONTRIBUTING.md) says how to add a code.
`);
