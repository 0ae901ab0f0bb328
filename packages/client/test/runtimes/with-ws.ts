import { WebSocket } from 'ws';
import type { Stage } from '../suite/check.ts';
import { runSuite } from './run-suite.ts';

type Open = NonNullable<Stage['webSocket']>;
const Socket = WebSocket as unknown as new (url: string) => ReturnType<Open>;

await runSuite((url) => new Socket(url));
