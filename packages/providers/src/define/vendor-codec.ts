import type { UpstreamDialect } from '@tollgate/dialects/canonical/codec'
import type { Feature, Limit, FeatureLimits } from '@tollgate/dialects/canonical/feature'

/** Writes conversations in a format that only one vendor has, and reads its responses. */
export type VendorCodec = Omit<UpstreamDialect, 'name'>

function refuse(because: string): Limit {
  return { does: 'refuse', because }
}

/** Features that only tune a response or the call. Few vendor-specific formats have members for them. */
const TUNING = [
  'temperature',
  'top-p',
  'top-k',
  'seed',
  'penalties',
  'stop',
  'output-limit',
  'image-detail',
  'citations',
  'strict-tools',
  'serial-tools',
  'reasoning',
  'verbosity',
  'cache-markers',
  'cache-key',
  'user-id',
  'metadata',
  'service-tier',
  'speaker-names',
] as const satisfies readonly Feature[]

/** Limits of a format that has members for the `taken` features and drops all other tuning. */
export function tunedBy(...taken: readonly (typeof TUNING)[number][]): FeatureLimits {
  return dropping('there is no such parameter', ...TUNING.filter((name) => !taken.includes(name)))
}

/** Limits of a format that drops these features for one reason. */
export function dropping(because: string, ...dropped: readonly Feature[]): FeatureLimits {
  return Object.fromEntries(dropped.map((name) => [name, { does: 'drop', because } satisfies Limit]))
}

/** Limits of formats with one answer of text. */
export const oneTextAnswer: FeatureLimits = {
  'several-choices': refuse('a call has one answer'),
  'logit-bias': refuse('there is no such parameter'),
  'audio-output': refuse('answers are text'),
  'image-output': refuse('answers are text'),
}

/** Limits of formats whose answers have no format option. */
export const noFormats: FeatureLimits = {
  json: refuse('answers have no format option'),
  schema: refuse('answers have no format option'),
}

/** Limits of formats that offer functions, but no tools that the vendor runs. */
export const functionsOnly: FeatureLimits = {
  'web-search': refuse('there is no such tool'),
  'web-fetch': refuse('there is no such tool'),
  'code-execution': refuse('there is no such tool'),
  'other-builtins': refuse('only that vendor runs them'),
  'allowed-tools': refuse('a subset cannot be chosen'),
}

/** Limits of formats that support nothing but text. */
export const textsOnly: FeatureLimits = {
  ...oneTextAnswer,
  ...noFormats,
  logprobs: refuse('they are not returned'),
  image: refuse('messages are text'),
  audio: refuse('messages are text'),
  video: refuse('messages are text'),
  file: refuse('messages are text'),
  'result-media': refuse('messages are text'),
  prefill: refuse('the last message is the caller’s'),
  tools: refuse('there are no tools'),
  'web-search': refuse('there are no tools'),
  'web-fetch': refuse('there are no tools'),
  'code-execution': refuse('there are no tools'),
  'other-builtins': refuse('there are no tools'),
  'tool-choice': refuse('there are no tools'),
  'allowed-tools': refuse('there are no tools'),
}
