import type { FeatureLimits } from '../../canonical/feature.ts'

/** Features of a conversation that chat completions cannot express. */
export const chatLimits: FeatureLimits = {
  'custom-tools': {
    does: 'convert',
    because: 'to functions with one text parameter, for models before GPT-5',
  },
  'search-sites': { does: 'refuse', because: 'searches cannot be limited to sites' },
  'search-blocks': { does: 'refuse', because: 'searches cannot be limited to sites' },
  'web-fetch': { does: 'refuse', because: 'the dialect has no such tool' },
  'code-execution': { does: 'refuse', because: 'the dialect has no such tool' },
  'other-builtins': { does: 'refuse', because: 'only that vendor runs them' },
  citations: { does: 'drop', because: 'there is no such parameter' },
  'search-uses': { does: 'drop', because: 'the model decides how often it searches' },
  'cache-markers': { does: 'drop', because: 'prompts are cached automatically' },
}
