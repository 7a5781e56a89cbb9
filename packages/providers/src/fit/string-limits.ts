import { shortenText } from '@tollgate/catalogue/limits/shorten-text'
import { findStringLimit, type LimitedUpstream } from '@tollgate/catalogue/limits/string-limits'
import type { LimitedWire, LimitSubject } from '@tollgate/catalogue/limits/string-limit'
import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { recordAt } from '@tollgate/dialects/json'
import type { Endpoint, Outgoing, Provider } from '../provider.ts'
import type { Body } from '../quirks/body.ts'
import { isOpenAiHost } from './accepted-form.ts'
import { limitCallIds } from './call-ids.ts'

export interface LimitingHost {
  readonly provider: Pick<Provider, 'id' | 'hostsOpenAi'>
  readonly address: string
  readonly dialect: Endpoint['dialect']
}

/**
 * Shortens the ids in a body that are longer than the vendor takes, or have characters that it refuses. The
 * vendor returns none of them, so nothing has to be restored in the answer.
 */
export function limitStrings(outgoing: Outgoing, host: LimitingHost): Outgoing {
  const wire = wireIn(outgoing, host)
  if (wire === undefined) return outgoing
  const upstream: LimitedUpstream = {
    wire,
    provider: host.provider.id,
    isOpenAiHost: isOpenAiHost(host),
    isConverted: outgoing.isConverted === true,
    model: outgoing.model,
  }
  const callIds = findStringLimit('call-id', upstream)
  const named = withinIdLimits(outgoing.body, upstream)
  const body = callIds === undefined ? named : limitCallIds(named, { wire, bounds: callIds })
  if (body === outgoing.body) return outgoing
  return { ...outgoing, body, repairs: joinRepairs(outgoing.repairs, ['shortened_ids']) }
}

function wireIn({ operation, body }: Outgoing, { provider, dialect }: LimitingHost): LimitedWire | undefined {
  if (operation === 'messages') return 'messages'
  if (operation === 'responses' || operation === 'compact') return 'responses'
  if (dialect === 'openai') return 'openai'
  return provider.id === 'bedrock' && Array.isArray(body['messages']) ? 'converse' : undefined
}

const identifying: readonly (readonly [member: string, subject: LimitSubject])[] = [
  ['user', 'user-id'],
  ['safety_identifier', 'user-id'],
  ['user_id', 'user-id'],
  ['prompt_cache_key', 'cache-key'],
]

function withinIdLimits(body: Body, upstream: LimitedUpstream): Body {
  if (upstream.wire !== 'messages')
    return identifying.reduce(
      (rest, [member, subject]) => shortened(rest, { member, subject, upstream }),
      body,
    )
  const metadata = recordAt(body, 'metadata')
  if (metadata === undefined) return body
  const limited = shortened(metadata, { member: 'user_id', subject: 'user-id', upstream })
  return limited === metadata ? body : { ...body, metadata: limited }
}

interface LimitedMember {
  readonly member: string
  readonly subject: LimitSubject
  readonly upstream: LimitedUpstream
}

function shortened(object: Body, { member, subject, upstream }: LimitedMember): Body {
  const text = object[member]
  if (typeof text !== 'string' || text === '') return object
  const bounds = findStringLimit(subject, upstream)
  const short = bounds === undefined ? text : shortenText(text, bounds)
  return short === text ? object : { ...object, [member]: short }
}
