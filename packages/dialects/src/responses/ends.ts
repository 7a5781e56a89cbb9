import type { ChoiceEnd, EndReason } from '../canonical/reply.ts'
import type { UpstreamError } from '../dialect.ts'
import { recordAt, textAt, type JsonObject } from '../json.ts'
import { errorInside, insideError } from '../errors/upstream-error.ts'

/** Derives the end reason of a response from its status and its `incomplete_details`. */
export function readEnd(response: JsonObject, hasCalls: boolean): ChoiceEnd {
  const status = textAt(response, 'status') ?? 'completed'
  if (status === 'completed') return { reason: hasCalls ? 'tool-calls' : 'stop', raw: status }
  const raw = textAt(recordAt(response, 'incomplete_details') ?? {}, 'reason') ?? status
  const reason = raw === 'max_output_tokens' ? 'length' : raw === 'content_filter' ? 'filtered' : 'other'
  return { reason, raw }
}

/** Returns the error of a failed response, or of an `error` event. */
export function failureOf(body: JsonObject): UpstreamError | undefined {
  const inside = errorInside(body)
  if (inside !== undefined) return { ...inside, status: statusByCode(inside.code) ?? inside.status }
  return textAt(body, 'status') === 'failed' ? insideError('The response failed') : undefined
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|quota/, 429],
  [/server_error|timeout/, 502],
  [/invalid|policy|image|prompt/, 400],
]

function statusByCode(code: string): number | undefined {
  return statuses.find(([pattern]) => pattern.test(code))?.[1]
}

const incomplete: Partial<Readonly<Record<EndReason, string>>> = {
  length: 'max_output_tokens',
  'context-full': 'max_output_tokens',
  filtered: 'content_filter',
  refusal: 'content_filter',
}

export interface WrittenEnd {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
}

export function writeEnd({ reason }: Pick<ChoiceEnd, 'reason'>): WrittenEnd {
  const why = incomplete[reason]
  return why === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason: why } }
}
