import { Type } from 'typebox';
import type { Operation } from '../../../platform/http/openapi/index.ts';

const anything = Type.Unknown({
  description: 'Whatever the function accepts or returns.',
  examples: [{ total: 3 }],
});

/** What the OpenAPI document says of calling a function: one of the methods stands for all. */
export function describeFunctionCall(url: string): (method: string) => Operation | undefined {
  return (method) => {
    if (method !== 'POST' || url.endsWith('*')) return undefined;
    return {
      operationId: 'callFunction',
      tag: 'Functions',
      summary: 'Call a function',
      description:
        'Any method and any path after the name reach the function. Bodies are streamed in both directions, up to 6 MB in requests. A returned value becomes `data` of the response; a returned Response is sent unchanged, but without its own cookies and CORS headers. The function’s `access` decides who can call it. The `X-Function-Run` header identifies the run in the logs.',
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
        200: { description: 'The response of the function', content: { 'application/json': anything } },
      },
      failures: [401, 403, 404, 413, 429, 500, 503],
    };
  };
}
