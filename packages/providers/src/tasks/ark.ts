import { recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import type { TaskAsk, VideoWork } from './task.ts'
import { withoutPromptFlags } from './prompt-flags.ts'
import type { VideoTokens } from './upstream.ts'
import { originalWork, videoUpstream } from './video-upstream.ts'
import { doneWith, videoUpdate, stateIn, videoReply } from './video-reply.ts'
import { serviceTierOf } from './video-quality.ts'
import { linesOf, shapeOfBoth } from './video-size.ts'

const TASKS = '/api/v3/contents/generations/tasks'
const STATES = {
  pending: 'SUBMITTED',
  queued: 'QUEUED',
  processing: 'IN_PROGRESS',
  running: 'IN_PROGRESS',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'FAILURE',
  expired: 'FAILURE',
} as const

/** Seedance video generation on Volcengine Ark. https://www.volcengine.com/docs/82379/1520757 */
export const arkUpstream = videoUpstream({
  tokens: tokensOf,
  submit: (ask, { model }) => ({ method: 'POST', path: TASKS, body: written(ask, model) }),
  readReply: (ask, answer) => videoReply(ask, answer, answer.body?.['id']),
  pollPath: (id) => `${TASKS}/${id}`,
  readUpdate,
})

/**
 * Ark also reads flags such as `--dur 10` inside the prompt. Flags that change the price are removed from the
 * prompt, so that a client cannot get another video than was charged. The longer names come first in the
 * pattern: nothing follows the names, so it would otherwise stop at the shorter one.
 */
const VIDEO_ORDERS = /(?:--(?:duration|dur|framespersecond|frames|fps|resolution|rs))+/gi
const THEIR_VALUE = /\s+\S+/y

export function withoutVideoOrders(prompt: string): string {
  return withoutPromptFlags(prompt, VIDEO_ORDERS, THEIR_VALUE)
}

function written(ask: TaskAsk, model: string): JsonObject {
  const work = originalWork(ask)
  const { images, seconds, sound, extras } = work
  const { ratio, resolution } = shapeOfBoth(work)
  const tier = serviceTierOf(work)
  const { content: _theirs, ...others } = extras
  const text = withoutVideoOrders(ask.prompt)
  return {
    ...(ratio !== undefined && { ratio }),
    ...(resolution !== undefined && { resolution }),
    ...others,
    model,
    content: [...picturesOf(images), ...(text === '' ? [] : [{ type: 'text', text }])],
    ...(seconds !== undefined && { duration: seconds }),
    ...(sound !== undefined && { generate_audio: sound }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}

const FRAMES_PER_SECOND = 24
const PIXELS_PER_TOKEN = 1024
/** Real sizes are rounded up to whole blocks, and the number of frames may differ from the documented one. */
const MARGIN = 1.25
const LINES_USUAL = 720
/** Without a requested size the resolution depends on the model; this is the highest one in lines. */
const LINES_UNNAMED_MOST = 1080

/**
 * The vendor's formula: width x height x frames per second x seconds / 1024.
 * https://www.volcengine.com/docs/82379/1544106
 */
function tokensOf(work: VideoWork): VideoTokens {
  const { seconds = 5 } = work
  const lines = linesOf(work)
  const ofLines = (count: number) =>
    Math.ceil((((count * count * 16) / 9) * FRAMES_PER_SECOND * seconds) / PIXELS_PER_TOKEN)
  const reported = lines === undefined ? undefined : Number.parseInt(lines, 10)
  return {
    usual: ofLines(reported ?? LINES_USUAL),
    most: Math.ceil(ofLines(reported ?? LINES_UNNAMED_MOST) * MARGIN),
  }
}

/** Unlike new-api: a reported number that cannot be a token count is ignored. */
function countedIn(usage: JsonObject | undefined): number | undefined {
  const reported = usage?.['total_tokens'] ?? usage?.['completion_tokens']
  return typeof reported === 'number' && Number.isSafeInteger(reported) && reported > 0 ? reported : undefined
}

/** One image is the first frame, two are the first and the last frame, and more are references. */
function picturesOf(images: readonly string[]): readonly JsonObject[] {
  const roles = images.length === 2 ? ['first_frame', 'last_frame'] : []
  return images.map((url, at) => ({
    type: 'image_url',
    image_url: { url },
    ...(images.length > 2 ? { role: 'reference_image' } : roles[at] !== undefined && { role: roles[at] }),
  }))
}

function readUpdate(taskId: string, body: JsonObject) {
  const content = recordAt(body, 'content')
  const url = content && textAt(content, 'video_url')
  const status = stateIn(STATES, body, 'status')
  return videoUpdate({
    taskId,
    status: doneWith(status, url),
    failReason: textAt(recordAt(body, 'error') ?? {}, 'message') ?? textAt(body, 'status') ?? '',
    url,
    data: content && { content, usage: body['usage'] ?? null },
    tokens: countedIn(recordAt(body, 'usage')),
  })
}
