import type { FeatureLimits } from '../canonical/feature.ts'

/** Features of a conversation that the Messages API cannot express. */
export const messagesLimits: FeatureLimits = {
  'several-choices': { does: 'refuse', because: 'a call has one answer' },
  penalties: { does: 'refuse', because: 'there are no penalties' },
  'logit-bias': { does: 'refuse', because: 'there is no such parameter' },
  logprobs: { does: 'refuse', because: 'they are not returned' },
  'audio-output': { does: 'refuse', because: 'answers are text' },
  'image-output': { does: 'refuse', because: 'answers are text' },
  audio: { does: 'refuse', because: 'models accept no audio' },
  video: { does: 'refuse', because: 'models accept images only' },
  'custom-tools': { does: 'convert', because: 'to functions with one text parameter' },
  'web-fetch': { does: 'refuse', because: "it would run another vendor's tool" },
  'code-execution': { does: 'refuse', because: "it would run another vendor's tool" },
  'other-builtins': { does: 'refuse', because: 'only that vendor runs them' },
  'strict-tools': { does: 'drop', because: 'arguments follow a schema closely anyway' },
  'image-detail': { does: 'drop', because: 'images have one detail level' },
  'search-size': { does: 'convert', because: 'to a number of searches' },
  seed: { does: 'drop', because: 'a seed never guarantees the same answer' },
  verbosity: { does: 'drop', because: 'it only affects style' },
  'cache-key': { does: 'drop', because: 'it only affects caching' },
  metadata: { does: 'drop', because: 'the answer does not depend on it' },
  'service-tier': { does: 'drop', because: 'tiers of another vendor do not apply' },
}
