import { Shapes, copied } from './shapes.ts'
import { type AttributeValue, CLIENT, INTERNAL, SERVER, type Slot, type SpanShape } from './span.ts'

/** The shapes of the spans of calls. Attributes have the names of https://opentelemetry.io/docs/specs/semconv/gen-ai/. */
export const shapes = {
  hold: child('hold', 'tollgate.held'),
  settle: child('settle', 'tollgate.charged'),
  attempt: new Shapes(attemptShape),
  call: new Shapes(callShape),
}

function child(name: string, slot: string): SpanShape {
  return { name, kind: INTERNAL, isFailed: false, attributes: [], slots: [{ name: slot, type: 'whole' }] }
}

type AttemptKind = readonly [
  operation: string,
  model: string,
  provider: string,
  upstreamModel: string | undefined,
  status: number,
  error: string | undefined,
  /** Length of the vendor's id of the request; 0 without one. */
  upstreamIdCharacters: number,
]

/** Slots: the channel and the index of its key, and the vendor's id of the request if there is one. */
function attemptShape(kind: AttemptKind): SpanShape {
  const [operation, model, provider, upstreamModel, status, error, upstreamIdCharacters] = kind
  return {
    name: `attempt ${operation}`,
    kind: CLIENT,
    isFailed: error !== undefined,
    attributes: defined(
      ['gen_ai.operation.name', operation],
      ['gen_ai.provider.name', provider],
      ['gen_ai.request.model', model],
      ['gen_ai.response.model', upstreamModel],
      ['http.response.status_code', status],
      ['error.type', error],
    ),
    slots: [
      ...slots('whole', 'tollgate.channel_id', 'tollgate.key_index'),
      ...(upstreamIdCharacters > 0 ? slots('text', 'tollgate.upstream_request_id') : []),
    ],
  }
}

/** What is not known, because the call was refused earlier, is `undefined`. */
type CallKind = readonly [
  method: string,
  path: string,
  operation: string | undefined,
  model: string | undefined,
  group: string | undefined,
  provider: string | undefined,
  upstreamModel: string | undefined,
  ending: string | undefined,
  hasUsage: boolean,
  hasFirstByte: boolean,
  status: number | undefined,
  error: string | undefined,
]

/**
 * Slots: the call's id; once it was held, the user; then those of the usage and the time to the first byte,
 * where there are any.
 */
function callShape(kind: CallKind): SpanShape {
  const [
    method,
    path,
    operation,
    model,
    group,
    provider,
    upstreamModel,
    ending,
    hasUsage,
    hasFirstByte,
    status,
    error,
  ] = kind
  const isHeld = operation !== undefined
  return {
    name: isHeld ? `${operation} ${model ?? ''}` : 'call',
    kind: SERVER,
    isFailed: error !== undefined,
    attributes: defined(
      ['http.request.method', method],
      ['url.path', path],
      ['gen_ai.operation.name', operation],
      ['gen_ai.request.model', model],
      ['tollgate.group', group],
      ['gen_ai.provider.name', provider],
      ['gen_ai.response.model', upstreamModel],
      ['tollgate.outcome', ending],
      ['http.response.status_code', status],
      ['error.type', error],
    ),
    slots: [
      ...slots('text', 'tollgate.request_id'),
      ...(isHeld ? slots('whole', 'tollgate.user_id') : []),
      ...(hasUsage ? USAGE : []),
      ...(hasFirstByte ? slots('fraction', 'gen_ai.response.time_to_first_chunk') : []),
    ],
  }
}

const USAGE = slots(
  'whole',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'gen_ai.usage.cache_read.input_tokens',
)

function slots(type: Slot['type'], ...names: readonly string[]): readonly Slot[] {
  return names.map((name) => ({ name, type }))
}

/** Names and values in turn, without the values that are not known. */
function defined(...pairs: readonly (readonly [string, AttributeValue | undefined])[]): AttributeValue[] {
  return pairs.flatMap(([name, value]) => {
    if (value === undefined) return []
    return [name, typeof value === 'string' ? copied(value) : value]
  })
}
