import type { WriteContext } from '../canonical/codec.ts'
import type { ChoiceEnd, Reply } from '../canonical/reply.ts'
import { rawFor } from '../canonical/raw.ts'
import type { JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'
import { writeEnd } from './ends.ts'
import { writeOutputItems, type IdWriter } from './output-items.ts'
import { writeResponsesUsage } from './usage.ts'

/** Writes a complete response. The format has one answer per request. */
export function writeReply(reply: Reply, context: WriteContext): JsonObject {
  const [choice] = reply.choices
  const id = responseId(reply.id, context)
  return {
    ...rawFor(reply.extras, 'responses'),
    ...writeHead({ ...reply, id }, context),
    ...writeEnded(choice?.end ?? { reason: 'stop' }, reply.usage),
    output: writeOutputItems(choice?.parts ?? [], idWriter(id)),
  }
}

const FOREIGN = /[^\w-]/

export function responseId(id: string, { fallbackId }: Pick<WriteContext, 'fallbackId'>): string {
  const plain = FOREIGN.test(id) ? id.replaceAll(/[^\w-]/g, '') : id
  return plain.startsWith('resp_') ? plain : `resp_${plain || fallbackId}`
}

/** Makes item ids unique by numbering them within the response. */
export function idWriter(id: string): IdWriter {
  let count = 0
  return (kind) => `${kind}_${id.slice('resp_'.length)}_${count++}`
}

type Head = Pick<Reply, 'id' | 'createdSeconds' | 'serviceTier'>

/** Writes the members that every version of the response object has, from the first event on. */
export function writeHead(
  { id, createdSeconds, serviceTier }: Head,
  context: WriteContext,
): Record<string, unknown> {
  return {
    id,
    object: 'response',
    created_at: createdSeconds ?? context.nowSeconds,
    model: context.model,
    error: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    service_tier: serviceTier,
  }
}

export function writeEnded(
  end: Pick<ChoiceEnd, 'reason'>,
  usage: Usage | undefined,
): Record<string, unknown> {
  return { ...writeEnd(end), usage: usage === undefined ? null : writeResponsesUsage(usage) }
}
