import type { ExchangeAnswer } from '@tollgate/egress/egress'
import { Problem, problem } from '@tollgate/problems/problem'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { IMAGE_MARK, imageMarkText } from '@tollgate/providers/tasks/image-address'
import { type TaskRow, listTasksNamed } from '@tollgate/store/operations/tasks'
import type { Call } from '../call.ts'
import type { App } from '../app.ts'
import { AtOnce } from './at-once.ts'

const ROWS_LOOKED_AT_MAX = 50
const IMAGE_MS = 60_000
const IMAGE_BYTES_MAX = 20 * 1024 * 1024
const REDIRECTS_MAX = 3
/** At most this many at a time, because images are held in memory. */
const AT_ONCE_MAX = 16

/** Formats that cannot contain scripts that a browser would run. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)$/

/**
 * Serves the images of tasks. Unlike new-api: the link contains a signature for its owner that
 * only this gateway can make; images are fetched only from public hosts and from the origin of the task's own
 * channel, whatever address the upstream reported; and content that is not an image is never delivered,
 * whatever its declared type.
 */
export class ImageProxy {
  readonly #app: ImageApp
  readonly #downloads = new AtOnce(AT_ONCE_MAX)

  constructor(app: ImageApp) {
    this.#app = app
  }

  async serve(call: Call, task: NamedTask): Promise<void> {
    const address = await this.#addressOf(call, task)
    await this.#downloads.run(async () => {
      const { body } = await fetchImage(address, this.#app)
      const type = mediaTypeOf(body)
      if (type === undefined || !SHOWN.test(type)) throw problem('task_image_unavailable')
      answerImage(call, { type, body })
    })
  }

  async #addressOf(call: Call, task: NamedTask): Promise<ImageAddress> {
    const own = await shownRows(call, task, this.#app)
    for (const row of own) {
      const url = textAt(parseObject(row.detail) ?? {}, 'image_url')
      if (url === undefined) continue
      const baseUrl = this.#app.snapshots.roster().channel(row.channel_id)?.baseUrl ?? ''
      return { url, channelOrigin: URL.parse(baseUrl)?.origin }
    }
    throw problem('midjourney_task_not_found')
  }
}

type ImageApp = Pick<App, 'db' | 'egress' | 'mediaEgress' | 'cipher' | 'snapshots'>

interface ImageAddress {
  readonly url: string
  /** Origin of the task's channel, to which its operator allows connections. */
  readonly channelOrigin: string | undefined
}

export interface NamedTask {
  readonly platform: string
  readonly taskId: string
}

/**
 * The task rows that a link may show: those whose owner it was signed for. Links saved from new-api or its
 * forks have no signature; they work only if the id itself cannot be guessed. Most Midjourney ids are times
 * and counters, which can.
 */
async function shownRows(
  call: Call,
  task: NamedTask,
  { db, cipher }: Pick<App, 'db' | 'cipher'>,
): Promise<readonly TaskRow[]> {
  const { taskId } = task
  const key = markOf(call)
  if (key === '' && !RANDOM_UUID.test(taskId)) return []
  const rows = await listTasksNamed(db, { ...task, limit: ROWS_LOOKED_AT_MAX })
  const isSigned = (userId: number) => cipher.mark(imageMarkText({ userId, taskId }), IMAGE_MARK) === key
  if (key !== '') return rows.filter((row) => isSigned(row.user_id))
  const owners = new Set(rows.map((row) => row.user_id))
  return owners.size === 1 ? rows : []
}

/** UUID version 4, with 122 random bits. Other versions contain the time. */
const RANDOM_UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i

/** The signature in the link; "" when there is none. */
function markOf({ request }: Call): string {
  return new URL(request.url ?? '', 'http://image.invalid').searchParams.get('key') ?? ''
}

/** The owner of the task whose result a signed link shows. */
export async function signedOwner(
  call: Call,
  task: NamedTask,
  app: Pick<App, 'db' | 'cipher'>,
): Promise<number | undefined> {
  if (markOf(call) === '') return undefined
  const [row] = await shownRows(call, task, app)
  return row?.user_id
}

async function fetchImage(
  { url: from, channelOrigin }: ImageAddress,
  { egress, mediaEgress }: Pick<ImageApp, 'egress' | 'mediaEgress'>,
): Promise<ExchangeAnswer> {
  let url = from
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const isOfChannel = channelOrigin !== undefined && URL.parse(url)?.origin === channelOrigin
    const answer = await (isOfChannel ? egress : mediaEgress)
      .exchange({
        method: 'GET',
        url,
        headers: { accept: 'image/*' },
        timeoutMs: IMAGE_MS,
        bytesMax: IMAGE_BYTES_MAX,
      })
      .catch(unavailable)
    if (answer.status === 200) return answer
    const next = isRedirect(answer.status) ? URL.parse(answer.headers['location'] ?? '', url) : null
    if (next === null) break
    url = next.href
  }
  throw problem('task_image_unavailable')
}

function isRedirect(status: number): boolean {
  return status >= 301 && status <= 308 && status !== 304
}

/** Hides the host and the reason from the caller. */
function unavailable(cause: unknown): never {
  if (cause instanceof Problem) throw problem('task_image_unavailable', {}, { cause })
  throw cause
}

function answerImage({ response, id, isGone }: Call, { type, body }: { type: string; body: Buffer }): void {
  if (isGone) return
  response.writeHead(200, [
    'content-type',
    type,
    'content-length',
    String(body.length),
    'content-disposition',
    `attachment; filename="drawing.${type.slice('image/'.length)}"`,
    'x-content-type-options',
    'nosniff',
    'content-security-policy',
    "default-src 'none'; sandbox",
    'cross-origin-resource-policy',
    'cross-origin',
    'cache-control',
    'private, max-age=3600',
    'x-request-id',
    id,
  ])
  response.end(body)
}
