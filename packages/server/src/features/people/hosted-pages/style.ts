import { createHash } from 'node:crypto';
import { html } from '../../../platform/http/html.ts';

/** The one style of all pages; inline, so that a page needs nothing else. */
export const style = html`
:root {
  color-scheme: light dark;
  --paper: #f4f4f2; --card: #fff; --ink: #1b1b1f; --muted: #5b5b66; --line: #e2e2e0; --edge: #85858f;
  --act: #1b1b1f; --on-act: #fff; --act-hover: #3a3a42; --ring: #2f6bff;
  --bad: #a3211a; --bad-paper: #fdf0ef; --good: #14713d; --good-paper: #e9f6ee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121214; --card: #1c1c20; --ink: #ededf0; --muted: #a9a9b4; --line: #2e2e34; --edge: #7c7c88;
    --act: #ededf0; --on-act: #1b1b1f; --act-hover: #fff; --ring: #8fb0ff;
    --bad: #ffb3ac; --bad-paper: #3b1d1b; --good: #86dba8; --good-paper: #17301f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 32px 16px;
  display: flex; align-items: center; justify-content: center;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-text-size-adjust: 100%;
}
main {
  width: 100%; max-width: 416px; padding: 40px;
  background: var(--card); border: 1px solid var(--line); border-radius: 16px;
  box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 16px 40px rgb(0 0 0 / 5%);
}
h1, p, summary { overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 25px; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance; }
h1 + form, h1 + .problem { margin-top: 24px; }
p { margin: 0 0 24px; }
.project { margin: 0 0 20px; color: var(--muted); font-size: 15px; font-weight: 550; }
.text, .hint, .reference { color: var(--muted); }
.text:last-child { margin: 0; }
.hint { margin: 0 0 8px; font-size: 15px; }
.reference { margin: 0; font-size: 13px; }
form { margin: 0; }
label { display: block; margin: 0 0 6px; font-weight: 550; }
input {
  display: block; width: 100%; min-height: 48px; margin: 0 0 20px; padding: 10px 14px;
  font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 10px;
}
input[aria-invalid] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.code { font-size: 22px; letter-spacing: .22em; font-variant-numeric: tabular-nums; }
button, .button {
  display: block; width: 100%; min-height: 48px; margin: 0; padding: 12px 16px;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--on-act); background: var(--act); border: 1px solid var(--act); border-radius: 10px;
}
button:hover, .button:hover { background: var(--act-hover); border-color: var(--act-hover); }
.second { margin-top: 12px; color: var(--ink); background: transparent; border-color: var(--edge); }
.second:hover { background: var(--paper); border-color: var(--ink); }
nav { display: flex; flex-direction: column; align-items: flex-start; margin: 12px 0 -12px; }
nav a, summary { display: inline-flex; align-items: center; min-height: 44px; color: var(--ink); text-underline-offset: 3px; }
nav a { text-decoration-color: var(--edge); }
nav a:hover { text-decoration-color: currentcolor; }
details { margin: 12px 0 -12px; }
summary { cursor: pointer; text-decoration: underline; text-decoration-color: var(--edge); }
details form { padding: 8px 0 12px; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
.problem, .news { padding: 12px 14px; border-radius: 10px; }
.problem { color: var(--bad); background: var(--bad-paper); }
.news { color: var(--good); background: var(--good-paper); }
.tick { display: block; width: 48px; height: 48px; margin: 0 0 20px; padding: 12px; border-radius: 24px; color: var(--good); background: var(--good-paper); }
@media (max-width: 480px) {
  body { padding: 16px; }
  main { padding: 28px 24px; }
  h1 { font-size: 23px; }
}
@media (forced-colors: active) { input[aria-invalid] { border-width: 3px; } }
`;

/** The browser takes this style and no other. */
export const styleHash = `sha256-${createHash('sha256').update(style.toString()).digest('base64')}`;
