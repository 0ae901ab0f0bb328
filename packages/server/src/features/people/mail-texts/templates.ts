interface Template {
  /** What its texts may say, besides what all may. */
  readonly variables: readonly string[];
  /** What the message is for: a text without it would be useless. */
  readonly purpose?: 'link' | 'code';
  /** The address that becomes a button where it stands alone. */
  readonly button?: 'link' | 'login_url';
}

/** The messages that the service sends to app users. */
export const templates = {
  verification: { variables: ['link', 'hours'], purpose: 'link', button: 'link' },
  welcome: { variables: [], button: 'login_url' },
  'password-reset': { variables: ['link', 'minutes'], purpose: 'link', button: 'link' },
  'password-changed': { variables: ['time', 'device'] },
  'two-step-code': { variables: ['code', 'minutes'], purpose: 'code' },
  'phone-code': { variables: ['code', 'minutes'], purpose: 'code' },
  /** A text message: it has no subject and no HTML. */
  'sms-code': { variables: ['code', 'minutes'], purpose: 'code' },
  'new-device': { variables: ['time', 'device', 'address'] },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(templates, name);

export const templateNames = Object.keys(templates).filter(isTemplateName);

export const templateOf = (name: TemplateName): Template => templates[name];

const inAll = ['app_name', 'name', 'frontend_url', 'login_url'];

/** The names that the texts of a template may use. */
export const variablesOf = (name: TemplateName): readonly string[] => [
  ...inAll,
  // A text message goes to a phone number.
  ...(name === 'sms-code' ? [] : ['email']),
  ...templates[name].variables,
];

/** What a project says instead of the built-in text, for one template in one language. */
export interface TemplateReplacement {
  readonly subject: string;
  readonly body: string;
  /** A whole HTML of its own, used instead of the body in the layout. */
  readonly html?: string | undefined;
  /** What its button says. */
  readonly button?: string;
  /** What else its texts may say. */
  readonly variables?: readonly string[];
}
