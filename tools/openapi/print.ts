// Prints the OpenAPI document, for the linter and the site. Nothing connects: the routes alone make it.
import { createNode } from '../../packages/server/src/node/node.ts';
import { parseConfig } from '../../packages/server/src/platform/config/config.ts';

const app = await createNode(
  parseConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: 'x'.repeat(32),
    FILES_FOLDER: 'none',
    LOG_LEVEL: 'fatal',
  }),
);
// A pipe takes it in parts.
process.stdout.write(JSON.stringify(JSON.parse(app.http.openApi()), null, 2), () => process.exit(0));
