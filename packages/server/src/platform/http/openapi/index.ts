/** The OpenAPI document: written of what each route says of itself. */
export { addOpenApi } from './add-openapi.ts';
export { type Operation, type Parameter, pathParameters } from './operation.ts';
export type { ResponseHeader } from './response-headers.ts';
