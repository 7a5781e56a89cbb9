import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { TaskAsk, TaskUpdate, VideoWork } from './task.ts'
import { bearerOf, videoOf, type TaskUpstream } from './upstream.ts'
import { refuseSound, refuseTier } from './video-quality.ts'

const MINUTE_MS = 60_000

type Required = 'submit' | 'readReply'

interface VideoVendor extends Partial<Omit<TaskUpstream, Required>>, Pick<TaskUpstream, Required> {
  /** The path at which the task with this id, encoded for a path, is polled; unused beside `poll`. */
  readonly pollPath?: (id: string) => string
  /** Whether a poll response says that the vendor does not have the task, if its status is not 404. */
  readonly isGone?: (body: JsonObject, status: number) => boolean
  /** Reads the update of a successful poll response; `undefined` when it says nothing about the task. */
  readonly readUpdate?: (taskId: string, body: JsonObject, more: unknown) => TaskUpdate | undefined
}

/** What most vendors of videos have in common; a vendor names what differs. */
export function videoUpstream({
  pollPath = (id) => id,
  isGone,
  readUpdate,
  ...vendor
}: VideoVendor): TaskUpstream {
  return {
    platform: 'video',
    submitMs: MINUTE_MS,
    idsPerPoll: 1,
    secondsDefault: 5,
    headers: bearerOf,
    poll: ([task]) => ({ method: 'GET', path: pollPath(encodeURIComponent(task?.taskId ?? '')) }),
    readPoll: ({ status, body, more }, [asked]) => {
      if (asked === undefined || !isRecord(body)) return undefined
      if (status === 404 || isGone?.(body, status) === true) return []
      const update = status === 200 ? readUpdate?.(asked.taskId, body, more) : undefined
      return update && [update]
    },
    ...vendor,
  }
}

/** A first and a last frame. */
const FRAMES_MAX = 2

/** Returns the requested video. For vendors that cannot make remixes. */
export function originalWork(ask: TaskAsk): VideoWork {
  const work = videoOf(ask)
  if (work.remixOf !== undefined) throw problem('video_remix_unsupported')
  return work
}

/** For vendors that take at most two images and have no service tiers, and some of them no choice of sound. */
export function workOfFrames(ask: TaskAsk, { hasSound = true } = {}): VideoWork {
  const work = originalWork(ask)
  if (!hasSound) refuseSound(work)
  refuseTier(work)
  if (work.images.length > FRAMES_MAX) throw problem('member_too_long', { param: 'images', max: FRAMES_MAX })
  return work
}
