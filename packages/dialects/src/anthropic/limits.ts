import type { FeatureLimits } from '../canonical/feature.ts'

/** Features of a conversation that the Messages API cannot express. */
export const messagesLimits: FeatureLimits = {
  'several-choices': { does: 'refuse', because: 'a call has one answer' },
  penalties: { does: 'refuse', because: 'there are no penalties' },
  'logit-bias': { does: 'refuse', because: 'tokens cannot be weighted' },
  logprobs: { does: 'refuse', because: 'they are not told' },
  'audio-output': { does: 'refuse', because: 'answers are text' },
  'image-output': { does: 'refuse', because: 'answers are text' },
  audio: { does: 'refuse', because: 'models do not hear' },
  video: { does: 'refuse', because: 'models see pictures only' },
  'custom-tools': { does: 'convert', because: 'to functions with one text' },
  'web-fetch': { does: 'refuse', because: "another vendor's tool reads other pages" },
  'code-execution': { does: 'refuse', because: "another vendor's tool runs other code" },
  'other-builtins': { does: 'refuse', because: 'only their own vendor runs them' },
  'strict-tools': { does: 'drop', because: 'arguments follow a schema closely as it is' },
  'image-detail': { does: 'drop', because: 'images are seen at one size' },
  'search-size': { does: 'convert', because: 'to a number of searches' },
  seed: { does: 'drop', because: 'a seed never promises the same answer' },
  verbosity: { does: 'drop', because: 'a wish about style, said better in words' },
  'cache-key': { does: 'drop', because: 'it only helps to find a cache' },
  metadata: { does: 'drop', because: 'the answer does not depend on it' },
  'service-tier': { does: 'drop', because: "another vendor's tiers mean nothing here" },
}
