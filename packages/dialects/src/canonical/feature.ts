import type { Conversation, Message } from './conversation.ts'
import { type Part, isMediaPart } from './part.ts'
import type { SearchOptions } from './tool.ts'

/**
 * Features that a conversation may use and that not every upstream dialect can express. Each dialect lists
 * the ones it cannot express in its `limits`: `refuse` if leaving the feature out would change the answer,
 * `drop` if it would not, `convert` if it can be expressed in another way. `docs/reference/dialects.md` is
 * generated from this.
 */
export const features = {
  'several-choices': feature('several answers (`n`)', (c) => c.choices > 1),
  temperature: feature('a temperature', (c) => c.sampling.temperature !== undefined),
  'top-p': feature('nucleus sampling (`top_p`)', (c) => c.sampling.topP !== undefined),
  'output-limit': feature(
    'a limit on the length of an answer',
    (c) => c.outputTokensMax !== undefined,
    'max_tokens',
  ),
  seed: feature('a seed', (c) => c.sampling.seed !== undefined),
  'top-k': feature('top-k sampling', (c) => c.sampling.topK !== undefined),
  penalties: feature(
    'frequency or presence penalties',
    ({ sampling: { frequencyPenalty = 0, presencePenalty = 0 } }) =>
      frequencyPenalty !== 0 || presencePenalty !== 0,
  ),
  'logit-bias': feature('a logit bias', (c) => Object.keys(c.sampling.logitBias ?? {}).length > 0),
  logprobs: feature('log probabilities', (c) => c.logprobs !== undefined),
  stop: feature('stop sequences', (c) => c.stop.length > 0),
  json: feature('JSON output without a schema', (c) => c.format?.type === 'json'),
  schema: feature('output that follows a JSON schema', (c) => c.format?.type === 'schema'),
  'audio-output': feature('audio answers', (c) => c.modalities?.includes('audio') === true),
  'image-output': feature('image answers', (c) => c.modalities?.includes('image') === true),
  image: feature('images', (c) => hasPart(c, (part) => part.type === 'image')),
  audio: feature('audio', (c) => hasPart(c, (part) => part.type === 'audio')),
  video: feature('video', (c) => hasPart(c, (part) => part.type === 'video')),
  file: feature('documents', (c) => hasPart(c, (part) => part.type === 'file')),
  'result-media': feature('images or documents in the result of a tool', (c) =>
    hasPart(c, (part) => part.type === 'tool-result' && part.parts.some(isMediaPart)),
  ),
  'image-detail': feature(
    'the detail level of an image',
    (c) => hasPart(c, (part) => part.type === 'image' && (part.detail ?? 'auto') !== 'auto'),
    'detail',
  ),
  citations: feature('citations of documents', (c) =>
    hasPart(c, (part) => part.type === 'file' && part.wantsCitations === true),
  ),
  prefill: feature('a prefilled answer', (c) => isPrefilled(c.messages.at(-1))),
  tools: feature('function tools', (c) => c.tools.some((tool) => tool.type === 'function')),
  'strict-tools': feature(
    'strict function schemas',
    (c) => c.tools.some((tool) => tool.type === 'function' && tool.isStrict === true),
    'strict',
  ),
  'custom-tools': feature('free-text tools', (c) => c.tools.some((tool) => tool.type === 'custom')),
  'web-search': feature('built-in web search', (c) => hasBuiltin(c, 'web-search')),
  'search-sites': feature('a web search limited to certain sites', (c) =>
    searchesOf(c).some(({ allowedDomains = [] }) => allowedDomains.length > 0),
  ),
  'search-blocks': feature('a web search that excludes certain sites', (c) =>
    searchesOf(c).some(({ blockedDomains = [] }) => blockedDomains.length > 0),
  ),
  'search-size': feature(
    'the context size of a web search',
    (c) => searchesOf(c).some(({ contextSize }) => contextSize !== undefined),
    'search_context_size',
  ),
  'search-location': feature(
    'a web search near a location',
    (c) => searchesOf(c).some(({ location }) => location !== undefined),
    'user_location',
  ),
  'search-uses': feature(
    'a limit on the number of searches',
    (c) => searchesOf(c).some(({ usesMax }) => usesMax !== undefined),
    'max_uses',
  ),
  'web-fetch': feature('built-in page fetching', (c) => hasBuiltin(c, 'web-fetch')),
  'code-execution': feature('built-in code execution', (c) => hasBuiltin(c, 'code-execution')),
  'other-builtins': feature("a vendor's own built-in tools", (c) => hasBuiltin(c, 'other')),
  'tool-choice': feature('a required or a named tool', ({ toolChoice }) =>
    ['required', 'tool'].includes(toolChoice?.type ?? ''),
  ),
  'allowed-tools': feature('a choice among a subset of the tools', (c) => c.toolChoice?.type === 'allowed'),
  'serial-tools': feature(
    'one tool call at a time',
    (c) => c.parallelToolCalls === false,
    'parallel_tool_calls',
  ),
  reasoning: feature('reasoning settings', ({ reasoning }) => reasoning !== undefined),
  verbosity: feature('verbosity', (c) => c.verbosity !== undefined),
  'cache-markers': feature('cache markers', hasCacheMarker, 'cache_control'),
  'cache-key': feature('a cache key', (c) => c.metadata.cacheKey !== undefined, 'prompt_cache_key'),
  'user-id': feature('an end-user id', (c) => c.metadata.userId !== undefined, 'user'),
  metadata: feature('metadata', (c) => Object.keys(c.metadata.entries ?? {}).length > 0),
  'service-tier': feature('a service tier', (c) => c.serviceTier !== undefined),
  'speaker-names': feature(
    'names of speakers',
    (c) => c.messages.some((each) => each.name !== undefined),
    'name',
  ),
} as const satisfies Record<string, FeatureDefinition>

