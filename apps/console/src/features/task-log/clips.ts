import type { TaskRow } from '@tollgate/contract/task'
import * as z from 'zod/mini'
import { resultSource } from './result-address.ts'

/** One song or video produced by a task. A missing address is "". */
export interface Clip {
  readonly title: string
  readonly audio: string
  readonly video: string
}

const text = z.catch(z.string(), '')
const songSchema = z.object({ title: text, audio_url: text, video_url: text })

/**
 * The playable clips of a task: a video by its address on this gateway, songs by the addresses that the
 * upstream returned.
 */
export function clipsOf({
  status,
  result_url: address,
  data,
}: Pick<TaskRow, 'status' | 'result_url' | 'data'>): Clip[] {
  if (status !== 'SUCCESS') return []
  const made = resultSource(address)
  if (made !== '') return [{ title: '', audio: '', video: made }]
  const songs = (Array.isArray(data) ? data : [data]).flatMap((item) => songSchema.safeParse(item).data ?? [])
  return songs
    .map(({ title, audio_url: audio, video_url: video }) => {
      return { title, audio: resultSource(audio), video: resultSource(video) }
    })
    .filter(({ audio, video }) => audio !== '' || video !== '')
}
