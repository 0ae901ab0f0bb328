import { gzipSync } from 'node:zlib';
import { gzip, image, mov, mp4, pdf, svg, webm, zip } from '../../support/files/contents.ts';
import { pngOfSize } from '../hostile-contents.ts';

/** How a file comes back, or that it was refused for its type. */
type Verdict = `${'inline' | 'attachment'}${'' | ' sandbox'} ${string}` | 'refused';

export type HostileFile = readonly [what: string, name: string, content: Buffer | string, verdict: Verdict];

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const svgFile = 'attachment sandbox image/svg+xml';
const text = 'inline sandbox text/plain; charset=utf-8';
const html = '<!DOCTYPE html><html><script>alert(document.cookie)</script></html>';
const inSvg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">';
const matroska = Buffer.from(webm.toString('latin1').replace('webm', 'mkv '), 'latin1');

/** Every hostile file with the one right answer to it, whichever way it is sent. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const [png, jpg, gif, webp] = await Promise.all(
    (['png', 'jpeg', 'gif', 'webp'] as const).map((format) => image(format)),
  );
  const gifScript = Buffer.concat([Buffer.from('GIF89a/*'), gif!.subarray(8), Buffer.from('*/=1;alert(1)')]);
  const join = (...pieces: (Buffer | string)[]) =>
    Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  return [
    // Two formats at once: one of them is chosen, by both name and content.
    ['GIF that is a script', 'a.gif', gifScript, 'inline image/gif'],
    ['GIF that is a script', 'a.js', gifScript, 'refused'],
    ['GIF that is a script', 'a.txt', gifScript, 'refused'],
    ['PDF that is a page', 'a.pdf', `%PDF-1.4\n${html}`, 'inline application/pdf'],
    ['PDF that is a page', 'a.html', `%PDF-1.4\n${html}`, 'refused'],
    ['PDF that starts as a page', 'a.pdf', `${html}\n${pdf}`, 'refused'],
    ['PNG with a zip behind it', 'a.png', join(png!, zip()), 'inline image/png'],
    ['PNG with a zip behind it', 'a.zip', join(png!, zip()), 'refused'],
    ['JPEG with PHP behind it', 'a.jpg', join(jpg!, '<?php system($_GET[0]);'), 'inline image/jpeg'],
    ['JPEG with PHP behind it', 'a.php', join(jpg!, '<?php system($_GET[0]);'), 'refused'],
    ['zip with a page before it', 'a.zip', join(html, zip()), 'refused'],
    // SVG
    ['script', 'a.svg', inSvg('<script>alert(1)</script>'), svgFile],
    ['event handler', 'a.svg', '<svg onload="alert(1)"/>', svgFile],
    ['foreignObject', 'a.svg', inSvg(`<foreignObject>${html}</foreignObject>`), svgFile],
    [
      'style sheet of another site',
      'a.svg',
      `<?xml-stylesheet href="//evil.test"?>${svg.slice(22)}`,
      svgFile,
    ],
    [
      'the DTD that drawing programs name',
      'a.svg',
      `<!DOCTYPE svg PUBLIC "a" "http://b">${inSvg('')}`,
      svgFile,
    ],
    ['entities', 'a.svg', `<!DOCTYPE svg [${laughs}]>${inSvg('&b;')}`, 'refused'],
    [
      'entities behind a comment',
      'a.svg',
      `<!DOCTYPE svg [<!-- ><svg --> ${laughs}]>${inSvg('&b;')}`,
      'refused',
    ],
    ['a page called SVG', 'a.svg', html, 'refused'],
    ['a page with an image in it', 'a.svg', `<html>${svg}</html>`, 'refused'],
    ['other XML', 'a.svg', '<?xml version="1.0"?><feed/>', 'refused'],
    ['other XML, in the name of SVG', 'a.svg', '<svgs/>', 'refused'],
    ['only a comment', 'a.svg', '<!-- <svg> -->', 'refused'],
    ['packed SVG', 'a.svg', gzipSync(svg), 'refused'],
    ['SVG as an image of pixels', 'a.png', svg, 'refused'],
    // Pages as text
    ['a page', 'a.txt', html, text],
    ['a page', 'a.csv', html, 'attachment sandbox text/csv; charset=utf-8'],
    ['SVG as text', 'a.txt', inSvg('<script>alert(1)</script>'), text],
    ['a formula', 'a.csv', '=cmd|"/C calc"!A0', 'attachment sandbox text/csv; charset=utf-8'],
    // Programs
    ['a program for Windows', 'a.txt', join('MZ\x90\0\x03\0\0\0', Buffer.alloc(64)), 'refused'],
    ['a program for Linux', 'a.txt', join('\x7fELF\x02\x01\x01\0', Buffer.alloc(64)), 'refused'],
    ['a program for Windows', 'a.jpg', join('MZ\x90\0', Buffer.alloc(64)), 'refused'],
    ['a class', 'a.zip', Buffer.from('cafebabe0000', 'hex'), 'refused'],
    // Cut off
    ['only the signature', 'a.png', png!.subarray(0, 8), 'inline image/png'],
    ['less than the signature', 'a.png', png!.subarray(0, 7), 'refused'],
    ['half of it', 'a.jpg', jpg!.subarray(0, jpg!.length / 2), 'inline image/jpeg'],
    ['half of it', 'a.webp', webp!.subarray(0, 20), 'inline image/webp'],
    ['nothing', 'a.png', '', 'refused'],
    ['nothing', 'a.zip', '', 'refused'],
    ['nothing', 'a.svg', '', 'refused'],
    ['nothing', 'a.txt', '', text],
    // Small when packed
    ['a zip bomb', 'a.zip', zip('a.txt', '0'.repeat(20_000_000)), 'attachment sandbox application/zip'],
    ['a gzip bomb', 'a.tgz', gzipSync(Buffer.alloc(50_000_000)), 'attachment sandbox application/gzip'],
    ['a PNG bomb', 'a.png', pngOfSize(20_000, 20_000), 'inline image/png'],
    // Office
    ['macros', 'a.docx', zip('word/vbaProject.bin'), `attachment sandbox ${docx}`],
    ['macros', 'a.docm', zip('word/vbaProject.bin'), 'refused'],
    ['macros', 'a.docx.docm', zip('word/vbaProject.bin'), 'refused'],
    ['the format before', 'a.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'refused'],
    // Names that mean something else to another program
    ['two extensions', 'a.php.png', png!, 'inline image/png'],
    ['two extensions', 'a.png.php', png!, 'refused'],
    ['two extensions', 'a.svg.png', svg, 'refused'],
    ['two extensions', 'a.png.svg', png!, 'refused'],
    ['a dot at the end', 'a.txt.', 'x', 'refused'],
    ['a space at the end', 'a.txt ', 'x', 'refused'],
    ['a stream of its own', 'a.txt::$DATA', 'x', 'refused'],
    ['a stream of its own', 'a.txt:b.exe', 'x', 'refused'],
    ['upper case', 'A.SVG', svg, svgFile],
    ['upper case', 'A.TAR.GZ', gzip, 'attachment sandbox application/gzip'],
    ['only an extension', '.txt', 'x', 'refused'],
    ['only an extension', '.tar.gz', gzip, 'refused'],
    ['no extension', 'txt', 'x', 'refused'],
    ['settings of a server', '.htaccess', 'AddType application/x-httpd-php .png', 'refused'],
    // One film for another
    ['MP4', 'a.mov', mp4, 'refused'],
    ['QuickTime', 'a.mp4', mov, 'refused'],
    ['Matroska', 'a.webm', matroska, 'refused'],
    ['sound', 'a.webp', join('RIFF', Buffer.alloc(4), 'WAVEfmt '), 'refused'],
    ['JPEG', 'a.png', jpg!, 'refused'],
    ['zip', 'a.tar.gz', zip(), 'refused'],
  ];
}

/** Extensions that are refused whatever is in the file. */
export const refusedExtensions =
  'html htm xhtml shtml xml xsl js mjs css json wasm php phtml jsp asp exe dll sh bat ps1 jar apk swf ico bmp tiff avif heic jfif jpe svgz md rtf doc xls xlsx pptx docm gz tar bz2 7z rar iso mkv avi mp3 tar.xz pdf%00.png';
