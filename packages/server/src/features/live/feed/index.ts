/** What the changes of a cell mean to those who are subscribed to them. */
export { CellFeeds, type CellFeedsDeps } from './cell-feeds.ts';
export { CursorSeals, formatCursor, type SealedCursor } from './feed-cursor.ts';
export { dependsOnUser, type LiveQuery, type LiveQueryDeps, openQuery, renderAll } from './live-query.ts';
export type { ProjectFeed } from './project-feed.ts';
export { type Outlet, Subscription } from './subscription.ts';
export { currentVisibility } from './visibility-store.ts';
