import type { Conversation, Sampling } from '@tollgate/dialects/canonical/conversation'
import type { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import { features } from '@tollgate/dialects/canonical/feature'
import type { ModelTraits, RefusableMember } from '@tollgate/dialects/traits/model-traits'
import { problem } from '@tollgate/problems/problem'

const samplingNames: Readonly<Record<Exclude<RefusableMember, 'logprobs'>, keyof Sampling>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  logit_bias: 'logitBias',
}

/** Removes the members for which the model returns an error, and adds their names to `dropped`. */
export function withoutRefused(
  conversation: Conversation,
  { refuses = [] }: ModelTraits,
  dropped: DroppedMembers | undefined,
): Conversation {
  const found = refuses.filter((member) => isUsed(conversation, member))
  if (found.length === 0) return conversation
  dropped?.add(...found)
  const { logprobs, sampling, ...rest } = conversation
  const gone = new Set<string>(
    found.map((member) => (member === 'logprobs' ? member : samplingNames[member])),
  )
  return {
    ...rest,
    sampling: Object.fromEntries(Object.entries(sampling).filter(([name]) => !gone.has(name))),
    ...(logprobs !== undefined && !gone.has('logprobs') && { logprobs }),
  }
}

function isUsed({ sampling, logprobs }: Conversation, member: RefusableMember): boolean {
  return (member === 'logprobs' ? logprobs : sampling[samplingNames[member]]) !== undefined
}

/**
 * For upstreams without web search. A search tool beside other tools is dropped, because the model can do
 * without it; if it is the only tool, the call is refused.
 */
export function withoutSearch(conversation: Conversation, dropped: DroppedMembers | undefined): Conversation {
  const others = conversation.tools.filter((tool) => tool.type !== 'builtin' || tool.kind !== 'web-search')
  if (others.length === conversation.tools.length) return conversation
  if (others.length === 0) throw problem('not_expressible', { feature: features['web-search'].words })
  dropped?.add('web_search_options')
  return { ...conversation, tools: others }
}
