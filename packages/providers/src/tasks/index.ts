import { jimengVideos } from './jimeng-api.ts'
import { klingVideos } from './kling-api.ts'
import { midjourney } from './midjourney.ts'
import type { TaskPlatform } from './platform.ts'
import { suno } from './suno.ts'
import { openaiVideos, videoGenerations } from './video.ts'

/** Every API for asynchronous tasks, one per line. */
export const taskPlatforms: readonly TaskPlatform[] = [
  midjourney,
  suno,
  openaiVideos,
  videoGenerations,
  klingVideos,
  jimengVideos,
]
