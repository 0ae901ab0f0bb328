/** Letting calls in: which project, who, from where, how often, and at most once. */
export { addGate } from './gate.ts';
export { projectAddresses } from './project-address.ts';
export { projectRoutes } from './project-routes.ts';