export type Feature = keyof typeof features

interface FeatureDefinition {
  /** Name of the feature within a sentence: "the provider cannot take …". */
  readonly words: string
  readonly isUsedBy: (conversation: Conversation) => boolean
  /** The member with which a caller sets the feature, if it differs from the feature's name. */
  readonly member?: string
}

/** How an upstream dialect handles a feature that it cannot express. */
export interface Limit {
  readonly does: 'refuse' | 'drop' | 'convert'
  /** Reason, shown in the reference page. */
  readonly because: string
}

export type FeatureLimits = Partial<Readonly<Record<Feature, Limit>>>

/**
 * Returns the first feature that the conversation uses and the dialect refuses; `undefined` if the dialect
 * refuses none.
 */
export function refusedFeature(conversation: Conversation, limits: FeatureLimits): Feature | undefined {
  return featureNames.find((name) => limits[name]?.does === 'refuse' && features[name].isUsedBy(conversation))
}

export const featureNames: readonly Feature[] = Object.keys(features).filter(isFeature)

function isFeature(name: string): name is Feature {
  return Object.hasOwn(features, name)
}

function feature(words: string, isUsedBy: FeatureDefinition['isUsedBy'], member?: string): FeatureDefinition {
  return { words, isUsedBy, member }
}

function hasPart({ messages }: Conversation, fits: (part: Part) => boolean): boolean {
  return messages.some(({ parts }) => parts.some(fits))
}

function isPrefilled(last: Message | undefined): boolean {
  return last?.role === 'assistant' && !last.parts.some((part) => part.type === 'tool-call')
}

function hasBuiltin({ tools }: Conversation, kind: string): boolean {
  return tools.some((tool) => tool.type === 'builtin' && tool.kind === kind)
}

function searchesOf({ tools }: Conversation): readonly SearchOptions[] {
  return tools.flatMap((tool) => (tool.type === 'builtin' ? (tool.search ?? []) : []))
}

function hasCacheMarker({ messages, tools }: Conversation): boolean {
  return (
    messages.some((message) => message.cache !== undefined || message.parts.some(isMarked)) ||
    tools.some((tool) => tool.type === 'function' && tool.cache !== undefined)
  )
}

function isMarked(part: Part): boolean {
  return part.type !== 'opaque' && part.cache !== undefined
}
