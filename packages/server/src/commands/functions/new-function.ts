import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemplateName, templates } from '@plinth/runtime/templates';
import { errorCode } from '../../platform/error-code.ts';
import { isNear } from '../../platform/near-name.ts';
import { CommandError, UsageError } from '../usage.ts';
import { isFunctionName } from './function-files.ts';

/** Writes a small function to begin with. Nothing that is there is overwritten. */
export async function writeNewFunction(
  folder: string,
  { name, template }: { readonly name: string; readonly template: string },
): Promise<string> {
  if (!isFunctionName(name))
    throw new UsageError(
      `"${name}" is not a valid function name: it must start with a letter and have only letters, digits, _ and -.`,
    );
  if (!isTemplate(template)) throw unknownTemplate(template);
  const file = `${name}.ts`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), templates[template], { flag: 'wx' }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new CommandError(`functions/${file} already exists and was not changed.`);
  });
  return `Wrote functions/${file}. Deploy it: plinth functions deploy`;
}

function isTemplate(name: string): name is TemplateName {
  return Object.hasOwn(templates, name);
}

function unknownTemplate(given: string): UsageError {
  const names = Object.keys(templates);
  const near = names.find((name) => isNear(name, given));
  return new UsageError(
    near === undefined
      ? `There is no template "${given}". Templates: ${names.join(', ')}.`
      : `There is no template "${given}". Did you mean "${near}"?`,
  );
}
