import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { writeForm } from '@tollgate/dialects/media/form'
import { randomToken } from '@tollgate/kit/ids'
import { invariant } from '@tollgate/kit/invariant'
import { joinUrl } from '@tollgate/providers/build/url'
import type { Draft } from '@tollgate/providers/override/draft'
import { withChanges } from '@tollgate/providers/override/override'
import type { Upstream } from '@tollgate/providers/provider'
import type { TaskRequest, TaskUpstream } from '@tollgate/providers/tasks/upstream'
import type { RosterChannel } from '../books/books.ts'

export interface AskUpstream {
  readonly channel: RosterChannel
  readonly keyIndex: number
  readonly request: TaskRequest
  /** What the channel's override changes of the headers. */
  readonly headers?: Draft['headers']
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly nowMs: number
}

/** One request to a channel that does work on its own time: to its address, with its key, and through its proxy. */
export function askUpstream(
  { channel, keyIndex, request, headers = {}, timeoutMs, bytesMax, nowMs }: AskUpstream,
  egress: Pick<Egress, 'exchange'>,
): Promise<ExchangeAnswer> {
  const { method } = request
  const url = joinUrl(channel.baseUrl, request.path)
  const { body, type } = bodyOf(request)
  const key = channel.keys[keyIndex] ?? ''
  const written = withChanges(
    {
      accept: 'application/json',
      ...(type !== undefined && { 'content-type': type }),
      ...makerAt(channel).headers(key, nowMs),
    },
    headers,
  )
  const sealable = { url, headers: written, body: Buffer.from(body ?? '') }
  return egress.exchange({
    method,
    url,
    headers: { ...written, ...channel.provider.seal?.(sealable, placeOf(channel, key), nowMs) },
    ...(body !== undefined && { body }),
    timeoutMs,
    bytesMax,
    proxy: proxyAddress(channel.setting['proxy']),
  })
}

/** The channel as its provider's signature sees it. */
function placeOf(channel: RosterChannel, key: string): Upstream {
  const { id: channelId, type, baseUrl, other, organization, createdTime, setting } = channel
  return { channelId, type, baseUrl, key, other, organization, createdTime, setting }
}

export function makerAt({ provider }: RosterChannel): TaskUpstream {
  invariant(provider.tasks !== undefined, 'only channels that take tasks are asked for them')
  return provider.tasks
}

function bodyOf({ body, files }: TaskRequest): {
  readonly body?: string | Buffer
  readonly type?: string
} {
  if (body === undefined) return {}
  if (files === undefined) return { body: JSON.stringify(body), type: 'application/json' }
  const boundary = `form-${randomToken()}`
  const form = Buffer.concat(writeForm({ boundary, parts: files }, body))
  return { body: form, type: `multipart/form-data; boundary=${boundary}` }
}
