import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { Egress, ExchangeAnswer } from '@tollgate/egress/egress'
import { Problem, problem } from '@tollgate/problems/problem'
import type { FetchedMedia, FetchedMedium } from '@tollgate/providers/define/media'
import type { Call } from '../../call.ts'

export interface MediaSource {
  /**
   * Guarded egress for addresses given by callers: it reaches public addresses only, even if channels may
   * reach others.
   */
  readonly mediaEgress: Pick<Egress, 'exchange'>
  /** Limit for all media of a call together. */
  readonly mediaBytesMax: number
}

/** Number of parallel downloads. Bounds memory: these may take up to this many times `mediaBytesMax`. */
const AT_ONCE = 4
const MEDIA_MAX = 16
const REDIRECTS_MAX = 3
const TIMEOUT_MS = 20_000

/**
 * Downloads media from the given addresses, each once per call however many channels are tried. Rejects with
 * the first Problem; it counts as the caller's fault because the caller chose the addresses.
 */
export async function fetchMedia(
  call: Call,
  addresses: readonly string[],
  from: MediaSource,
): Promise<FetchedMedia> {
  if (addresses.length > MEDIA_MAX) throw problem('media_too_many', { max: MEDIA_MAX })
  const known = (call.media ??= new Map())
  const media = new Map<string, FetchedMedium>()
  let bytes = 0
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    for (const [address, medium] of await fetchSome(addresses.slice(at, at + AT_ONCE), { known, from })) {
      bytes += (medium.base64.length * 3) / 4
      if (bytes > from.mediaBytesMax) throw problem('media_too_large', { limit: from.mediaBytesMax })
      media.set(address, medium)
    }
  }
  return media
}

type Known = NonNullable<Call['media']>

/** Waits for all downloads, so that no rejection goes unhandled. */
async function fetchSome(
  addresses: readonly string[],
  { known, from }: { known: Known; from: MediaSource },
): Promise<(readonly [string, FetchedMedium])[]> {
  const fetching = addresses.map(async (address) => {
    const medium = known.get(address) ?? fetchOne(address, from)
    known.set(address, medium)
    return [address, await medium] as const
  })
  return (await Promise.allSettled(fetching)).map(valueOf)
}

function valueOf<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

async function fetchOne(address: string, from: MediaSource): Promise<FetchedMedium> {
  try {
    const answer = await follow(address, from)
    if (answer.status !== 200) throw problem('media_unreachable', { reason: `status ${answer.status}` })
    return { mediaType: typeOf(answer), base64: answer.body.toString('base64') }
  } catch (error) {
    if (error instanceof Problem) throw inCallersWords(error, from.mediaBytesMax)
    throw error
  }
}

/** Follows redirects by hand, so that every hop is checked against the egress rules like the first. */
async function follow(address: string, { mediaEgress, mediaBytesMax }: MediaSource): Promise<ExchangeAnswer> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  let url = address
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    if (!/^https?:\/\//i.test(url)) throw problem('media_unreachable', { reason: 'no http or https address' })
    const request = { method: 'GET', url, bytesMax: mediaBytesMax, timeoutMs: TIMEOUT_MS } as const
    const answer = await mediaEgress.exchange({ ...request, signal: deadline }).catch((error: unknown) => {
      throw deadline.aborted ? problem('first_byte_timeout') : error
    })
    const next = answer.status >= 300 && answer.status < 400 ? answer.headers['location'] : undefined
    const target = next === undefined ? undefined : URL.parse(next, url)?.href
    if (target === undefined) return answer
    url = target
  }
  throw problem('media_unreachable', { reason: 'too many redirects' })
}

/**
 * Texts have no magic number, so their declared type is accepted; every other type must be recognised from
 * the bytes.
 */
function typeOf({ headers, body }: ExchangeAnswer): string {
  const reported = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const seen = mediaTypeOf(body)
  if (seen !== undefined) return seen
  if (/^text\/(?!html)|^application\/json$/.test(reported))
    return reported === 'application/json' ? 'text/plain' : reported
  throw problem('media_unknown', { type: reported === '' ? 'unknown' : reported })
}

/** Translates an egress Problem for the caller, without details meant for operators. */
function inCallersWords(error: Problem, bytesMax: number): Problem {
  const { code } = error
  if (code === 'destination_refused') return problem('media_refused')
  if (code === 'answer_too_large') return problem('media_too_large', { limit: bytesMax })
  if (code === 'first_byte_timeout') return problem('media_unreachable', { reason: 'no answer in time' })
  const isUnconnected = code === 'do_request_failed' || code === 'destination_invalid'
  return isUnconnected ? problem('media_unreachable', { reason: 'no connection' }) : error
}
