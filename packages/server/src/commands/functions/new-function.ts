import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../platform/error-code.ts';
import { isNear } from '../../platform/near-name.ts';
import { CommandError, UsageError } from '../usage.ts';
import { isFunctionName } from './function-files.ts';
import { templates } from './templates.ts';

/** Writes a small function to begin with. Nothing that is there is overwritten. */
export async function writeNewFunction(
  folder: string,
  { name, template }: { readonly name: string; readonly template: string },
): Promise<string> {
  if (!isFunctionName(name))
    throw new UsageError(
      `"${name}" cannot be the name of a function: it begins with a letter, and has letters, digits, _ and -.`,
    );
  const text = Object.hasOwn(templates, template) ? templates[template] : undefined;
  if (text === undefined) throw unknownTemplate(template);
  const file = `${name}.ts`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), text.replaceAll('NAME', name), { flag: 'wx' }).catch(
    (error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
      throw new CommandError(`functions/${file} is there already, and was left as it is.`);
    },
  );
  return `Wrote functions/${file}. Deploy it with: plinth functions deploy`;
}

function unknownTemplate(given: string): UsageError {
  const names = Object.keys(templates);
  const near = names.find((name) => isNear(name, given));
  return new UsageError(
    near === undefined
      ? `There is no template "${given}". There are ${names.join(', ')}.`
      : `There is no template "${given}". Did you mean "${near}"?`,
  );
}
