import { memberNames } from './members.ts'
import type { Conversation } from './conversation.ts'
import { featureNames, features, type FeatureLimits } from './feature.ts'
import { dialectNames, type DialectName, type Raw } from './raw.ts'
import type { JsonObject } from '../json.ts'

/**
 * Names of the request members that were left out of the upstream request. A conversion drops what only tunes
 * the answer, such as `seed`, if the upstream has no parameter for it; the names appear in the log row and in
 * the header `x-tollgate-dropped`. Members are listed by their chat completions name if there is one,
 * whatever the caller's dialect calls them.
 */
export class DroppedMembers {
  readonly #names = new Set<string>()

  add(...names: readonly string[]): void {
    this.addAll(names)
  }

  /**
   * For lists whose length the caller controls: spread into `add`, they could exceed the maximum number of
   * arguments.
   */
  addAll(names: readonly string[]): void {
    for (const name of names) if (this.#names.size < NAMES_MAX && NAME.test(name)) this.#names.add(name)
  }

  get names(): readonly string[] {
    return [...this.#names]
  }
}

/** The caller chooses the names of unknown members, so their number is limited to what fits into a header. */
const NAMES_MAX = 32
const NAME = /^[A-Za-z][\w.-]{0,63}$/

/** Names of the features of a conversation that the `limits` of a dialect drop. */
export function droppedFeatures(conversation: Conversation, limits: FeatureLimits): readonly string[] {
  return featureNames
    .filter((name) => limits[name]?.does === 'drop' && features[name].isUsedBy(conversation))
    .map((name) => features[name].member ?? name.replaceAll('-', '_'))
}

/** Names of unknown members of the body and of its tools, which another dialect does not receive. */
export function droppedExtras(
  { extras, tools }: Conversation,
  target: DialectName | undefined,
): readonly string[] {
  const unknown = [
    ...dialectNames.map((dialect) => ({ dialect, value: extras[dialect] ?? {} })),
    ...tools.flatMap((tool) => (tool.type === 'function' ? (tool.extras ?? []) : [])),
  ]
  const isSearchLimited = tools.some((tool) => tool.type === 'builtin' && tool.search?.usesMax !== undefined)
  const isHonoured = (name: string) =>
    WITHOUT_EFFECT.has(name) || (isSearchLimited && name === 'max_tool_calls')
  const ofBuiltins = tools.flatMap((tool) => (tool.type === 'builtin' ? tool.raw : []))
  return [
    ...namesIn(unknown, target).filter(([name, value]) => !isHonoured(name) && !isEmpty(value)),
    ...namesIn(ofBuiltins, target).filter(([name]) => !READ_OF_BUILTINS.has(name)),
  ].map(([name]) => name)
}

function namesIn(
  raws: readonly Raw<JsonObject>[],
  target: DialectName | undefined,
): readonly (readonly [string, unknown])[] {
  return raws.flatMap(({ dialect, value }) => (dialect === target ? [] : Object.entries(value)))
}

/** Members of a vendor's built-in tool that conversions understand; Gemini's tools have one that names them. */
const READ_OF_BUILTINS = memberNames(
  `type name search_context_size user_location filters max_uses allowed_domains blocked_domains
   cache_control container googleSearch google_search googleSearchRetrieval google_search_retrieval
   codeExecution code_execution urlContext url_context`,
)

/** Members that every conversion honours, or that do not influence the answer. */
const WITHOUT_EFFECT = memberNames('include client_metadata defer_loading eager_input_streaming')

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)
  )
}
