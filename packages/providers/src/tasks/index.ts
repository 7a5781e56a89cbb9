import { jimengVideos } from './jimeng-api.ts'
import { klingVideos } from './kling-api.ts'
import { midjourney } from './midjourney.ts'
import type { TaskPlatform } from './platform.ts'
import { suno } from './suno.ts'
import { openaiVideos, videoGenerations } from './video.ts'

/** Every door to work that is done on its own time: one line each. */
export const taskPlatforms: readonly TaskPlatform[] = [
  midjourney,
  suno,
  openaiVideos,
  videoGenerations,
  klingVideos,
  jimengVideos,
]
