import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import { joinUrl } from '@tollgate/providers/build/url'
import { type TaskRow, findOwnTask } from '@tollgate/store/tasks'
import { makerAt } from '../../tasks/ask-upstream.ts'
import { keyIndexOf, upstreamIdOf } from '../../tasks/step.ts'
import type { Call } from '../call.ts'
import type { TaskPorts } from './ports.ts'

const CONNECT_MS = 60_000
const REDIRECTS_MAX = 3
const BYTES_MAX = 4 * 1024 * 1024 * 1024
/** Each is a connection of its own, at both ends, for as long as its reader takes. */
const AT_ONCE_MAX = 64
/** A reader who takes nothing for so long is gone. */
const IDLE_MS = 60_000

type ContentPorts = Pick<TaskPorts, 'books' | 'egress' | 'mediaEgress' | 'clock' | 'db'>

/** What was made, passed on as it comes: from its upstream with the channel's key, or from the address it told. */
export class ContentDoor {
  readonly #ports: ContentPorts
  #underWay = 0

  constructor(ports: ContentPorts) {
    this.#ports = ports
  }

  async serve(call: Call, task: { readonly userId: number; readonly taskId: string }): Promise<void> {
    const row = await findOwnTask(this.#ports.db, { ...task, platform: 'video' })
    if (row === undefined) throw problem('task_not_found')
    if (row.status !== 'SUCCESS') throw problem('task_status_not_success')
    if (this.#underWay >= AT_ONCE_MAX) throw problem('gateway_busy')
    this.#underWay++
    try {
      await passOn(call, await openContent(call, sourceOf(row, this.#ports), this.#ports))
    } finally {
      this.#underWay--
    }
  }
}

interface Source {
  readonly url: string
  readonly egress: Pick<Egress, 'dispatcher'>
  readonly headers: Readonly<Record<string, string>>
  readonly proxy: string | undefined
}

/** WEAKNESS: an address that an upstream told is asked like one of a caller's: only where it is public, without a key. */
function sourceOf(row: TaskRow, { books, egress, mediaEgress, clock }: ContentPorts): Source {
  const detail = parseObject(row.detail) ?? {}
  const url = textAt(detail, 'video_url')
  if (url !== undefined) return { url, egress: mediaEgress, headers: {}, proxy: undefined }
  const channel = books.roster().channel(row.channel_id)
  const path =
    channel?.provider.tasks?.platform === row.platform
      ? channel.provider.tasks.content?.(upstreamIdOf(row), detail)
      : undefined
  if (channel === undefined || path === undefined) throw problem('task_content_unavailable')
  const key = channel.keys[keyIndexOf(row, channel.keys.length)] ?? ''
  return {
    url: joinUrl(channel.baseUrl, path),
    egress,
    headers: makerAt(channel).headers(key, clock.nowMs()),
    proxy: proxyAddress(channel.setting['proxy']),
  }
}

interface Content {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readable
}

/** Neither the host nor the reason is anybody's business. */
async function openContent(call: Call, first: Source, { mediaEgress }: ContentPorts): Promise<Content> {
  let source = first
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const { statusCode, headers, body } = await ask(call, source).catch((cause: unknown) => {
      throw problem('task_content_unavailable', {}, { cause })
    })
    if (statusCode === 200 || statusCode === 206) return { status: statusCode, headers, body }
    body.on('error', () => undefined).destroy()
    const next = statusCode >= 301 && statusCode <= 308 ? headers['location'] : undefined
    const target = typeof next === 'string' ? URL.parse(next, source.url)?.href : undefined
    if (target === undefined) break
    source = { url: target, egress: mediaEgress, headers: {}, proxy: undefined }
  }
  throw problem('task_content_unavailable')
}

const RANGE = /^bytes=\d{0,15}-\d{0,15}$/

function ask({ request }: Call, { url, egress, headers, proxy }: Source) {
  const { origin, pathname, search } = new URL(url)
  const { range } = request.headers
  return egress.dispatcher(origin, proxy).request({
    origin,
    method: 'GET',
    path: pathname + search,
    headers: {
      accept: 'video/*',
      'accept-encoding': 'identity',
      ...headers,
      ...(range !== undefined && RANGE.test(range) && { range }),
    },
    headersTimeout: CONNECT_MS,
    bodyTimeout: IDLE_MS,
  })
}

/** What a browser plays; whatever else it is can only be kept. */
const SHOWN = /^video\/[\w.-]{1,64}$/
const PASSED = ['content-length', 'content-range', 'accept-ranges']

async function passOn(call: Call, { status, headers, body }: Content): Promise<void> {
  const { response } = call
  if (call.isGone) {
    body.on('error', () => undefined).destroy()
    return
  }
  const told = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  const passed = PASSED.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]))
  response.writeHead(status, [
    ...passed,
    'content-type',
    SHOWN.test(told) ? told : 'application/octet-stream',
    'x-content-type-options',
    'nosniff',
    'content-security-policy',
    "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy',
    'cross-origin',
    'cache-control',
    'private, max-age=3600',
    'x-request-id',
    call.id,
  ])
  // Once its head is out, a content that ends too early can only be cut off; the pipe does that at both ends.
  await pipeline(body, bounded, response).catch(() => undefined)
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > BYTES_MAX) throw problem('answer_too_large', { limit: BYTES_MAX })
    yield piece
  }
}
