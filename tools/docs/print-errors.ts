// Prints docs/errors.md, made from the catalogue.
import { errorCatalogue } from '../../packages/protocol/src/index.ts';

const rows = Object.entries(errorCatalogue)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { status, when }]) => `| \`${code}\` | ${status} | ${when} |`);

process.stdout.write(`# Errors

Every failure has one form, also where answers are bare:

\`\`\`json
{"success": false, "error": {"code": "…", "message": "…", "details": {}, "requestId": "…"}}
\`\`\`

\`code\` is one of those below and does not change; decide by it. \`message\` is for people: it says what to do, and may be worded better tomorrow. \`details\`, where there is one, names the place for programs: an index, a parameter, a path. \`requestId\` is also the \`X-Request-Id\` header of the answer, and finds the call in the server's log.

| code | status | when |
| --- | --- | --- |
${rows.join('\n')}

Made from the catalogue in \`packages/protocol/src/errors.ts\`; [CONTRIBUTING.md](../CONTRIBUTING.md) says how to add a code.
`);
