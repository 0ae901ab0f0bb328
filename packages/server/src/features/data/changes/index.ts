/** What a commit means: the changes that subscriptions, and whatever else reads the log, are told of. */
export {
  type Change,
  changesOf,
  type DocumentChange,
  type DocumentImage,
  type OtherChange,
  publications,
  readChange,
  readRow,
} from './changes.ts';
