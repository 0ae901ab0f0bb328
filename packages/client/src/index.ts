export type { ErrorCode, Operator } from '@plinth/protocol';
export { Collection, type WriteOptions } from './collection.ts';
export { type Client, type ClientOptions, createClient } from './create-client.ts';
export { attempt, type ClientErrorCode, isPlinthError, PlinthError } from './errors.ts';
export type { Answer, Call, CallOptions } from './http.ts';
export type { Populated } from './paths.ts';
export type {
  AnyProject,
  Changes,
  Doc,
  Id,
  Json,
  NewDoc,
  Profile,
  ProjectTypes,
  User,
  UserId,
} from './project-types.ts';
export { type Page, type PageOptions, Query } from './query.ts';
