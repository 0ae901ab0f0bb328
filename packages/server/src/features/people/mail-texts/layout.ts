// Made from tools/mail/layout.mjml by "npm run mail:layout"; change it there.
export const layout = `<!doctype html>
<html lang="{{language}}" dir="ltr" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>{{title}}</title>
<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none;-ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript>
<xml>
<o:OfficeDocumentSettings>
<o:AllowPNG/>
<o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings>
</xml>
</noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
<style type="text/css">
@media only screen and (min-width:480px) {
.mj-column-per-100 { width:100% !important; max-width: 100%; }
}
</style>
<style media="screen and (min-width:480px)">
.moz-text-html .mj-column-per-100 { width:100% !important; max-width: 100%; }
</style>
<style type="text/css">
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.address a, .plain a, .footer a { overflow-wrap: anywhere; word-break: break-all; }
.code div { user-select: all; -webkit-user-select: all; }
@media (max-width: 479px) {
.outer { padding-left: 12px !important; padding-right: 12px !important; }
.text, .address, .plain { padding-left: 20px !important; padding-right: 20px !important; }
.button, .code-place { padding-left: 20px !important; padding-right: 20px !important; }
.button > table { width: 100% !important; }
.code div { font-size: 24px !important; letter-spacing: 0.15em !important; padding-left: 12px !important; }
}
@media (prefers-color-scheme: dark) {
.page, .page > div { background-color: #111113 !important; }
.card > table > tbody > tr > td { background-color: #1c1c1f !important; border-color: #323238 !important; }
.brand div { color: #fafafa !important; }
.text div { color: #e4e4e7 !important; }
.address div, .address a { color: #a9a9b2 !important; }
.plain div, .plain a { color: #fafafa !important; }
.footer div, .footer a { color: #a1a1aa !important; }
.button td, .button a { background: #fafafa !important; color: #18181b !important; }
.code div { background-color: #2a2a2e !important; color: #fafafa !important; border-color: #3f3f46 !important; }
}
</style>
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
</head>
<body class="page" style="word-spacing:normal;background-color:#f4f4f5;">
<div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">{{preheader}}</div>
<div aria-label="{{title}}" aria-roledescription="email" role="article" lang="{{language}}" dir="ltr" style="word-spacing:normal;background-color:#f4f4f5;">
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="outer-outlook" role="presentation" style="width:560px;" width="560"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div class="outer" style="margin:0px auto;max-width:560px;">
<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td style="direction:ltr;font-size:0px;padding:32px 0 24px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" width="560px"><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:560px;" width="560"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div style="margin:0px auto;max-width:560px;">
<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td style="direction:ltr;font-size:0px;padding:0 0 16px;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:560px;"><![endif]-->
<div class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%">
<tbody>
<tr>
<td align="left" class="brand" style="font-size:0px;padding:0 8px;word-break:break-word;">
<div style="font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:15px;font-weight:600;line-height:1.6;text-align:left;color:#18181b;">{{appName}}</div>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table></td></tr><tr><td class="" width="560px"><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:560px;" width="560"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div style="margin:0px auto;max-width:560px;">
<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td style="direction:ltr;font-size:0px;padding:0;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="card-outlook" style="vertical-align:top;width:560px;"><![endif]-->
<div class="mj-column-per-100 mj-outlook-group-fix card" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" width="100%" style="border-collapse:separate;">
<tbody>
<tr>
<td style="background-color:#ffffff;border:1px solid #e4e4e7;border-radius:12px;vertical-align:top;border-collapse:separate;padding:32px 0 16px;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="" width="100%">
<tbody>
{{#blocks}}{{#isText}}
<tr>
<td align="left" class="text" style="font-size:0px;padding:0 32px 16px;word-break:break-word;">
<div style="font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:1.6;text-align:left;color:#27272a;">{{#lines}}{{line}}{{^isLast}}<br />{{/isLast}}{{/lines}}</div>
</td>
</tr>
{{/isText}}{{#isButton}}
<tr>
<td align="left" class="button" style="font-size:0px;padding:8px 32px 20px;word-break:break-word;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;">
<tbody>
<tr>
<td align="center" bgcolor="#18181b" role="presentation" style="border:none;border-radius:8px;cursor:auto;mso-padding-alt:13px 26px;background:#18181b;" valign="middle">
<a href="{{value}}" style="display:inline-block;background:#18181b;color:#ffffff;font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;font-weight:600;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:13px 26px;mso-padding-alt:0px;border-radius:8px;" target="_blank">
{{label}}
</a>
</td>
</tr>
</tbody>
</table>
</td>
</tr>
<tr>
<td align="left" class="address" style="font-size:0px;padding:0 32px 16px;word-break:break-word;">
<div style="font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:13px;line-height:1.5;text-align:left;color:#52525b;">{{hint}}<br /><a href="{{value}}" style="color:#52525b;text-decoration:underline;">{{value}}</a></div>
</td>
</tr>
{{/isButton}}{{#isAddress}}
<tr>
<td align="left" class="plain" style="font-size:0px;padding:0 32px 16px;word-break:break-word;">
<div style="font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:16px;line-height:1.6;text-align:left;color:#27272a;"><a href="{{value}}" style="color:#18181b;text-decoration:underline;">{{value}}</a></div>
</td>
</tr>
{{/isAddress}}{{#isCode}}<tr><td class="code-place" align="left" style="padding:4px 32px 20px;">
<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="100%"><tr><td class="code">
<div style="font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace;font-size:30px;font-weight:600;line-height:1.2;letter-spacing:0.2em;text-align:center;color:#18181b;background-color:#f4f4f5;border:1px solid #e4e4e7;border-radius:8px;padding:18px 8px 18px 14px;">{{value}}</div>
</td></tr></table>
</td></tr>{{/isCode}}{{/blocks}}
</tbody>
</table>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table></td></tr><tr><td class="" width="560px"><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:560px;" width="560"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<div style="margin:0px auto;max-width:560px;">
<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;">
<tbody>
<tr>
<td style="direction:ltr;font-size:0px;padding:20px 0 0;text-align:center;">
<!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:560px;"><![endif]-->
<div class="mj-column-per-100 mj-outlook-group-fix" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%">
<tbody>
<tr>
<td align="left" class="footer" style="font-size:0px;padding:0 8px;word-break:break-word;">
<div style="font-family:-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;font-size:13px;line-height:1.5;text-align:left;color:#5b5b64;">{{footer}}{{#frontendUrl}}<br /><a href="{{frontendUrl}}" style="color:#5b5b64;text-decoration:underline;">{{frontendUrl}}</a>{{/frontendUrl}}</div>
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table></td></tr></table><![endif]-->
</td>
</tr>
</tbody>
</table>
</div>
<!--[if mso | IE]></td></tr></table><![endif]-->
</div>
</body>
</html>`;
