/** A form with the boundary "b" that uploads hello as a.txt into the folder a/, and what can be wrong with it. */

export const formType = 'multipart/form-data; boundary=b';
const part = (headers: string, content = 'x') => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const disposition = (rest: string) => `Content-Disposition: form-data${rest}`;
export const fileHeaders = disposition('; name="file"; filename="a.txt"');
export const good = `${part(disposition('; name="path"'), 'a/')}${part(fileHeaders, 'hello')}--b--\r\n`;
const withMore = (more: string) => good.replace('--b--', `${more}--b--`);
const withHeaders = (headers: string) => good.replace(fileHeaders, headers);

/** What is odd about it, the body, and its Content-Type where that is not the right one. */
export type OddForm = [what: string, body: string, contentType?: string];

const texts = Array.from({ length: 10_000 }, (_, at) => part(disposition(`; name="${at}"`)));

/** To be refused. */
export const badForms: OddForm[] = [
  ['no boundary', good, 'multipart/form-data'],
  ['an empty boundary', good, 'multipart/form-data; boundary='],
  ['an empty boundary in quotation marks', good, 'multipart/form-data; boundary=""'],
  ['another boundary', good, 'multipart/form-data; boundary=c'],
  ['a boundary of 4000 characters', good, `multipart/form-data; boundary=${'c'.repeat(4000)}`],
  ['another kind of multipart', good, 'multipart/mixed; boundary=b'],
  ['the type of a URL', good, 'application/x-www-form-urlencoded'],
  ['nothing in it', ''],
  ['only its end', '--b--\r\n'],
  ['only line breaks', '\r\n\r\n\r\n'],
  ['line feeds alone', good.replaceAll('\r\n', '\n')],
  ['no end', good.replace('--b--', '')],
  ['half an end', good.replace('--b--', '--b-')],
  ['a part without a name', withMore(part(disposition('')))],
  ['a part of an empty name', withMore(part(disposition('; name=""')))],
  ['a file without a name', withMore(part(disposition('; filename="b.txt"')))],
  ['a file of an empty file name', good.replace('a.txt', '')],
  ['a part without headers', withMore('--b\r\n\r\nx\r\n')],
  ['a part without a disposition', withMore(part('Content-Type: text/plain'))],
  ['a part that is no form data', withMore(part('Content-Disposition: attachment; name="x"; filename="b"'))],
  ['a line break in a name', withMore(part(disposition('; name="a\nb"')))],
  ['the file twice', withMore(part(fileHeaders))],
  ['the path twice', withMore(part(disposition('; name="path"'), 'b/'))],
  ['10,000 texts', withMore(texts.join(''))],
  ['10,000 files', withMore(part(fileHeaders).repeat(10_000))],
  ['10,000 parts without a name', withMore('--b\r\n\r\n\r\n'.repeat(10_000))],
  ['a part header of 1 MB', withHeaders(`X-Large: ${'x'.repeat(1_000_000)}\r\n${fileHeaders}`)],
  ['1000 part headers', withHeaders(`${'X-Many: x\r\n'.repeat(1000)}${fileHeaders}`)],
  ['a name of 1 MB', withMore(part(disposition(`; name="${'x'.repeat(1_000_000)}"`)))],
  ['a file name of 1 MB', good.replace('a.txt', `${'x'.repeat(1_000_000)}.txt`)],
  [
    'a form in the form',
    withHeaders(`${disposition('; name="file"')}\r\nContent-Type: multipart/mixed; boundary=c`),
  ],
  ['a way up in filename*', good.replace('filename="a.txt"', `filename*=UTF-8''..%2f..%2fa.txt`)],
  ['a name that says __proto__', good.replace('"path"', '"__proto__"')],
  ['a name that says toString', good.replace('"path"', '"toString"')],
  ['spaces behind a boundary', good.replace('--b\r\n', '--b  \r\n')],
  ['two dispositions', withHeaders(`${fileHeaders}\r\n${disposition('; name="x"')}`)],
  ['a text of more than 1 MB', withMore(part(disposition('; name="x"'), 'x'.repeat(1_048_577)))],
];

/** To be refused too: the next boundary comes before a part's content could. */
export const endlessForms: OddForm[] = [
  ['a part whose headers do not end', withMore(`--b\r\n${disposition('; name="x"')}\r\n`)],
  ['a file whose headers do not end', good.replace(`${fileHeaders}\r\n`, fileHeaders)],
];

/** To be taken, and to mean the same as the good one. */
export const goodForms: OddForm[] = [
  ['text before and after it', `before\r\n${good}after\r\n--b\r\n`],
  ['bytes after its end', `${good}${'\0'.repeat(100_000)}`],
  ['quotation marks about its boundary', good, 'multipart/form-data; boundary="b"'],
  ['the type in capitals', good, 'Multipart/Form-Data; Boundary=b'],
  [
    'a transfer encoding, which forms do not have',
    withHeaders(`${fileHeaders}\r\nContent-Transfer-Encoding: base64`),
  ],
  ['two file names, the first of which counts', good.replace('"a.txt"', '"a.txt"; filename="../../b.txt"')],
  ['header names in capitals', good.replaceAll('Content-Disposition', 'CONTENT-DISPOSITION')],
];
