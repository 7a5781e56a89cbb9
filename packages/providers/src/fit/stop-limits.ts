import { findStopLimit } from '@tollgate/catalogue/limits/stop-limits'
import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import { recordAt } from '@tollgate/dialects/json'
import type { Endpoint, Outgoing, Provider } from '../provider.ts'
import type { Body } from '../quirks/body.ts'

/**
 * Leaves out the stop sequences beyond the number that the vendor takes in a converted request, and names the
 * change; sent on, they cost the whole call.
 */
export function limitStops(
  outgoing: Outgoing,
  { provider, dialect }: { readonly provider: Pick<Provider, 'id'>; readonly dialect: Endpoint['dialect'] },
): Outgoing {
  const isChat = outgoing.operation === 'chat' && dialect === 'openai'
  const wire = isChat ? 'openai' : dialect === 'gemini' ? 'gemini' : undefined
  const countMax = wire && outgoing.isConverted === true ? findStopLimit(wire, provider.id) : undefined
  if (countMax === undefined) return outgoing
  const body = isChat ? withFewer(outgoing.body, 'stop', countMax) : withFewerInside(outgoing.body, countMax)
  if (body === outgoing.body) return outgoing
  return {
    ...outgoing,
    body,
    dropped: [...(outgoing.dropped ?? []), 'stop'],
    repairs: joinRepairs(outgoing.repairs, ['shortened_stops']),
  }
}

function withFewer(object: Body, name: string, countMax: number): Body {
  const stops: unknown = object[name]
  return Array.isArray(stops) && stops.length > countMax
    ? { ...object, [name]: stops.slice(0, countMax) }
    : object
}

function withFewerInside(body: Body, countMax: number): Body {
  const config = recordAt(body, 'generationConfig')
  const limited = config && withFewer(config, 'stopSequences', countMax)
  return limited === config ? body : { ...body, generationConfig: limited }
}
