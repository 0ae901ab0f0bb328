import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { image, pdf } from '../../server/test/support/files/contents.ts';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type MailApp, mailApp } from '../../server/test/support/people/mail-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('the files of a project', () => {
  let t: MailApp;
  let opened: OpenedProject;
  beforeAll(async () => {
    t = await mailApp();
    opened = await openProject(t);
  });
  afterAll(async () => {
    await opened?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  const filesIn = async (path = '') => (await opened.server.get(`/storage/list?path=${path}`)).body;

  test('a picture is uploaded by the button, and seen', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Files' }).click();
    await ada.see('files-empty', 'No files yet');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    const picture = { name: 'photo.png', mimeType: 'image/png', buffer: await image('png', 600, 400) };
    const fake = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<p>no picture</p>') };
    await (await choosing).setFiles([picture, fake]);
    await page.getByRole('alert').waitFor();
    await ada.see('files-refused', 'Files');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect((await filesIn()).data).toMatchObject([{ name: 'photo.png', width: 600 }]);
    await page.getByRole('link', { name: /photo\.png/ }).click();
    await page.getByText('600 × 400').waitFor();
    const shown = page.getByRole('img', { name: 'photo.png' });
    await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(600);
    await ada.see('file', 'photo.png');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('a file is dropped into a folder, as a private one, and a link to it made', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('contracts');
    await page.getByRole('button', { name: 'Open folder' }).click();
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
    await page.getByRole('switch', { name: 'Upload as private' }).click();
    await page.evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], 'lease.pdf', { type: 'application/pdf' }));
      dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, pdf);
    await page.getByRole('link', { name: /lease\.pdf/ }).click();
    expect((await filesIn('contracts/')).data).toMatchObject([{ name: 'lease.pdf', private: true }]);
    await page.getByLabel('Expires after').selectOption('10 minutes');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = new URL((await page.getByLabel('Link', { exact: true }).textContent()) ?? '');
    const answer = await fetch(`${t.url}${link.pathname}${link.search}`);
    expect([answer.status, await answer.text()]).toEqual([200, pdf]);
    await ada.see('file-private', 'lease.pdf');
  });

  test('a file is deleted, and its folder is gone', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete file' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor();
    expect((await filesIn()).folders).toEqual([]);
    await page.getByRole('link', { name: 'All files' }).click();
    await page.getByText('1 file,').waitFor();
    await ada.see('files', 'Files');
  });
});
