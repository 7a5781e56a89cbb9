import type { Limits } from '../../canonical/feature.ts'

/** What chat completions have no words for. */
export const chatLimits: Limits = {
  'search-sites': { does: 'refuse', because: 'a search is of all sites' },
  'search-blocks': { does: 'refuse', because: 'a search is of all sites' },
  'web-fetch': { does: 'refuse', because: 'the dialect has no such tool' },
  'code-execution': { does: 'refuse', because: 'the dialect has no such tool' },
  'other-builtins': { does: 'refuse', because: 'only their own vendor runs them' },
  'cache-markers': { does: 'drop', because: 'prompts are cached without being asked' },
}
