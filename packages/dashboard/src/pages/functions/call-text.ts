import { type FunctionCall, headersOfCall, pathOfCall, takesBody } from '../../api/call-function.ts';

/** Safe between the single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a command that anybody can run who has a key. */
export function curlOf(call: FunctionCall, address: string): string {
  const { method, body, as } = call;
  const hasBody = takesBody(method) && body !== '';
  const isUsual = method === (hasBody ? 'POST' : 'GET');
  return [
    'curl -g',
    ...(isUsual ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    quoted(`${address}${pathOfCall(call)}`),
    ...proofOf(as),
    ...headersOfCall(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasBody ? [`--data-raw ${quoted(body)}`] : []),
  ].join(' ');
}

/** Never the key itself: the page has none. */
function proofOf(as: FunctionCall['as']): string[] {
  if (as === 'nobody') return [];
  return [as === 'server' ? '-H "X-API-Key: $PLINTH_KEY"' : '-H "Authorization: Bearer $PLINTH_TOKEN"'];
}
