import type { LaterOperation } from '../later-operation.ts'
import { midjourney } from './midjourney.ts'

const HOUR_MS = 3_600_000

/** Drawings by Midjourney. */
export const drawing: LaterOperation = {
  name: 'drawing',
  ownPaths: /^\/+(?:(?!api\/)[\w-]{1,32}\/+)?mj\//,
  apis: [midjourney],
  endsLater: { platform: 'mj', lifeMs: HOUR_MS, callbackPath: '/mj/notify' },
}
