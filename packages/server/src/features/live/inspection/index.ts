/** What goes on just now in a project: its rooms, connections and subscriptions, on all nodes. */
export { ownPart } from './own-part.ts';
export { addInspectionRoutes } from './routes.ts';
export { Survey } from './survey.ts';
