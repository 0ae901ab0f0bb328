import { expect } from 'vitest';
import type { Page } from '../../server/test/support/browser.ts';

/** Clicks a control whose state is in the address: it shows the new one only once the page has followed. */
export async function choose(control: ReturnType<Page['getByRole']>, isChosen = true): Promise<void> {
  await control.click();
  await expect.poll(() => control.isChecked()).toBe(isChosen);
}
