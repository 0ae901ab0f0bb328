/** The library for writing the functions of a project. */
export type {
  CallingUser,
  Config,
  Context,
  Database,
  HttpFunction,
  Log,
  Mail,
  NewMail,
  QueuedMail,
  Tasks,
} from './context.ts';
export type {
  AnyDocument,
  BeforeCreateEvent,
  BeforeDeleteEvent,
  BeforeLoginEvent,
  BeforeRegisterEvent,
  BeforeUpdateEvent,
  DeleteEvent,
  DocumentEvent,
  LoginEvent,
  RegisterEvent,
  RunEvent,
  UpdateEvent,
} from './events.ts';
// Whole, so that it can be filled from outside.
export type * from './register.ts';
export {
  type AfterOptions,
  type BeforeOptions,
  beforeCreate,
  beforeDelete,
  beforeLogin,
  beforeRegister,
  beforeUpdate,
  onCreate,
  onDelete,
  onLogin,
  onRegister,
  onUpdate,
  refuse,
  type ScheduleOptions,
  schedule,
  type Trigger,
  task,
} from './triggers.ts';
