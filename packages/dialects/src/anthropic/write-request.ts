import type { RequestContext } from '../canonical/codec.ts'
import type { Conversation, OutputFormat } from '../canonical/conversation.ts'
import { rejectOrphanResults } from '../canonical/orphan-result.ts'
import { rawFor } from '../canonical/raw.ts'
import { omitUndefined } from '../canonical/omit-undefined.ts'
import type { JsonObject } from '../json.ts'
import { outputSchema } from './output-schema.ts'
import { writeSystem, writeTurns } from './write-messages.ts'
import { writeThinking } from './write-thinking.ts'
import { writeTools } from './write-tools.ts'
import { traitsOf } from '../traits/lookup.ts'
import type { ModelTraits } from '../traits/model-traits.ts'

/** Writes the body of a Messages request. https://docs.anthropic.com/en/api/messages */
export function writeRequest(conversation: Conversation, context: RequestContext): JsonObject {
  const { model, messages, format, metadata, stop } = conversation
  rejectOrphanResults(messages)
  const maxTokens = conversation.outputTokensMax ?? context.outputTokensDefault
  const traits = context.traits ?? traitsOf(model)
  const thinking = writeThinking(conversation, { maxTokens, traits, dropped: context.dropped })
  const schema =
    format?.type === 'schema' && traits.jsonSchema !== false ? outputSchema(format.schema) : undefined
  const config = (thinking.effort ?? schema) && {
    effort: thinking.effort,
    format: schema && { type: 'json_schema', schema },
  }
  return {
    ...conversation.extras.anthropic,
    model,
    messages: writeTurns(messages),
    max_tokens: maxTokens,
    stream: conversation.isStream || undefined,
    system: writeSystem(messages, format && instructionFor(format, schema !== undefined)),
    thinking: thinking.thinking,
    stop_sequences: stop.length > 0 ? stop.filter((text) => text.trim() !== '') : undefined,
    service_tier: rawFor(conversation.serviceTier, 'anthropic'),
    output_config: config,
    metadata: metadata.userId === undefined ? undefined : { user_id: metadata.userId },
    ...writeSampling(conversation, {
      traits,
      isThinking: thinking.thinking !== undefined && thinking.thinking['type'] !== 'disabled',
      dropped: context.dropped,
    }),
    ...writeTools(conversation),
  }
}

interface SamplingRules {
  readonly traits: ModelTraits
  readonly isThinking: boolean
  readonly dropped: RequestContext['dropped']
}

/** Leaves out the sampling parameters when thinking is on, because Anthropic rejects them then. */
function writeSampling(
  { sampling }: Conversation,
  { traits, isThinking, dropped }: SamplingRules,
): JsonObject {
  const { temperature, topP, topK } = sampling
  const wanted = omitUndefined({
    // In other dialects the temperature goes up to 2; Anthropic's maximum is 1.
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    top_p: topP,
    top_k: topK,
  })
  const taken = isThinking ? {} : traits.temperatureOrTopP === true ? oneOfBoth(wanted) : wanted
  dropped?.add(...Object.keys(wanted).filter((name) => !Object.hasOwn(taken, name)))
  return taken
}

/**
 * If a model accepts only one of temperature and `top_p`, temperature is kept: it is what callers usually
 * mean to set.
 */
function oneOfBoth(wanted: JsonObject): JsonObject {
  if (!Object.hasOwn(wanted, 'temperature')) return wanted
  const { top_p: _dropped, ...rest } = wanted
  return rest
}

/** Instruction in words for an output format that cannot be requested with a parameter. */
function instructionFor(format: OutputFormat, isNative: boolean): string | undefined {
  if (format.type === 'json')
    return 'Answer with one JSON object and nothing else: no other text, no code fence.'
  if (format.type !== 'schema' || isNative) return undefined
  return `Answer with JSON that follows this schema and with nothing else: no other text, no code fence.\n${JSON.stringify(format.schema)}`
}
