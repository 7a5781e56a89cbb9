import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { writeForm } from '@tollgate/dialects/media/form'
import { randomToken } from '@tollgate/kit/ids'
import { invariant } from '@tollgate/kit/invariant'
import { joinUrl } from '@tollgate/providers/define/url'
import type { Draft } from '@tollgate/providers/override/draft'
import { withChanges } from '@tollgate/providers/override/override'
import type { Upstream } from '@tollgate/providers/provider'
import type { ChannelTarget, TaskRequest, TaskUpstream } from '@tollgate/providers/tasks/upstream'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { type Access, type AccessPorts, withAccess } from './channel-access.ts'

export interface AskUpstream {
  readonly channel: RosterChannel
  readonly keyIndex: number
  readonly request: TaskRequest
  /** Header changes made by the channel's parameter override. */
  readonly headers?: Draft['headers']
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly nowMs: number
}

export interface AskPorts extends AccessPorts {
  readonly egress: Pick<Egress, 'exchange'>
}

/** Sends one request to a task upstream: to the channel's address, with its key and through its proxy. */
export function askUpstream(asked: AskUpstream, ports: AskPorts): Promise<ExchangeAnswer> {
  const { channel, keyIndex } = asked
  const ask = (access: Access) => askWith(access, asked, ports)
  return withAccess({ channel, keyIndex, ask, statusOf: ({ status }) => status }, ports)
}

function askWith(
  { key, accessToken }: Access,
  { channel, request, headers = {}, timeoutMs, bytesMax, nowMs }: AskUpstream,
  { egress }: AskPorts,
): Promise<ExchangeAnswer> {
  const { method } = request
  const url = joinUrl(request.baseUrl ?? channel.baseUrl, request.path)
  const { body, type } = bodyOf(request)
  const written = withChanges(
    {
      accept: 'application/json',
      ...(type !== undefined && { 'content-type': type }),
      ...makerAt(channel).headers(key, nowMs, accessToken),
    },
    headers,
  )
  const signable = { url, headers: written, body: Buffer.from(body ?? '') }
  return egress.exchange({
    method,
    url,
    headers: { ...written, ...channel.provider.signRequest?.(signable, placeOf(channel, key), nowMs) },
    ...(body !== undefined && { body }),
    timeoutMs,
    bytesMax,
    proxy: proxyAddress(channel.settings.proxy),
  })
}

/** The channel in the form that the provider's request signing needs. */
function placeOf(channel: RosterChannel, key: string): Upstream {
  const { id: channelId, type, baseUrl, other, organization, createdTime, settings } = channel
  return { channelId, type, baseUrl, key, other, organization, createdTime, settings }
}

/** The channel in the form that task upstreams need. */
export function channelPlace({ keys, baseUrl, other }: RosterChannel, keyIndex: number): ChannelTarget {
  return { key: keys[keyIndex] ?? '', baseUrl, other }
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
