import type { LaterOperation } from '../later-operation.ts'
import { suno } from './suno.ts'

const DAY_MS = 86_400_000

/** Songs and lyrics by Suno. */
export const music: LaterOperation = {
  name: 'music',
  ownPaths: /^\/+suno\//,
  apis: [suno],
  endsLater: { platform: 'suno', lifeMs: DAY_MS },
}
