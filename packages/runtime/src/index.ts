/** What the code of a project is written with. */
export type { CallingUser, Config, Context, Database, HttpFunction, Log, Tasks } from './context.ts';
export type {
  AnyDocument,
  DeleteEvent,
  DocumentEvent,
  LoginEvent,
  RegisterEvent,
  RunEvent,
  UpdateEvent,
} from './events.ts';
export {
  type AfterOptions,
  onCreate,
  onDelete,
  onLogin,
  onRegister,
  onUpdate,
  type ScheduleOptions,
  schedule,
  type Trigger,
  task,
} from './triggers.ts';
