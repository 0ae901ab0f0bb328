export type { CollectionShape, ErrorCode, Operator, RoomMember } from '@plinth/protocol';
export type { Auth } from './auth/auth.ts';
export type { LoginResult, SecondStep } from './auth/auth-calls.ts';
export type { SecondSteps } from './auth/authenticator.ts';
export type { Passkey } from './auth/passkeys.ts';
export type { AuthState, EndOfSession, KeyValueStorage } from './auth/session-keeper.ts';
export type { Identity, SignIn } from './auth/sign-ins.ts';
export type { ClientOptions } from './client-options.ts';
export { Collection, type WriteOptions } from './collection.ts';
export { type Client, createClient } from './create-client.ts';
export { attempt, type ClientErrorCode, isPlinthError, PlinthError } from './errors.ts';
export type { FileRecord } from './files/file-record.ts';
export type { Files, Upload, UploadOptions } from './files/files.ts';
export { type ImageSize, imageUrl } from './files/image-url.ts';
export type { Functions } from './functions.ts';
export type { Answer, Call, CallOptions } from './http.ts';
export type { ConnectionState } from './live/connection.ts';
export type { LiveConnection } from './live/lazy-live.ts';
export type { Change, FollowOptions } from './live/live-side.ts';
export type {
  Live,
  LiveDocumentState,
  LiveList,
  LiveState,
  LiveStatus,
  RoomState,
} from './live/live-state.ts';
export type { Room } from './live/room.ts';
export type { ClientOutbox } from './offline/lazy-device.ts';
export type { OutboxState, WaitingWrite } from './offline/outbox.ts';
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
export type { CollectionChanges, CollectionRecord, CollectionSettings } from './server-side/collections.ts';
export type { NewUser, UserChanges } from './server-side/users.ts';
