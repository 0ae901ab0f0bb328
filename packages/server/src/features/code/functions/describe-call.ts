import { Type } from 'typebox';
import type { Operation } from '../../../platform/http/openapi/index.ts';

const anything = Type.Unknown({
  description: 'Whatever the function takes or answers.',
  examples: [{ total: 3 }],
});

/** What the OpenAPI document says of calling a function: one of the methods stands for all. */
export function describeFunctionCall(url: string): (method: string) => Operation | undefined {
  return (method) => {
    if (method !== 'POST' || url.endsWith('*')) return undefined;
    return {
      operationId: 'callFunction',
      tag: 'Functions',
      summary: 'Call a function of the project',
      description:
        'Any method, and any path after the name, reach the function; bodies stream both ways, up to 6 MB in. A value that it returns is answered as `data`; a Response is answered as it is, without cookies and CORS headers of its own. Who may call it is its `access`. `X-Function-Run` names the run in the logs.',
      credentials: ['apiKey', 'bearer', 'none'],
      parameters: [
        {
          in: 'path',
          name: 'name',
          isRequired: true,
          schema: Type.String({ description: 'The name of the function.', examples: ['orders'] }),
        },
      ],
      body: { isOptional: true, content: { 'application/json': anything } },
      responses: {
        200: { description: 'What the function answers', content: { 'application/json': anything } },
      },
      failures: [401, 403, 404, 413, 429, 500, 503],
    };
  };
}
