/** Further API keys, as owners manage them. */
export { addKeyRoutes } from './routes.ts';
