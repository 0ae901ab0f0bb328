import { defineError } from '../../../platform/errors.ts';

export const projectNotFound = defineError('project_not_found', (ref: string) => ({
  message: `There is no project "${ref}".`,
  details: { ref },
}));
export const noOpenCell = defineError(
  'no_open_cell',
  () => 'No cell accepts new projects. Add a cell, or open one in control.cells.',
);
/** The sentence says what the setting may be, and never repeats a secret. */
export const invalidSetting = defineError('invalid_setting', (setting: string, sentence: string) => ({
  message: sentence,
  details: { setting },
}));
export const settingNotFound = defineError('setting_not_found', (ref: string, setting: string) => ({
  message: `${setting} of project ${ref} was not set.`,
  details: { setting },
}));
export const reservedKey = defineError('reserved_key', (key: string) => ({
  message: `${key} is a built-in configuration key: set it in the project’s configs.`,
  details: { key },
}));
export const variableNotFound = defineError('variable_not_found', (key: string) => ({
  message: 'There is no such variable.',
  details: { key },
}));
