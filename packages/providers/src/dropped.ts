import type { JsonObject } from '@tollgate/dialects/json'

/**
 * Members that only tune a response or how it is produced, each with the names that vendors use for it. A
 * quirk may drop such a member for a model that refuses it. A member that was renamed is still present under
 * another name and does not count as dropped.
 */
const TUNING: readonly (readonly [member: string, ...alsoCalled: string[]])[] = [
  ['temperature'],
  ['top_p'],
  ['top_k'],
  ['frequency_penalty'],
  ['presence_penalty'],
  ['seed', 'random_seed'],
  ['logit_bias'],
  ['logprobs'],
  ['top_logprobs'],
  ['max_output_tokens'],
  ['max_tool_calls'],
  ['verbosity'],
  ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'output_config'],
  ['thinking', 'reasoning_effort', 'reasoning', 'enable_thinking', 'thinking_budget'],
  ['web_search_options', 'tools'],
  ['parallel_tool_calls', 'tool_choice'],
  ['prompt_cache_key'],
  ['service_tier'],
  ['serviceTier'],
  ['inference_geo'],
  ['speed'],
  ['store'],
]

/** Returns the tuning members that are in a body but not in its adapted form. */
export function droppedBetween(body: JsonObject, adapted: JsonObject): readonly string[] {
  if (body === adapted) return []
  return TUNING.filter(([member, ...others]) => {
    const wasTold = (body[member] ?? false) !== false
    return wasTold && ![member, ...others].some((name) => (adapted[name] ?? undefined) !== undefined)
  }).map(([member]) => member)
}
