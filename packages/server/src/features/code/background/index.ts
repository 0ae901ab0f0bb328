/** Functions that run by themselves: after events, at their time, or when code asks for it. */
export { addBackgroundRoutes } from './function-routes.ts';
export { addTaskRoutes } from './routes.ts';
export { functionHandler } from './run-delivery.ts';
export { functionKind, subscribeFunctions } from './subscribe.ts';
