/** Which files are taken: by their extension and their first bytes. */
export {
  type FileKind,
  headBytes,
  kindOf,
  kindOfName,
  supportedExtensions,
  wantedHead,
} from './file-kinds.ts';
