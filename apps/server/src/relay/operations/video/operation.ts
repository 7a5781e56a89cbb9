import { restoreProperties } from '@tollgate/providers/tasks/video-ask'
import type { LaterOperation } from '../later-operation.ts'
import { jimengVideos } from './jimeng.ts'
import { klingVideos } from './kling.ts'
import { openaiVideos, videoGenerations } from './openai.ts'
import { videoSize } from './size.ts'

const DAY_MS = 86_400_000

/** Videos of any vendor, submitted in the API of OpenAI, of Kling or of Jimeng. */
export const video: LaterOperation = {
  name: 'video',
  ownPaths: /^\/+(?:v1\/+(?:videos|video\/+generations)(?:\/|$)|kling\/|jimeng(?:[/?]|$))/,
  apis: [openaiVideos, videoGenerations, klingVideos, jimengVideos],
  follow: (ask, origin) => restoreProperties(ask, origin.detail),
  sizeOf: videoSize,
  endsLater: { platform: 'video', lifeMs: DAY_MS, hidesIds: true },
}
